// Searches while a person types; the form works without it.

import { refresh } from "./live.js";

let waiting = null;

function start() {
  const form = document.querySelector("[data-find]");
  if (!form) return;
  const field = form.querySelector("input[type=search]");
  const go = () => {
    const address = new URL(location.href);
    if (field.value.trim()) address.searchParams.set(field.name, field.value.trim());
    else address.searchParams.delete(field.name);
    if (address.href === location.href) return;
    history.replaceState(null, "", address);
    refresh();
  };
  field.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(go, 120); });
  form.addEventListener("submit", event => { event.preventDefault(); clearTimeout(waiting); go(); });
  go(); // typed before this script was loaded
}

start();
