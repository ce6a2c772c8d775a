// A new staff link is shown once, to be handed over.

import { send } from "./forms.js";
import { refresh } from "./live.js";

export function start() {
  const form = document.querySelector("[data-links]");
  form.addEventListener("submit", async event => {
    event.preventDefault();
    const made = document.getElementById("made-link");
    const answer = await send(form.dataset.links, { name: form.elements.name.value, days: Number(form.elements.days.value) });
    made.textContent = answer.error || `Hand this over now; it is not shown again: ${answer.link}`;
    made.classList.toggle("bad", Boolean(answer.error));
    made.hidden = false;
    if (!answer.error) { form.reset(); await refresh(); }
  });
}
