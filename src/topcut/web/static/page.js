// Starts the scripts of every page.

import { startClocks } from "./clock.js";
import { refresh, startLive } from "./live.js";
import { startForms } from "./forms.js";
import { startRules } from "./rules.js";

startClocks();
startForms();
startRules();
startLive();

if (location.hash === "#print") { history.replaceState(null, "", location.pathname + location.search); print(); }
if (document.body.dataset.poll) setInterval(() => { if (document.visibilityState === "visible") refresh(); }, Number(document.body.dataset.poll));

if (document.body.dataset.hall !== undefined && "serviceWorker" in navigator)
  navigator.serviceWorker.register("/sw.js").catch(() => {});
