// The entry bar: says what a line means while it is typed, and counts it with Enter. It keeps the focus.

import { ask, choose, tell as mustRead } from "./dialogs.js";
import { send } from "./forms.js";
import { refresh } from "./live.js";

const address = `${document.body.dataset.desk}/entry`;
let asked = 0;
let waiting = null;
let echo = null; // what the last line that was looked at means
const past = [];
let at = 0;

export function start() {
  const form = document.querySelector("[data-entry]");
  if (!form) return;
  const field = form.querySelector("input");
  const says = document.getElementById("echo");
  field.focus();
  field.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(() => look(field.value, says), 40); });
  form.addEventListener("submit", event => { event.preventDefault(); count(field, says); });
  field.addEventListener("keydown", event => {
    if (event.key === "ArrowUp" && past.length) { at = Math.max(0, at - 1); field.value = past[at]; look(field.value, says); event.preventDefault(); }
    if (event.key === "Escape") { field.value = ""; look("", says); }
  });
  document.addEventListener("click", event => {
    const table = event.target.closest("[data-fill]");
    if (!table) return;
    field.value = `${table.dataset.fill} `;
    field.focus();
    look(field.value, says);
  });
  // Whoever types outside a field means the entry bar.
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) return;
    if (event.target.closest("input, textarea, select, dialog, button, a, summary") || document.querySelector("dialog[open]")) return;
    field.focus();
  });
}

async function look(text, says) {
  const mine = ++asked;
  clearTimeout(waiting);
  const answer = text.trim() ? await send(address, { text }) : { kind: "nothing", says: "", whole: false };
  if (mine !== asked) return echo;
  echo = { ...answer, text };
  tell(says, answer);
  return echo;
}

function tell(says, answer) {
  says.className = `echo ${answer.error ? "wrong" : answer.kind}`;
  says.textContent = answer.error || answer.says;
  if (answer.old) {
    const old = document.createElement("span");
    old.className = "old";
    old.textContent = `so far: ${answer.old}`;
    says.append(old);
  }
}

async function count(field, says) {
  const text = field.value;
  if (!text.trim()) return;
  if (!echo || echo.text !== text) await look(text, says);
  if (!echo?.whole) { field.select(); return; }
  await commit(text, { saw: echo.saw }, field, says);
}

async function commit(text, more, field, says) {
  field.readOnly = true;
  let answer = await send(address, { text, sure: true, ...more });
  field.readOnly = false;
  if (answer.answers) {
    const then = await choose(answer);
    field.focus();
    if (then) return commit(text, { ...more, then }, field, says);
    return;
  }
  if (answer.kind === "RecordClosed" && !more.override) {
    const why = await ask({ title: "The record is closed", lines: [answer.error], reason: true, yes: "Correct it all the same" });
    field.focus();
    if (why) return commit(text, { ...more, override: true, reason: why.reason }, field, says);
    return;
  }
  if (answer.error) { tell(says, { error: answer.error }); field.select(); return; }
  past.push(text);
  at = past.length;
  echo = null;
  asked++;
  if (field.value === text) field.value = "";
  tell(says, { kind: "done", says: `✓ ${answer.done}` });
  await refresh();
  if (answer.warnings.length) await mustRead("Please note", answer.warnings);
  field.focus();
}
