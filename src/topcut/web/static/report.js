// Asks a player to confirm the table's result, then sends it.

import { ask } from "./dialogs.js";
import { send, toast } from "./forms.js";
import { refresh } from "./live.js";

function start() {
  document.addEventListener("click", async event => {
    const button = event.target.closest("[data-result]");
    if (!button) return;
    const result = JSON.parse(button.dataset.result);
    if (await sure(button.textContent.trim())) say(result, button);
  });
  document.addEventListener("submit", async event => {
    const form = event.target.closest("[data-scores]");
    if (!form) return;
    event.preventDefault();
    const players = JSON.parse(box().dataset.players);
    const winner = form.elements.winner.value;
    const scores = players.map(id => form.elements[`score-${id}`]).filter(Boolean).map(field => Number(field.value));
    const result = scores.length ? { scores, winners: winner ? [winner] : [] } : { winner: winner || "draw" };
    const won = winner ? form.querySelector(`input[value="${CSS.escape(winner)}"]`).closest("fieldset").querySelector("legend").textContent.trim() : "";
    if (await sure(`${won ? `${won} won` : "Nobody won"}${scores.length ? `: ${scores.join(", ")}` : ""}`)) say(result, form.querySelector("button"));
  });
}

const box = () => document.querySelector("[data-report]");
const sure = what => ask({ title: `${what}?`, lines: ["Everybody at the table must say the same; then it counts."], yes: "Yes, report it" });

async function say(result, button) {
  const { report, round, table, players, player } = box().dataset;
  button.setAttribute("aria-busy", "true");
  const who = player ? { player } : {}; // a slip belongs to all players of the table
  const answer = await send(report, { ...who, result, round: Number(round), table: Number(table), players: JSON.parse(players) });
  button.removeAttribute("aria-busy");
  if (answer.error) toast(answer.error, true);
  else toast(answer.says[0] || "Thank you.");
  await refresh();
}

start();
