// Keeps a page up to date: follows the event, fetches the page again when something on it changes, and warns when it
// may be old.

import { morph } from "./morph.js";
import { clockTime, tick, serverTime } from "./clock.js";
import { say } from "./words.js";

const body = document.body;
const QUIET = 25_000; // milliseconds without a message after which the connection is dead

let known = { version: 0, marks: {} };
let heard = Date.now();
let source = null;
let busy = null;
let calls = 0, newest = 0;
let leaving = false;
let wait = 300; // milliseconds until a page that could not be fetched is asked for again

const follows = () => (body.dataset.follows || "").split(" ").filter(Boolean);
const shown = () => Number(body.dataset.version || 0);
const stale = () => follows().some(aspect => (aspect === "own" ? own() : known.marks[aspect] || 0) > shown());

// Returns when the table of this page (data-own) last changed, or may have.
const own = () => Math.max(known.ownFrom || 0, known.own?.[body.dataset.own] || 0);

export function startLive() {
  if (!body.dataset.stream) return;
  connect();
  setInterval(() => { if (Date.now() - heard > QUIET) { lost(); connect(); } }, 5_000);
  addEventListener("online", connect);
  addEventListener("pageshow", event => { if (event.persisted) { connect(); refresh(); } }); // the language may be another since
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && (!source || source.readyState === EventSource.CLOSED)) connect();
  });
}

function connect() {
  source?.close();
  heard = Date.now();
  source = new EventSource(body.dataset.stream);
  source.onmessage = event => { known = JSON.parse(event.data); fine(); soon(); };
  source.addEventListener("beat", event => { fine(); serverTime(JSON.parse(event.data)); });
  source.onerror = () => {
    lost();
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, 1_500);
  };
}

function fine() {
  heard = Date.now();
  document.dispatchEvent(new CustomEvent("connected"));
  const banner = document.getElementById("stale");
  if (banner && !banner.hidden && !stale()) { banner.hidden = true; delete banner.dataset.since; }
}

function lost() {
  const banner = document.getElementById("stale");
  if (!banner || !banner.hidden) return;
  banner.textContent = say("Offline since {time}. Reconnecting…", { time: clockTime(new Date(heard)) });
  banner.dataset.shown = "";
  banner.hidden = false;
}

// Fetches an old page again, in the hall after a random time, so that the phones do not ask in the same instant.
function soon() {
  if (!stale() || busy) return;
  const spread = body.dataset.hall !== undefined ? Math.random() * 600 : 0;
  busy = setTimeout(async () => {
    const good = await refresh().catch(() => false);
    busy = null;
    wait = good ? 300 : Math.min(wait * 2, 10_000);
    if (stale()) setTimeout(soon, wait);
  }, spread);
}

// Loads the page anew, once: a page with lines that have not counted asks before it goes.
function reload() {
  if (leaving) return;
  leaving = true;
  location.reload();
}

// Fetches the page, and tells whether that worked.
export async function refresh(address = location.href) {
  const mine = ++calls;
  let answer, html;
  try {
    answer = await fetch(address, { headers: { "x-live": "1", "topcut-version": String(Math.max(known.version, shown())) }, cache: "no-cache" });
    html = await answer.text(); // the connection can break in the middle of it
  } catch {
    lost();
    return false;
  }
  if (answer.status === 401 || answer.status === 404) {
    reload();
    return false;
  }
  if (!answer.ok) { lost(); return false; }
  if (mine < newest) return true; // a later request was answered first
  newest = mine;
  show(html, Number(answer.headers.get("x-version")));
  fine();
  soon(); // the answer may come from a process that is behind
  return true;
}

// Shows a page. `version`: the one up to which nothing on the page has changed, even if it was made before.
export function show(html, version = 0) {
  const page = new DOMParser().parseFromString(html, "text/html");
  if (page.documentElement.lang !== document.documentElement.lang) { reload(); return; } // the reader switched it elsewhere
  document.title = page.title;
  for (const id of ["top", "main"]) {
    const here = document.getElementById(id), there = page.getElementById(id);
    if (here && there) morph(here, there);
  }
  body.dataset.version = Math.max(Number(page.body.dataset.version || 0), version);
  body.dataset.follows = page.body.dataset.follows;
  body.dataset.own = page.body.dataset.own || "";
  tick();
  document.dispatchEvent(new CustomEvent("shown"));
}
