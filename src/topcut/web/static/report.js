// Asks a player to confirm the table's result, then sends it.

import { ask } from "./dialogs.js";
import { send, toast } from "./forms.js";
import { refresh } from "./live.js";
import { say } from "./words.js";

function start() {
  document.addEventListener("click", async event => {
    const button = event.target.closest("[data-result]");
    if (!button) return;
    const result = JSON.parse(button.dataset.result);
    if (await sure(button.textContent.trim())) report(result, button);
  });
  document.addEventListener("submit", async event => {
    const form = event.target.closest("[data-scores]");
    if (!form) return;
    event.preventDefault();
    const players = JSON.parse(box().dataset.players);
    const winner = form.elements.winner.value;
    const scores = players.map(id => form.elements[`score-${id}`]).filter(Boolean).map(field => Number(field.value));
    const result = scores.length ? { scores, winners: winner ? [winner] : [] } : { winner: winner || "draw" };
    const name = winner ? form.querySelector(`input[value="${CSS.escape(winner)}"]`).closest("fieldset").querySelector("legend").textContent.trim() : "";
    if (await sure(describe(name, scores.join(", ")))) report(result, form.querySelector("button"));
  });
}

const box = () => document.querySelector("[data-report]");

// Returns a result in words. `name`: who won, empty where no player did.
function describe(name, scores) {
  if (!scores) return name ? say("{name} won", { name }) : say("Nobody won");
  return name ? say("{name} won: {scores}", { name, scores }) : say("Nobody won: {scores}", { scores });
}

// Asks before a result is sent.
function sure(result) {
  const { players, claimed } = box().dataset;
  const pair = JSON.parse(players).length === 2;
  let next = pair ? say("Your opponent has to confirm this.") : say("The other players have to confirm this.");
  if (claimed !== undefined) next = say("The result counts when all reports match.");
  return ask({ title: say("Report “{result}”?", { result }), lines: [next], yes: say("Report result") });
}

async function report(result, button) {
  const { report: address, round, table, players, player } = box().dataset;
  button.setAttribute("aria-busy", "true");
  const who = player ? { player } : {}; // a slip belongs to all players of the table
  const answer = await send(address, { ...who, result, round: Number(round), table: Number(table), players: JSON.parse(players) });
  button.removeAttribute("aria-busy");
  if (answer.error) toast(answer.error, true);
  else toast(answer.says[0] || say("Report sent."));
  await refresh();
}

start();
