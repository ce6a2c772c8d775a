// Shows a new staff link, token or webhook secret once, to be handed over.

import { problem, send } from "./forms.js";
import { refresh } from "./live.js";
import { say } from "./words.js";

function start() {
  for (const form of document.querySelectorAll("[data-links]")) {
    const roles = form.elements.role ? rights(form) : null;
    form.addEventListener("submit", async event => {
      event.preventDefault();
      const answer = await send(form.dataset.links, { ...fields(form), ...roles?.(event.submitter) });
      problem(form, answer);
      if (answer.error) return;
      const made = document.getElementById(form.dataset.shows);
      made.textContent = say("Copy this now. It is shown only once: {link}", { link: answer.link || answer.secret });
      made.hidden = false;
      form.reset();
      form.elements.role?.dispatchEvent(new Event("change"));
      await refresh();
    });
  }
}

function fields(form) {
  const found = {};
  for (const field of form.querySelectorAll("input:not([type=checkbox]), select"))
    found[field.name] = field.type === "number" ? Number(field.value) : field.value;
  return found;
}

// Sets the rights of a role, which can be changed one by one, and returns the rights to send.
function rights(form) {
  const boxes = [...form.querySelectorAll("[name=right]")];
  const usual = () => form.elements.role.selectedOptions[0].dataset.rights.split(" ");
  const tick = () => { for (const box of boxes) box.checked = usual().includes(box.value); };
  form.elements.role.addEventListener("change", tick);
  tick();
  return submitter => ({
    token: submitter?.name === "token",
    ...(boxes.some(box => box.checked !== usual().includes(box.value)) && { rights: boxes.filter(box => box.checked).map(box => box.value) }),
  });
}

start();
