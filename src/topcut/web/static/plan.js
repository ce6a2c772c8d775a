// Updates the plan of a new event as options are chosen, and imports files.

import { show } from "./live.js";
import { send, toast } from "./forms.js";
import { count, say } from "./words.js";

const touched = one => one.options
  ? [...one.options].some(option => option.selected !== option.defaultSelected)
  : "defaultValue" in one && one.value !== one.defaultValue;

function start() {
  const form = document.querySelector("[data-plan]");
  let waiting = null;
  let newest = 0;
  const look = async () => {
    const number = ++newest;
    const values = new URLSearchParams();
    for (const name of ["name", "rules", "format", "table", "players"]) if (form.elements[name]?.value) values.set(name, form.elements[name].value);
    const divisions = [...form.querySelectorAll("[data-division]")].map(field => field.value.trim() || "0");
    if (divisions.some(number => number !== "0")) values.set("divisions", divisions.join(","));
    try {
      const answer = await fetch(`/new?${values}`);
      const page = await answer.text();
      if (answer.ok && number === newest) show(page); // an older answer may come later
    } catch { /* no connection: the plan that is shown stays */ }
  };
  form.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(look, 150); });
  if ([...form.elements].some(touched)) look(); // chosen before this script was loaded
  bringing(document.querySelector("[data-bring]"));
}

// Describes a file as soon as it is chosen, and imports it once a person has read that.
function bringing(form) {
  const [file, found, list] = [form.elements.file, form.querySelector("[data-found]"), form.querySelector("[data-list]")];
  const button = form.querySelector("button");
  const ask = async sure => {
    const { name, rules } = form.elements;
    const given = { name: name.value, rules: rules.value };
    return send(form.dataset.bring, { data: await base64(file.files[0]), sure, ...given });
  };
  const look = async () => {
    button.disabled = true;
    if (!file.files.length) return;
    const answer = await ask(false);
    list.hidden = list.hidden && answer.needs !== "rules"; // once it is asked for, it stays
    found.hidden = false;
    found.classList.toggle("warn", Boolean(answer.error) && !answer.needs);
    found.replaceChildren(...(answer.error ? [line("p", answer.error)] : seen(answer)));
    button.disabled = Boolean(answer.error);
  };
  file.addEventListener("click", () => { file.value = ""; }); // so that a corrected file can be chosen again
  for (const field of [file, form.elements.rules]) field.addEventListener("change", look);
  if (file.files.length) look(); // chosen before this script was loaded
  form.addEventListener("submit", async event => {
    event.preventDefault();
    button.disabled = true;
    const answer = await ask(true);
    if (answer.error) { toast(answer.error, true); button.disabled = false; }
    else location.href = answer.go;
  });
}

const line = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });

function seen(answer) {
  const extent = [
    count("{n} player", "{n} players", answer.players), count("{n} round", "{n} rounds", answer.rounds), answer.kind,
  ].join(" · ");
  const notes = document.createElement("ul");
  notes.append(...answer.notes.map(note => line("li", note)));
  return [line("strong", answer.event), line("p", extent), ...(answer.notes.length ? [notes] : [])];
}

// Reads the bytes as they are: the server detects the encoding.
async function base64(file) {
  const reader = new FileReader();
  await new Promise((done, failed) => { reader.onload = done; reader.onerror = failed; reader.readAsDataURL(file); });
  return reader.result.slice(reader.result.indexOf(",") + 1);
}

start();
