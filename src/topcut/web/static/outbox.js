// Sends the lines that were entered, in order. Each stays on the page until it counted or was dismissed, also without a
// connection, and each counts once: the server does a line once under its key, so that it can be sent again when its
// answer was lost.

import { appendText } from "./rules.js";
import { choices, updating } from "./dialogs.js";
import { send } from "./forms.js";
import { refresh } from "./live.js";
import { away, button, note } from "./notes.js";
import { say } from "./words.js";

const address = `${document.body.dataset.desk}/entry`;
const SLOW = 600; // milliseconds after which a line that is being sent shows up in the list
const ENTER = say("Save"); // a button
const TRIES = 3; // of a line that the server answers with an error of its own (500)

// "waiting": for its turn or the connection; "asked": for the scorekeeper; "held": it did not count.
const lines = [];
let list, page; // the element that shows the lines, and the entry line
let working = false, slow = false;
let sending = null; // the line that is being sent
let trouble = ""; // why nothing can be sent at the moment
let pause = 0, timer = null;

export function startOutbox(where, entryLine) {
  list = where;
  page = entryLine;
  document.addEventListener("connected", () => { if (trouble) work(); });
  addEventListener("online", () => { if (trouble) work(); });
  addEventListener("beforeunload", event => { if (lines.length) { event.preventDefault(); event.returnValue = true; } });
}

// Tells whether there is no answer about the line itself, so that its meaning, or whether it counted, is unknown.
export const unanswered = answer => answer.status === 0 || answer.status === 429 || answer.status >= 500;

// Adds the round to a line on the page of an older round.
const whole = text => {
  const round = page.round;
  return round && /^\s*\d/.test(text) ? `r${round} ${text}` : text;
};
export const meaning = async text => ({ text, ...(await send(address, { text: whole(text) }, "POST", { seconds: 10 })) });

const shownRound = () => Number(document.querySelector("[data-up]")?.dataset.up || 0);
const atTable = text => /^\s*(r\d+\s+)?\d/i.test(text);
const asking = () => lines.some(line => line.state === "asked");

// Makes a key from random numbers, which work on plain HTTP too: the hall's network may have nothing else.
const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, "0")).join("");

const made = (text, found = null) => ({ text, found, key: newKey(), round: shownRound(), waited: trouble !== "", fails: 0 });

// Adds a line. `found`: its meaning, if that was read; `instead`: the line of the list that it replaces.
export function add(text, found = null, instead = null) {
  const at = lines.indexOf(instead);
  const same = at >= 0 && instead.text === text && instead.body;
  const line = same ? instead : made(text, found);
  if (at < 0) lines.push(line);
  else lines.splice(at, 1, line);
  line.state = "waiting";
  if (found && !found.whole) { refuse(line, found); return; }
  draw();
  work();
}

// Keeps the text of the entry line when another line is put there.
export function park(text) {
  const line = made(text);
  lines.push(line);
  hold(line, say("Not saved yet."), ENTER);
}

// Returns the line of the list with a text.
export const known = text => lines.findLast(line => line.text === text && line !== sending) || null;

// Holds a line back while it is edited.
export function setAside(line) {
  if (line?.state === "waiting") hold(line, say("Not sent."), ENTER);
}

// Returns the next line to send. Only results go on while a question is open: a step must not come before the lines entered ahead of it.
function next() {
  const line = lines.find(one => one.state === "waiting");
  return line && asking() && !line.answered && (line.behind || !atTable(line.text)) ? undefined : line;
}

async function work() {
  if (working) return;
  working = true;
  clearTimeout(timer);
  let counted = false, problem = "";
  const late = setTimeout(() => { slow = true; draw(); }, SLOW);
  try {
    while ((sending = next())) {
      problem = await deliver(sending);
      if (!problem) { trouble = ""; pause = 0; counted = true; continue; }
      for (const line of lines) if (line.state === "waiting") line.waited = true;
      pause = Math.min(pause * 2 || 500, 5_000);
      timer = setTimeout(work, pause);
      break;
    }
  } finally {
    sending = null;
    working = slow = false;
    clearTimeout(late);
  }
  trouble = problem;
  draw();
  if (trouble && lines.length) page.tell({ kind: "look", says: say("{problem} Lines that are not sent yet are kept below.", { problem: trouble }) });
  if (counted && !trouble) await refresh();
}

const stuck = (line, answer) => unanswered(answer) && (answer.status !== 500 || ++line.fails < TRIES);

// Reads the meaning of a line, if that was not done yet, and saves it. Returns the problem if the server gives no answer.
async function deliver(line) {
  if (!line.body) {
    const found = line.found || await meaning(line.text);
    if (stuck(line, found)) return sentence(found.error);
    if (/^\s*(\?|help)\s*$/i.test(line.text) && !found.error) { drop(line); page.tell(found); return ""; }
    if (found.error || !found.whole) { refuse(line, found); return ""; }
    const why = line.found ? "" : unread(line, found);
    if (why) { read(line, found, why); return ""; }
    line.found = found;
    line.body = { text: whole(line.text), sure: true, saw: found.saw };
  }
  if (!slow) page.tell(line.found);
  const answer = await send(address, line.body, "POST", { key: line.key, seconds: 30 });
  line.unsure = unanswered(answer);
  if (stuck(line, answer)) return sentence(answer.error);
  await settle(line, answer);
  return "";
}

async function settle(line, answer) {
  if (answer.answers) {
    if (asking()) { Object.assign(line, { behind: true, answered: false }); return; }
    return choose(line, answer);
  }
  if (answer.kind === "RecordClosed" && !line.body.override) return override(line, answer.error);
  if (answer.kind === "Changed" || answer.kind === "AlreadyReported") { Object.assign(line, { found: null, body: null, key: newKey(), changed: true }); return; }
  if (answer.error) return refuse(line, answer);
  drop(line);
  const busy = page.busy() || lines.some(one => one.state === "waiting");
  page.tell({ kind: "done", says: ["✓ " + (busy || !answer.says.length ? answer.done : sentence(answer.done)), ...(busy ? [] : answer.says)].join(" ") });
  if (busy && answer.says.length) note(line.text, answer.says, "");
  if (answer.warnings.length) note(say("{line}: please note", { line: line.text }), answer.warnings);
}

// Returns why a line must be read before it counts; empty if it need not.
function unread(line, found) {
  if (line.changed && found.kind !== "confirm") return say("This changed after you typed it.");
  if (line.waited && atTable(line.text) && !/^\s*r/i.test(whole(line.text)) && found.round !== line.round)
    return say("This is round {now} now. You typed the line in round {typed}.", { now: found.round, typed: line.round });
  return found.old || found.kind === "undo" ? say("Check this before it is saved.") : "";
}

function read(line, found, why) {
  const says = [why, sentence(found.says), found.old && sentence(say("so far: {result}", { result: found.old }))];
  question(line, says.filter(Boolean).join(" "), [button(ENTER, () => answered(line, { found, body: null }), `${ENTER}: ${line.text}`)]);
}

function choose(line, asked) {
  question(line, `${sentence(line.found.says)} ${updating(asked)}`, [], choices(asked, then => answered(line, { body: { ...line.body, then } })));
}

// Asks for the reason to correct a record that the rules have closed; everybody can read it.
function override(line, problem) {
  const form = document.createElement("form");
  form.className = "fields side";
  const label = document.createElement("label");
  label.textContent = say("Reason (shown in the log)");
  const field = document.createElement("input");
  field.required = true;
  field.maxLength = 300;
  label.append(field);
  const good = document.createElement("button");
  good.textContent = say("Correct anyway");
  form.append(label, good);
  form.addEventListener("submit", event => {
    event.preventDefault();
    if (field.value.trim()) answered(line, { body: { ...line.body, override: true, reason: field.value.trim() } });
  });
  question(line, sentence(problem), [], form);
}

function question(line, why, buttons, more = null) {
  Object.assign(line, { state: "asked", why, buttons, more, answered: false });
  draw();
  page.tell({ kind: "change", says: say("{line}: answer the question below.", { line: line.text }) });
}

function answered(line, what) {
  Object.assign(line, what, { state: "waiting", answered: true });
  freed();
}

function freed() {
  for (const one of lines) one.behind = false;
  draw();
  page.focus();
  work();
}

function refuse(line, answer) {
  const why = answer.error || answer.says;
  hold(line, why, line.unsure ? say("Try again") : "");
  page.tell({ error: say("{line} was not saved: {problem}", { line: line.text, problem: why }) });
}

// Keeps a line on the list, with the reason. `again`: the label of the button that sends the line as it is, if that makes sense.
function hold(line, why, again = "") {
  if (!line.unsure) line.body = null;
  const buttons = again ? [button(again, () => answered(line, { fails: 0 }), `${again}: ${line.text}`)] : [];
  Object.assign(line, { state: "held", why, buttons, more: null });
  draw();
}

function drop(line) {
  const at = lines.indexOf(line);
  if (at >= 0) lines.splice(at, 1);
  draw();
}

// The list

const WORDS = { waiting: say("waiting"), asked: say("question"), held: say("not saved") };
const KINDS = { waiting: "", asked: " warn", held: " bad" };
// Tells whether a line is shown: not if it counts at once; a line on the list stays there until it counted.
const inSight = line => line.row || line.state !== "waiting" || trouble || slow || asking();

function draw() {
  const shown = [...lines.filter(line => line.state === "asked"), ...lines.filter(line => line.state !== "asked")].filter(inSight);
  for (const row of [...list.children]) if (!shown.some(line => line.row === row)) away(row);
  shown.forEach((line, at) => {
    const row = rowOf(line);
    if (list.children[at] !== row) list.insertBefore(row, list.children[at] || null);
  });
  const entry = list.closest("[data-keep]");
  if (lines.length) entry.dataset.unsaved = "";
  else delete entry.dataset.unsaved;
}

const sentence = text => text && `${text[0].toUpperCase()}${text.slice(1)}${/[.!?…。؟]$/.test(text) ? "" : "."}`;

function waitsFor(line) {
  if (line === sending) return line.unsure ? say("Checking whether it was saved.") : say("Sending…");
  if (trouble && line.unsure) return say("{problem} The line was sent, but there was no answer. Topcut sends it again as soon as possible and saves it once.", { problem: trouble });
  if (line !== lines.find(one => one.state === "waiting")) return "";
  if (trouble) return say("{problem} Topcut sends it as soon as possible.", { problem: trouble });
  return asking() ? say("Topcut sends it when you have answered or dismissed the question above.") : "";
}

function rowOf(line) {
  const why = line.state === "waiting" ? waitsFor(line) : line.why;
  if (!line.row) {
    line.row = document.createElement("li");
    line.row.addEventListener("keydown", event => line.state === "asked" && line.more?.takeKey?.(event));
  }
  const looks = `${line.state} ${why}`;
  if (line.row.dataset.looks === looks) return line.row;
  line.row.dataset.looks = looks;
  line.row.className = `notice${KINDS[line.state]}`;
  const says = document.createElement("span"), badge = document.createElement("span"), text = document.createElement("bdi"), because = document.createElement("span");
  says.className = "says";
  badge.className = `badge${KINDS[line.state]}`;
  badge.textContent = WORDS[line.state];
  text.className = "typed";
  text.textContent = line.text;
  appendText(because, why);
  says.append(badge, " ", text, " ", because);
  const row = document.createElement("span");
  row.className = "row";
  row.append(...(line.state === "waiting" ? [] : line.buttons));
  if (line.state !== "waiting" || line !== sending) row.append(
    button(say("Edit"), () => page.edit(line.text), say("Edit {line}", { line: line.text })),
    button(say("Dismiss"), () => { drop(line); freed(); }, say("Dismiss {line}", { line: line.text })));
  line.row.replaceChildren(says, row);
  if (line.state === "asked" && line.more) line.row.append(line.more);
  return line.row;
}
