// Explains a line while it is typed, and enters it with Enter.
// The entry line keeps the focus and takes every key. Entered lines go to the outbox, so that typing does not wait for the network.

import { add, known, meaning, park, setAside, startOutbox, unanswered } from "./outbox.js";
import { say } from "./words.js";

let field, says;
let asked = 0;
let waiting = null;
let echo = null; // the meaning of the line in the field, once it is known
let blind = false; // whether the server could not be asked for the meaning
let editing = null; // the line of the outbox that is in the field
const past = [];
let at = 0;

function start() {
  const form = document.querySelector("[data-entry]");
  if (!form) return;
  field = form.querySelector("input");
  says = document.getElementById("echo");
  startOutbox(document.getElementById("lines"), {
    round: form.dataset.round,
    busy: () => field.value !== "",
    tell: answer => { if (!field.value) tell(answer); },
    focus: () => field.focus(),
    edit,
  });
  field.focus();
  for (const line of window.typedEarly) if (line.trim()) add(line.trim()); // entered before this script was loaded
  window.typedEarly = null;
  if (field.value) look();
  field.addEventListener("input", () => {
    if (!field.value) editing = null;
    clearTimeout(waiting);
    waiting = setTimeout(() => look(), 40);
  });
  form.addEventListener("submit", event => { event.preventDefault(); enter(); });
  field.addEventListener("keydown", event => {
    if (event.key === "ArrowUp" && past.length) { at = Math.max(0, at - 1); recall(past[at]); event.preventDefault(); }
    if (event.key === "ArrowDown" && past.length) { at = Math.min(past.length, at + 1); recall(past[at] || ""); event.preventDefault(); }
    if (event.key === "Escape") recall("");
  });
  field.addEventListener("paste", event => {
    const text = event.clipboardData.getData("text");
    if (!/[\r\n]/.test(text)) return;
    event.preventDefault();
    for (const line of text.split(/[\r\n]+/)) if (line.trim()) add(line.trim());
  });
  document.addEventListener("shown", () => { if (field.value && echo) look(echo.saw); });
  document.addEventListener("connected", () => { if (field.value && blind) look(); });
  document.addEventListener("click", event => {
    const filled = event.target.closest("[data-fill]");
    if (filled) { recall(filled.dataset.fill); field.focus(); }
  });
  // Sends keys that are typed outside a field to the entry line.
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) return;
    if (event.target.closest("input, textarea, select, dialog") || document.querySelector("dialog[open]")) return;
    if (event.key === " " && event.target.closest("button, a, summary")) return; // Space presses it
    field.focus();
  });
  // Gives the line the focus again after a button or a small form of this page.
  document.addEventListener("sent", () => { if (!document.querySelector("dialog[open]")) field.focus(); });
}

// Shows a line that was entered before; if it did not count yet, the next Enter replaces it.
function recall(text) {
  editing = text ? known(text) : null;
  field.value = text;
  look();
}

// Takes a line back from the outbox to edit it; a half-typed line goes there.
function edit(text) {
  const half = field.value.trim();
  if (half && half !== text) park(half);
  recall(text);
  setAside(editing);
  field.focus();
}

// Asks for the meaning of the line. `read`: the meaning when it was last read; if that has changed, Enter is needed twice.
async function look(read = null) {
  const mine = ++asked, text = field.value;
  clearTimeout(waiting);
  echo = null;
  const found = text.trim() ? await meaning(text) : { text, kind: "nothing", says: "" };
  if (mine !== asked) return;
  says.dataset.line = text;
  blind = unanswered(found);
  if (blind) return tell({ kind: "look", says: say("{problem} Press Enter to keep the line until it can be sent.", { problem: found.error }) });
  echo = found;
  echo.unread = read !== null && found.saw !== read;
  tell(found);
}

function tell(answer) {
  says.className = `echo ${answer.error ? "wrong" : answer.kind}`;
  says.textContent = answer.error || answer.says;
  if (answer.hint) {
    const hint = document.createElement("span");
    hint.className = "old";
    hint.textContent = answer.hint;
    says.append(hint);
  }
  if (!answer.old) return;
  const old = document.createElement("span");
  old.className = "old";
  old.textContent = say("so far: {result}", { result: answer.old });
  says.append(old);
}

// Takes the line out of the field at once, right or wrong: a line that does not count is in the list below.
function enter() {
  const text = field.value.trim();
  if (!text) return;
  const found = echo?.text === field.value ? echo : null;
  if (found && !found.whole && found.kind === "look") { field.select(); return; } // a line that only shows something
  if (found?.kind === "ask") { goOn(text, found.more); return; }
  if (found?.unread) {
    echo.unread = false;
    tell({ ...echo, says: say("This changed while you typed. Press Enter again to save it: {meaning}", { meaning: echo.says }) });
    return;
  }
  past.push(text);
  at = past.length;
  field.value = "";
  clearTimeout(waiting);
  asked++;
  echo = null;
  blind = false;
  const instead = editing;
  editing = null;
  tell({ kind: "nothing", says: "" });
  add(text, found, instead);
}

// Keeps a line that needs more, with the word that comes next.
function goOn(text, more) {
  field.value = more ? `${text} ${more} ` : `${text} `;
  look();
  field.focus();
}

start();
