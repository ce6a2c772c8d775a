// Signs in with the key behind the #, which no server has seen so far. If that fails, the page says how to get in.

import { localTimes } from "./clock.js";
import { send } from "./forms.js";
import { say } from "./words.js";

async function start() {
  const key = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  const answer = key ? await send("/enter", { key }) : { error: say("The part of the link after the # is missing. Open the complete link.") };
  if (answer.go) { location.replace(answer.go); return; }
  const state = part("state");
  state.textContent = answer.used ? state.dataset.used : state.dataset.failed;
  part("says").textContent = answer.error;
  if (answer.name) {
    part("signed-in bdi").textContent = answer.name;
    part("signed-in a").href = answer.home;
    part("signed-in").hidden = false;
  }
  if (answer.used) {
    part("not-you time").dateTime = answer.used;
    part("not-you code").textContent = `topcut link revoke ${answer.id}`;
    localTimes();
  }
  part("not-you").hidden = !answer.used;
  part("for-staff").hidden = Boolean(answer.used); // only the organiser's link works once
  part("new-link").hidden = false;
}

const part = which => document.querySelector(`#${which}`);

start();
