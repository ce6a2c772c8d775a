// A pasted list, or a file: looked at first, entered second.

import { choose, tell } from "./dialogs.js";
import { send, toast } from "./forms.js";
import { refresh } from "./live.js";

const SHOWN = 20; // of a long list

export function start() {
  const form = document.querySelector("[data-paste]");
  if (!form) return;
  const text = form.querySelector("textarea"), file = form.querySelector("input[type=file]");
  const found = document.getElementById("pasted"), button = form.querySelector("button");
  let looked = null;
  const again = () => { looked = null; found.replaceChildren(); button.textContent = "Look at the list"; };
  text.addEventListener("input", again);
  file.addEventListener("change", async () => { if (file.files[0]) { text.value = await file.files[0].text(); again(); form.requestSubmit(); } });
  form.addEventListener("submit", async event => {
    event.preventDefault();
    if (looked !== text.value) {
      const answer = await send(form.dataset.paste, { text: text.value });
      show(found, answer);
      if (answer.players?.length) { looked = text.value; button.textContent = `Enter ${answer.players.length} players`; }
      return;
    }
    await enter(form, text, found, {});
    again();
  });
}

async function enter(form, text, found, more) {
  const answer = await send(form.dataset.paste, { text: text.value, sure: true, ...more });
  if (answer.answers) {
    const then = await choose(answer);
    if (then) await enter(form, text, found, { then });
    return;
  }
  if (answer.error) { show(found, answer); return; }
  text.value = "";
  toast("They are in.");
  await refresh();
  const notes = [...answer.says, ...answer.warnings];
  if (notes.length) await tell("Please note", notes);
}

function show(found, answer) {
  const lines = [];
  const line = (words, kind) => { const p = document.createElement("p"); p.className = kind; p.textContent = words; lines.push(p); };
  if (answer.error) line(answer.error, "problem");
  for (const problem of answer.problems || []) line(problem, "notice warn");
  if (answer.players) {
    const list = document.createElement("ol");
    for (const player of answer.players.slice(0, SHOWN)) {
      const item = document.createElement("li");
      item.textContent = [player.name, player.member, player.born, player.division].filter(Boolean).join(" · ");
      list.append(item);
    }
    lines.push(list);
    if (answer.players.length > SHOWN) line(`and ${answer.players.length - SHOWN} more`, "soft");
    if (!answer.players.length) line("Nobody is on this list yet.", "soft");
  }
  found.replaceChildren(...lines);
}
