// Asks the person at the desk by a dialog, and returns a promise. Enter answers, Escape cancels.

import { appendText } from "./rules.js";
import { away, button, place } from "./notes.js";
import { say } from "./words.js";

export function make(title) {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", "dialog-title");
  const heading = document.createElement("h2");
  heading.id = "dialog-title";
  heading.textContent = title;
  dialog.append(heading);
  return dialog;
}

export function opened(dialog) {
  const before = document.activeElement;
  document.body.append(dialog);
  return new Promise(resolve => {
    dialog.addEventListener("close", () => { dialog.remove(); before?.focus(); resolve(dialog.returnValue || null); });
    unhurried(dialog);
    dialog.showModal();
  });
}

// Ignores keys in quick succession: a dialog may open while a person types.
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
  appendText(line, text);
  line.className = kind;
  return line;
}

// Asks yes or no; with `reason` also why, and returns the reason.
export async function ask({ title, lines = [], reason = false, yes = say("OK"), danger = false }) {
  const dialog = make(title);
  const form = document.createElement("form");
  form.method = "dialog";
  form.append(...lines.map(line => paragraph(line)));
  let field = null;
  if (reason) {
    const label = document.createElement("label");
    label.textContent = say("Reason (shown in the log)");
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
  no.textContent = say("Cancel");
  no.addEventListener("click", () => dialog.close(""));
  no.autofocus = danger;
  row.append(good, no);
  form.append(row);
  dialog.append(form);
  const answer = await opened(dialog);
  return answer ? { reason: field?.value.trim() || "" } : null;
}

const KEYS = { leave: "1", fewest: "2", again: "3" }; // always the same, also where not all are offered
const WORDS = { leave: say("Keep the pairings"), fewest: say("Re-pair as few tables as possible"), again: say("Re-pair the whole round") };

// Lists the ways to update a published round, each with its effect. A digit counts only while the focus is in the list,
// or in an element that hands its keys to `takeKey`.
export function choices(asked, answer) {
  const list = document.createElement("div");
  list.className = "choices";
  for (const one of asked.answers) {
    const button = document.createElement("button");
    button.type = "button";
    const sign = document.createElement("kbd"), name = document.createElement("span"), says = document.createElement("span");
    sign.textContent = KEYS[one.kind];
    name.textContent = WORDS[one.kind];
    appendText(says, one.says);
    says.className = "says";
    button.append(sign, name, says);
    button.addEventListener("click", () => answer(one.kind));
    list.append(button);
  }
  list.takeKey = event => {
    const found = asked.answers.find(one => KEYS[one.kind] === event.key);
    if (!found) return;
    event.preventDefault();
    event.stopPropagation();
    answer(found.kind);
  };
  list.addEventListener("keydown", list.takeKey);
  return list;
}

export const updating = asked => say("Round {round} is already published. How should it be updated?", { round: asked.round });

// Asks how to update a published round: keep it, re-pair the fewest tables, re-pair it. Where there is an entry line,
// the question is beside it and takes no key, since lines may be typed meanwhile.
export function choose(asked) {
  const title = updating(asked);
  if (document.querySelector("[data-entry]")) return beside(title, asked);
  const dialog = make(title);
  const list = choices(asked, kind => dialog.close(kind));
  dialog.addEventListener("keydown", list.takeKey);
  dialog.append(list, button(say("Cancel"), () => dialog.close("")));
  return opened(dialog);
}

function beside(title, asked) {
  return new Promise(resolve => {
    const box = document.createElement("div");
    box.className = "notice warn fields";
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", title);
    const done = kind => { away(box); resolve(kind); };
    box.append(paragraph(title), choices(asked, done), button(say("Cancel"), () => done(null)));
    place().append(box);
  });
}
