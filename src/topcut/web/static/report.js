// Asks a player to confirm the table's result, then sends it.

import { ask } from "./dialogs.js";
import { send, toast } from "./forms.js";
import { refresh } from "./live.js";
import { list, say } from "./words.js";

function start() {
  document.addEventListener("click", async event => {
    const button = event.target.closest("[data-result]");
    if (!button) return;
    const result = JSON.parse(button.dataset.result);
    if (await sure(button.textContent.trim())) report({ result }, button);
  });
  document.addEventListener("submit", async event => {
    const form = event.target.closest("[data-scores]");
    if (!form) return;
    event.preventDefault();
    if (form.dataset.scores === "scores") { await reportScores(form); return; }
    const winner = form.elements.winner.value;
    const name = winner ? form.querySelector(`input[value="${CSS.escape(winner)}"]`).closest("fieldset").querySelector("legend").textContent.trim() : "";
    const says = name ? say("{name} won", { name }) : say("Nobody won");
    if (await sure(says)) report({ result: { winner: winner || "draw" } }, form.querySelector("button"));
  });
  document.addEventListener("input", event => {
    if (event.target.closest("[data-scores]") && /^(score|out|nobody)/.test(event.target.name)) ties(event.target.form).replaceChildren();
  });
}

const ties = form => form.querySelector("[data-ties]");

// Returns the scores, and what decides who won, as a scorekeeper would type them.
function typed(form) {
  const field = name => form.elements[name];
  const words = JSON.parse(box().dataset.players).map(id => (field(`out-${id}`).checked ? "x" : field(`score-${id}`).value));
  if (field("nobody").checked) words.push("none");
  for (const step of ties(form).querySelectorAll("fieldset")) words.push("count", ...[...step.querySelectorAll("input")].map(one => one.value));
  if (field("give")?.value) words.push(field("give").value);
  return words.filter(Boolean).join(" ");
}

// Reads what the scores mean; asks for the counts that break a tie, step by step, then whether to report them.
async function reportScores(form) {
  const open = [...form.querySelectorAll("input[type=number]")].find(one => !one.value && !one.closest("fieldset").querySelector(":checked"));
  if (open) { open.focus(); toast(say("Enter a number for each player, or tick eliminated."), true); return; }
  const words = typed(form), step = ties(form).querySelectorAll("fieldset").length;
  const found = await post({ typed: words, look: true });
  if (words !== typed(form)) return; // changed meanwhile
  if (found.error) { toast(found.error, true); return; }
  if (found.tie && !found.tie.count) { askWinner(form, found.tie); return; }
  if (found.tie && found.tie.step > step) { askCount(form, found.tie); return; }
  if (found.give?.length && !form.elements.give) { askGive(form, found.give); return; }
  if (await sure(found.says[0])) report({ typed: words }, form.querySelector("button"));
}

function askCount(form, { step, count, players }) {
  const set = document.createElement("fieldset"), asks = document.createElement("p");
  asks.textContent = say("{players} are tied. Count this: {what}", { players: list(players), what: count });
  set.ariaLabel = asks.textContent;
  set.append(asks);
  players.forEach((name, at) => {
    const label = document.createElement("label"), field = document.createElement("input");
    Object.assign(field, { type: "number", inputMode: "numeric", min: 0, required: true, name: `count-${step}-${at}` });
    label.append(name, field);
    set.append(label);
  });
  ties(form).append(set);
  set.querySelector("input").focus();
}

// Asks for the winner where the rules count nothing more.
function choose(form, title, options) {
  if (form.elements.give) { form.elements.give.focus(); return; }
  const label = document.createElement("label"), choice = document.createElement("select");
  choice.name = "give";
  choice.append(...options.map(([value, text]) => new Option(text, value)));
  label.append(title, choice);
  ties(form).append(label);
  choice.focus();
}

function askWinner(form, { players, seats }) {
  const all = seats.map(seat => `w${seat}`);
  choose(form, say("{players} are tied.", { players: list(players) }), [[all.join(" "), say("Each of them wins")], ...players.map((name, at) => [all[at], say("{name} won", { name })])]);
}

function askGive(form, tied) {
  const only = tied.map(([seat, name]) => [`g${seat}`, say("Only {name} wins; the other players give them the win", { name })]);
  choose(form, say("Tied in all counts"), [["", say("Each of them wins")], ...only]);
}

const box = () => document.querySelector("[data-report]");

// Asks before a result is sent.
function sure(result) {
  const { players, claimed } = box().dataset;
  const pair = JSON.parse(players).length === 2;
  let next = pair ? say("Your opponent has to confirm this.") : say("The other players have to confirm this.");
  if (claimed !== undefined) next = say("The result counts when all reports match.");
  return ask({ title: say("Report “{result}”?", { result }), lines: [next], yes: say("Report result") });
}

// Sends what the player says about the table; with `look`, only its meaning comes back.
function post(what) {
  const { report: address, round, table, players, player } = box().dataset;
  const who = player ? { player } : {}; // a slip belongs to all players of the table
  return send(what.look ? `${address}?look=1` : address, { ...who, ...what, round: Number(round), table: Number(table), players: JSON.parse(players) });
}

async function report(what, button) {
  button.setAttribute("aria-busy", "true");
  const answer = await post(what);
  button.removeAttribute("aria-busy");
  if (answer.error) toast(answer.error, true);
  else toast(answer.says[0] || say("Report sent."));
  await refresh();
}

start();
