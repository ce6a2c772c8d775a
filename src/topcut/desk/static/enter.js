// Comes in with the key behind the #, which no server has seen so far.

import { send } from "./forms.js";

export async function start() {
  const key = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  const says = document.getElementById("says");
  if (!key) { says.textContent = "This link is not whole: the part behind the # is missing."; return; }
  const answer = await send("/enter", { key });
  if (answer.go) location.replace(answer.go);
  else says.textContent = answer.error;
}
