// Sends a form or a button with data-do as one command of the event, and shows the answer.
// Values of a button are in data-with-NAME; data-as-NAME, or data-as at a field, is the type of a value.

import { ask, choose } from "./dialogs.js";
import { refresh } from "./live.js";
import { button, note } from "./notes.js";
import { say } from "./words.js";

const body = document.body;

// Sends JSON and returns the answer, or `error` with the `status` of the answer, 0 if there was none.
// `key`: a request that is sent again under the same key is done once; `seconds` to wait for an answer.
export async function send(address, what, method = "POST", { key, seconds } = {}) {
  const csrf = document.querySelector('meta[name="csrf"]')?.content || "";
  let answer;
  try {
    answer = await fetch(address, {
      method,
      headers: { "content-type": "application/json", "x-csrf": csrf, ...(key && { "idempotency-key": key }) },
      signal: seconds ? AbortSignal.timeout(seconds * 1_000) : undefined,
      body: method === "DELETE" ? undefined : JSON.stringify(what),
    });
  } catch {
    return { error: key || seconds ? say("No connection.") : say("No connection. Check whether it was saved before you try again."), status: 0 };
  }
  if (answer.status === 204) return {};
  try {
    const told = await answer.json();
    return answer.ok ? told : { ...told, error: told.error || told.detail || told.title, status: answer.status };
  } catch {
    return { error: say("The server reported an error ({status}).", { status: answer.status }), status: answer.status };
  }
}

// Sends commands; where a published round is affected, asks how to update it and sends them again.
export async function act(commands, form = null, address = body.dataset.do) {
  const answer = await send(address, { commands });
  if (!answer.answers) return finish(entering(commands, answer), form);
  const then = await choose(answer);
  if (!then) return { error: "" };
  return act(commands.map(command => (command.do in TOUCHING ? { ...command, then } : command)), form, address);
}

// Turns the notes on a late player into warnings, which stay until they are read.
function entering(commands, answer) {
  if (answer.error || !commands.some(command => command.do === "register")) return answer;
  return { ...answer, says: [], warnings: [...answer.says, ...answer.warnings] };
}

// Commands that can affect a published round.
const TOUCHING = { register: 1, remove: 1, drop: 1, disqualify: 1, restore: 1, correct: 1 };

// Shows what was done, with a button to undo it, and resets the form: its values are not half-typed any more.
export async function finish(answer, form = null, done = "") {
  if (answer.error) return answer;
  form?.reset();
  form?.querySelector("[data-first]")?.focus();
  if (answer.go) { location.href = answer.go; return answer; }
  toast(answer.says?.length ? answer.says.join(" ") : answer.done || done, false, answer.undo);
  await refresh();
  if (answer.warnings?.length) note(say("Please note"), answer.warnings);
  return answer;
}

let fading = null;
// Shows a sentence for a few seconds; `undo`: the step that a button undoes.
export function toast(text, bad = false, undo = null) {
  const box = document.getElementById("toast");
  box.textContent = text;
  if (undo) box.append(" ", button(say("Undo"), () => report(act([{ do: "undo", step: undo }]))));
  box.classList.toggle("bad", bad);
  box.hidden = !text;
  clearTimeout(fading);
  fading = setTimeout(() => { box.hidden = true; }, bad || undo ? 12_000 : 6_000);
}

// Returns the command of a form or button, without empty fields.
function command(element, fields) {
  const found = { do: element.dataset.do };
  for (const [name, value] of Object.entries(element.dataset)) {
    if (!name.startsWith("with")) continue;
    const key = name[4].toLowerCase() + name.slice(5);
    found[key] = typed(value, element.dataset[`as${name.slice(4)}`]);
  }
  for (const field of fields) {
    if (!field.name || field.disabled || field.type === "submit") continue;
    if (field.type === "checkbox") { if (field.checked) found[field.name] = true; continue; }
    if (field.type === "radio" && !field.checked) continue;
    if (field.value.trim() === "" && field.dataset.empty === undefined) continue;
    found[field.name] = typed(field.value, field.dataset.as || (field.type === "number" ? "number" : ""));
  }
  return found;
}

function typed(value, as) {
  if (as === "number") return value.trim() === "" ? null : Number(value);
  if (as === "numbers") return value.split(/[\s,;]+/).filter(Boolean).map(Number);
  if (as === "list") return value.split("\n").map(line => line.trim()).filter(Boolean);
  if (as === "json") return JSON.parse(value);
  return value;
}

// Shows what is wrong in a form, beside the field that it is about; an answer without an error takes it away.
export function problem(form, answer) {
  const named = answer.error && answer.field && form.elements[answer.field];
  const own = named instanceof Element ? named : null;
  const label = own?.labels[0]?.firstChild.textContent.trim();
  const text = (label ? `${label}: ${answer.problem}` : answer.error) || "";
  let box = form.querySelector(".problem");
  if (!box) {
    box = document.createElement("p");
    box.className = "problem";
    box.id = `problem-${Math.random().toString(36).slice(2)}`;
    box.setAttribute("role", "alert");
    const button = form.querySelector("button:not([type=button])");
    if (button) button.before(box);
    else form.append(box);
  }
  box.textContent = text;
  box.hidden = !text;
  const field = own || form.querySelector("input:not([type=hidden]), select, textarea");
  if (!field) return;
  if (text) { field.setAttribute("aria-invalid", "true"); field.setAttribute("aria-describedby", box.id); field.focus(); }
  else { field.removeAttribute("aria-invalid"); field.removeAttribute("aria-describedby"); }
}

const busy = new WeakSet(); // forms and buttons whose answer is missing, so that none is sent twice

async function submit(element, fields) {
  if (busy.has(element)) return;
  busy.add(element);
  try {
    await submitted(element, fields);
  } finally {
    busy.delete(element);
  }
}

async function submitted(element, fields) {
  const { confirm, to, yes, done } = element.dataset;
  const form = element.matches("form");
  if (confirm && !(await ask({ title: confirm, yes: yes || say("Yes"), danger: element.matches(".danger") || element.querySelector(".danger") !== null }))) return;
  const buttons = form ? element.querySelectorAll("button:not([type=button])") : [element];
  for (const button of buttons) button.setAttribute("aria-busy", "true");
  const what = command(element, fields), own = form ? element : null;
  const answer = to ? await finish(await send(to, what, element.dataset.method), own, done) : await act([what], own);
  for (const button of buttons) button.removeAttribute("aria-busy");
  if (form) problem(element, answer);
  else if (answer.error) toast(answer.error, true);
  if (document.activeElement === body) document.getElementById("main").focus();
  if (!answer.error) document.dispatchEvent(new CustomEvent("sent"));
}

export function startForms() {
  document.addEventListener("submit", event => {
    const form = event.target.closest("form[data-do], form[data-to]");
    if (!form) return;
    event.preventDefault();
    submit(form, [...form.elements]);
  });
  document.addEventListener("click", event => {
    const button = event.target.closest("button[data-do]");
    if (button) { event.preventDefault(); submit(button, []); }
    const all = event.target.closest("[data-do-all]");
    if (all) report(act(JSON.parse(all.dataset.doAll).map(question => ({ do: "answer", question }))));
    if (event.target.closest("[data-prints]")) print();
    const undo = event.target.closest("[data-undo], [data-redo]");
    if (undo) revert(undo);
  });
}

async function report(sent) {
  const answer = await sent;
  if (answer.error) toast(answer.error, true);
}

// Shows what an undo or a redo would change before it is done.
async function revert(pressed) {
  const redo = pressed.dataset.redo !== undefined;
  const step = Number(pressed.dataset.undo || pressed.dataset.redo) || null;
  const seen = await send(`${body.dataset.desk}/undo`, { step, redo });
  if (seen.error) { toast(seen.error, true); return; }
  const title = redo ? say("Redo: {step}", { step: seen.says }) : say("Undo: {step}", { step: seen.says });
  const lines = seen.changes.length ? seen.changes : [say("Nothing else changes.")];
  if (!(await ask({ title, lines, yes: redo ? say("Redo") : say("Undo") }))) return;
  const answer = await act([{ do: redo ? "redo" : "undo", step: seen.steps[0] }]);
  if (answer.error) toast(answer.error, true);
}
