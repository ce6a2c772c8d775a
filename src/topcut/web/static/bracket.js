// Shows the possible results of a player's table after a click on the player in the bracket.

import { ask } from "./dialogs.js";
import { say } from "./words.js";

function start() {
  mark();
  document.addEventListener("shown", mark);
  document.addEventListener("click", async event => {
    const slot = event.target.closest(".clicks .slot.open");
    if (!slot) return;
    const won = row(slot);
    const name = won.querySelector(".name").textContent;
    const buttons = [...won.querySelectorAll("button")];
    const picked = buttons.length === 1 ? 0 : await pick(name, buttons.map(button => button.textContent));
    if (picked === null) return;
    if (buttons.length === 1 && !(await ask({ title: say("Did {name} win?", { name }), yes: say("Report result") }))) return;
    buttons[picked].click();
  });
}

const row = slot => document.querySelector(`[data-open-join="${slot.dataset.join}"] [data-winner="${CSS.escape(slot.dataset.player)}"]`);

// Makes the players of open tables clickable.
function mark() {
  for (const slot of document.querySelectorAll(".clicks .slot[data-join][data-player]")) slot.classList.toggle("open", row(slot) !== null);
}

async function pick(name, words) {
  const dialog = document.createElement("dialog");
  const form = document.createElement("form");
  form.method = "dialog";
  const title = document.createElement("h2");
  title.textContent = name;
  form.append(title);
  words.forEach((word, at) => {
    const button = document.createElement("button");
    button.value = String(at);
    button.textContent = word;
    form.append(button);
  });
  const cancel = document.createElement("button");
  cancel.value = "";
  cancel.textContent = say("Cancel");
  form.append(cancel);
  dialog.append(form);
  document.body.append(dialog);
  return new Promise(resolve => {
    dialog.addEventListener("close", () => { dialog.remove(); resolve(dialog.returnValue === "" ? null : Number(dialog.returnValue)); });
    dialog.showModal();
  });
}

start();
