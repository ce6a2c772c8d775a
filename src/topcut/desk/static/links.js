// A new staff link or token is shown once, to be handed over. The rights of a role can be changed one by one.

import { send } from "./forms.js";
import { refresh } from "./live.js";

export function start() {
  const form = document.querySelector("[data-links]");
  if (!form) return;
  const boxes = [...form.querySelectorAll("[name=right]")];
  const usual = () => form.elements.role.selectedOptions[0].dataset.rights.split(" ");
  const tick = () => { for (const box of boxes) box.checked = usual().includes(box.value); };
  form.elements.role.addEventListener("change", tick);
  tick();
  form.addEventListener("submit", async event => {
    event.preventDefault();
    const made = document.getElementById("made-link");
    const what = { name: form.elements.name.value, role: form.elements.role.value, days: Number(form.elements.days.value), token: event.submitter?.name === "token" };
    if (boxes.some(box => box.checked !== usual().includes(box.value))) what.rights = boxes.filter(box => box.checked).map(box => box.value);
    const answer = await send(form.dataset.links, what);
    made.textContent = answer.error || `Hand this over now; it is not shown again: ${answer.link}`;
    made.classList.toggle("bad", Boolean(answer.error));
    made.hidden = false;
    if (!answer.error) { form.reset(); tick(); await refresh(); }
  });
}
