// The plan follows what is chosen.

import { show } from "./live.js";
import { send, toast } from "./forms.js";

const touched = one => one.options
  ? [...one.options].some(option => option.selected !== option.defaultSelected)
  : "defaultValue" in one && one.value !== one.defaultValue;

function start() {
  const form = document.querySelector("[data-plan]");
  let waiting = null;
  const look = async () => {
    const values = new URLSearchParams();
    for (const name of ["name", "rules", "format", "table", "players"]) if (form.elements[name]?.value) values.set(name, form.elements[name].value);
    const answer = await fetch(`/new?${values}`);
    if (answer.ok) show(await answer.text());
  };
  form.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(look, 150); });
  if ([...form.elements].some(touched)) look(); // chosen before this was here
  bringing(document.querySelector("[data-bring]"));
}

// A file is looked at as soon as it is chosen, and brought in once somebody has seen what it holds.
function bringing(form) {
  const [file, found, list] = [form.elements.file, form.querySelector("[data-found]"), form.querySelector("[data-list]")];
  const button = form.querySelector("button");
  const ask = async sure => {
    const { name, rules } = form.elements;
    const given = { name: name.value, rules: rules.value };
    return send(form.dataset.bring, { data: await base64(file.files[0]), sure, ...given });
  };
  const look = async () => {
    button.disabled = true;
    if (!file.files.length) return;
    const answer = await ask(false);
    list.hidden = list.hidden && answer.needs !== "rules"; // once it is asked for, it stays
    found.hidden = false;
    found.classList.toggle("warn", Boolean(answer.error) && !answer.needs);
    found.replaceChildren(...(answer.error ? [line("p", answer.error)] : seen(answer)));
    button.disabled = Boolean(answer.error);
  };
  file.addEventListener("click", () => { file.value = ""; }); // a file that was mended can be chosen again
  for (const field of [file, form.elements.rules]) field.addEventListener("change", look);
  form.addEventListener("submit", async event => {
    event.preventDefault();
    button.disabled = true;
    const answer = await ask(true);
    if (answer.error) { toast(answer.error, true); button.disabled = false; }
    else location.href = answer.go;
  });
}

const line = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
const counted = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;

function seen(answer) {
  const extent = `${counted(answer.players, "player")}, ${counted(answer.rounds, "round")} (${answer.kind})`;
  const notes = document.createElement("ul");
  notes.append(...answer.notes.map(note => line("li", note)));
  return [line("strong", answer.event), line("p", extent), ...(answer.notes.length ? [notes] : [])];
}

// The bytes as they are: what letters they mean is for the server to find out.
async function base64(file) {
  const reader = new FileReader();
  await new Promise((done, failed) => { reader.onload = done; reader.onerror = failed; reader.readAsDataURL(file); });
  return reader.result.slice(reader.result.indexOf(",") + 1);
}

start();
