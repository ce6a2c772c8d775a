// Questions to the person at the desk: a dialog that comes with a promise. Enter answers, Escape leaves.

function make(title) {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", "dialog-title");
  const heading = document.createElement("h2");
  heading.id = "dialog-title";
  heading.textContent = title;
  dialog.append(heading);
  return dialog;
}

function opened(dialog) {
  const before = document.activeElement;
  document.body.append(dialog);
  return new Promise(resolve => {
    dialog.addEventListener("close", () => { dialog.remove(); before?.focus(); resolve(dialog.returnValue || null); });
    unhurried(dialog);
    dialog.showModal();
  });
}

// A dialog may come while somebody types: keys that follow close on each other are not meant for it.
const BREATH = 400;
function unhurried(dialog) {
  let last = performance.now();
  dialog.addEventListener("keydown", event => {
    const soon = performance.now() - last < BREATH;
    last = performance.now();
    if (!soon || event.key === "Escape" || event.target.matches("input")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
}

function paragraph(text, kind = "") {
  const line = document.createElement("p");
  line.textContent = text;
  line.className = kind;
  return line;
}

// Yes or no; with `reason` also why, which then is the answer.
export async function ask({ title, lines = [], reason = false, yes = "Do it", danger = false }) {
  const dialog = make(title);
  const form = document.createElement("form");
  form.method = "dialog";
  form.append(...lines.map(line => paragraph(line)));
  let field = null;
  if (reason) {
    const label = document.createElement("label");
    label.textContent = "Reason; the log shows it for good";
    field = document.createElement("input");
    field.required = true;
    field.maxLength = 300;
    label.append(field);
    form.append(label);
  }
  const row = document.createElement("div");
  row.className = "row";
  const good = document.createElement("button");
  good.value = "yes";
  good.textContent = yes;
  good.className = danger ? "danger" : "main";
  const no = document.createElement("button");
  no.type = "button";
  no.textContent = "Cancel";
  no.addEventListener("click", () => dialog.close(""));
  no.autofocus = danger;
  row.append(good, no);
  form.append(row);
  dialog.append(form);
  const answer = await opened(dialog);
  return answer ? { reason: field?.value.trim() || "" } : null;
}

// Something that must be read.
export function tell(title, lines) {
  const dialog = make(title);
  const form = document.createElement("form");
  form.method = "dialog";
  const good = document.createElement("button");
  good.textContent = "Understood";
  good.className = "main";
  form.append(...lines.map(line => paragraph(line, "notice warn")), good);
  dialog.append(form);
  return opened(dialog);
}

const KEYS = { leave: "1", fewest: "2", again: "3" }; // always the same, whichever are offered

// What becomes of a posted round: leave it, the fewest tables, again; each with its cost.
export function choose(asked, about = "") {
  const words = { leave: "Leave it", fewest: "Change the fewest tables", again: "Pair it again" };
  const dialog = make(`Round ${asked.round} is posted and has not begun`);
  const form = document.createElement("form");
  form.method = "dialog";
  if (about) form.append(paragraph(about));
  form.append(paragraph("What becomes of the round? Nothing is done before you choose. A cost counts rematches first, then how far apart in points opponents are; the less, the better.", "soft"));
  const list = document.createElement("div");
  list.className = "choices";
  asked.answers.forEach(answer => {
    const button = document.createElement("button");
    button.value = answer.kind;
    const sign = document.createElement("kbd"), name = document.createElement("span"), says = document.createElement("span");
    sign.textContent = KEYS[answer.kind];
    button.dataset.key = KEYS[answer.kind];
    name.textContent = words[answer.kind];
    says.textContent = answer.says;
    says.className = "says";
    button.append(sign, name, says);
    list.append(button);
  });
  const no = document.createElement("button");
  no.type = "button";
  no.textContent = "Cancel";
  no.addEventListener("click", () => dialog.close(""));
  form.append(list, no);
  dialog.append(form);
  dialog.addEventListener("keydown", event => {
    const button = [...list.children].find(one => one.dataset.key === event.key);
    if (button) { event.preventDefault(); dialog.close(button.value); }
  });
  return opened(dialog);
}
