// The entry bar: says what a line means while it is typed, and counts it with Enter.
// It keeps the focus and takes every key: lines wait for each other, so that nobody has to wait for the network.

import { ask, choose, tell as mustRead } from "./dialogs.js";
import { send } from "./forms.js";
import { refresh } from "./live.js";

const address = `${document.body.dataset.desk}/entry`;
let field, says, failed;
let asked = 0;
let waiting = null;
let echo = null; // what the line in the field means, once that is known
const past = [];
let at = 0;
const lines = []; // lines that were entered and are not done yet
let working = false;

export function start() {
  const form = document.querySelector("[data-entry]");
  if (!form) return;
  field = form.querySelector("input");
  says = document.getElementById("echo");
  failed = document.getElementById("failed");
  field.focus();
  if (field.value) look(); // typed before this was here
  field.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(() => look(), 40); });
  form.addEventListener("submit", event => { event.preventDefault(); enter(); });
  field.addEventListener("keydown", event => {
    if (event.key === "ArrowUp" && past.length) { at = Math.max(0, at - 1); put(past[at]); event.preventDefault(); }
    if (event.key === "ArrowDown" && past.length) { at = Math.min(past.length, at + 1); put(past[at] || ""); event.preventDefault(); }
    if (event.key === "Escape") put("");
  });
  field.addEventListener("paste", event => {
    const text = event.clipboardData.getData("text");
    if (!/[\r\n]/.test(text)) return;
    event.preventDefault();
    for (const line of text.split(/[\r\n]+/)) if (line.trim()) lines.push({ text: line });
    work();
  });
  document.addEventListener("shown", () => { if (field.value && echo) look(echo.saw); });
  document.addEventListener("click", event => {
    const filled = event.target.closest("[data-fill]");
    if (filled) { put(filled.dataset.fill); field.focus(); }
    const again = event.target.closest("[data-again]");
    if (again) { put(again.dataset.again); again.closest("li").remove(); field.focus(); }
  });
  // Whoever types outside a field means the entry bar.
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) return;
    if (event.target.closest("input, textarea, select, dialog") || document.querySelector("dialog[open]")) return;
    if (event.key === " " && event.target.closest("button, a, summary")) return; // presses it
    field.focus();
  });
  // After a button or a small form of this page the bar has the focus again.
  document.addEventListener("sent", () => { if (!document.querySelector("dialog[open]")) field.focus(); });
}

function put(text) {
  field.value = text;
  look();
}

// On the page of an older round a line without one belongs to that round.
const whole = text => {
  const round = field.form.dataset.round;
  return round && /^\s*\d/.test(text) ? `r${round} ${text}` : text;
};
const meaning = async text => ({ text, ...(await send(address, { text: whole(text) })) });

// `read`: what the line meant when it was last read. If somebody else has changed that, Enter is needed twice.
async function look(read = null) {
  const mine = ++asked, text = field.value;
  clearTimeout(waiting);
  echo = null;
  const found = text.trim() ? await meaning(text) : { text, kind: "nothing", says: "" };
  if (mine !== asked) return;
  echo = found;
  echo.unread = read !== null && found.saw !== read;
  says.dataset.line = text;
  tell(found);
}

function tell(answer) {
  says.className = `echo ${answer.error ? "wrong" : answer.kind}`;
  says.textContent = answer.error || answer.says;
  if (!answer.old) return;
  const old = document.createElement("span");
  old.className = "old";
  old.textContent = `so far: ${answer.old}`;
  says.append(old);
}

// The line leaves the field at once; what is known to be wrong stays there.
function enter() {
  const text = field.value;
  if (!text.trim()) return;
  if (echo?.text === text && !echo.whole) { field.select(); return; }
  if (echo?.text === text && echo.unread) {
    echo.unread = false;
    tell({ ...echo, says: `Something has changed. ${echo.says}` });
    return;
  }
  lines.push({ text, seen: echo?.text === text ? echo : null });
  field.value = "";
  asked++;
  echo = null;
  work();
}

async function work() {
  if (working) return;
  working = true;
  try {
    while (lines.length) await count(lines[0]).finally(() => lines.shift());
  } finally {
    working = false;
  }
  await refresh();
}

// One line: looked at, if that was not done yet, and then done.
async function count({ text, seen }) {
  const found = seen || await meaning(text);
  if (found.error || !found.whole) return fail(text, found.error || found.says);
  if (!seen && (found.old || found.kind === "undo")) return fail(text, `${found.says}${found.old ? `; so far: ${found.old}` : ""}: Enter once more`, found);
  if (!field.value) tell(found);
  const slow = setTimeout(() => { if (!field.value) tell({ kind: "look", says: `${found.says} …` }); }, 400);
  const answer = await commit(text, { saw: found.saw });
  clearTimeout(slow);
  if (!answer) return field.focus();
  if (answer.error) return fail(text, answer.error);
  past.push(text);
  at = past.length;
  if (!field.value) tell({ kind: "done", says: ["✓ " + answer.done, ...answer.says].join(" ") });
  if (answer.warnings.length) await mustRead("Please note", answer.warnings);
  field.focus();
}

// What came of a line; nothing if somebody was asked and thought better of it.
async function commit(text, more) {
  const answer = await send(address, { text: whole(text), sure: true, ...more });
  if (answer.answers) {
    const then = await choose(answer, more.saw.split(" | ")[0]);
    return then ? commit(text, { ...more, then }) : null;
  }
  if (answer.kind === "RecordClosed" && !more.override) {
    const why = await ask({ title: "The record is closed", lines: [answer.error], reason: true, yes: "Correct it all the same" });
    return why ? commit(text, { ...more, override: true, reason: why.reason }) : null;
  }
  return answer;
}

// A line that did not count goes back where it came from, or onto a list if the next one is being typed.
// Whatever would change something that nobody has read yet waits there too.
function fail(text, problem, found = null) {
  if (!field.value && lines.length === 1) {
    field.value = text;
    echo = found; // whatever it was, the next Enter looks anew
    tell(found || { error: problem });
    field.select(); // Enter takes it as it is, any other key begins a new line
    return;
  }
  const item = document.createElement("li");
  item.className = "notice bad row apart";
  const line = document.createElement("span");
  line.textContent = `${text}: ${problem}`;
  const again = document.createElement("button");
  again.type = "button";
  again.className = "small";
  again.dataset.again = text;
  again.textContent = "look at it again";
  item.append(line, again);
  failed.append(item);
}
