// What every page starts.

import { startClocks } from "./clock.js";
import { refresh, startLive } from "./live.js";
import { startForms } from "./forms.js";

startClocks();
startForms();
startLive();

const parts = { entry: "./entry.js", add: "./add.js", screen: "./screen.js", find: "./find.js", enter: "./enter.js", paste: "./paste.js", plan: "./plan.js", links: "./links.js", report: "./report.js", bracket: "./bracket.js", me: "./me.js" };
for (const name of (document.body.dataset.parts || "").split(" ").filter(Boolean))
  import(parts[name]).then(part => part.start());

if (location.hash === "#print") { history.replaceState(null, "", location.pathname + location.search); print(); }
if (document.body.dataset.poll) setInterval(() => { if (document.visibilityState === "visible") refresh(); }, Number(document.body.dataset.poll));

if (document.body.dataset.hall !== undefined && "serviceWorker" in navigator)
  navigator.serviceWorker.register("/sw.js").catch(() => {});
