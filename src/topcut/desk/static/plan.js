// The plan follows what is chosen.

import { show } from "./live.js";
import { send, toast } from "./forms.js";

const touched = one => one.options
  ? [...one.options].some(option => option.selected !== option.defaultSelected)
  : "defaultValue" in one && one.value !== one.defaultValue;

export function start() {
  const form = document.querySelector("[data-plan]");
  let waiting = null;
  const look = async () => {
    const values = new URLSearchParams();
    for (const name of ["name", "rules", "format", "table", "players"]) if (form.elements[name]?.value) values.set(name, form.elements[name].value);
    const answer = await fetch(`/new?${values}`);
    if (answer.ok) show(await answer.text());
  };
  form.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(look, 150); });
  if ([...form.elements].some(touched)) look(); // chosen before this was here
  const log = document.querySelector("[data-log]");
  log.addEventListener("submit", async event => {
    event.preventDefault();
    const answer = await send(log.dataset.log, { text: await log.querySelector("input").files[0].text() });
    if (answer.error) toast(answer.error, true);
    else location.href = answer.go;
  });
}
