// Remembers in this browser whose phone it is, and shows the player's seat at the top of every page of the hall.
// Where nothing can be stored, links carry the player behind the #, which no server sees.

import { language, say } from "./words.js";

const hall = document.body.dataset.hall;
const KEY = `topcut me ${hall}`;
let stored = true;
let me = null; // { id, own }: the player, and the address of their own page if this phone has it

function read() {
  try {
    localStorage.setItem("topcut", "1");
    return JSON.parse(localStorage.getItem(KEY));
  } catch {
    stored = false;
    const behind = new URLSearchParams(location.hash.slice(1)).get("me");
    return behind ? { id: behind } : null;
  }
}

function keep(who) {
  me = who;
  if (!stored) { history.replaceState(null, "", location.pathname + location.search + (who ? `#me=${who.id}` : "")); return; }
  try {
    if (who) localStorage.setItem(KEY, JSON.stringify(who));
    else localStorage.removeItem(KEY);
  } catch {
    stored = false;
  }
}

const make = (kind, className, text) => {
  const found = document.createElement(kind);
  if (className) found.className = className;
  if (text !== undefined) found.textContent = text;
  return found;
};

const isolate = name => `\u2068${name}\u2069`; // so that a name that runs from right to left turns nothing around

// Marks the rows and buttons of this player.
function mark() {
  for (const row of document.querySelectorAll("tr.me, li.me")) if (row.dataset.key !== me?.id) row.classList.remove("me");
  if (me) for (const row of document.querySelectorAll(`tr[data-key="${CSS.escape(me.id)}"], li[data-key="${CSS.escape(me.id)}"]`)) row.classList.add("me");
  for (const button of document.querySelectorAll("[data-me]")) {
    const mine = button.dataset.me === me?.id;
    button.hidden = false;
    button.setAttribute("aria-pressed", String(mine));
    button.firstChild.nodeValue = mine ? say("This is not me") : say("This is me");
  }
}

async function bar() {
  const box = document.getElementById("me");
  if (!box) return;
  const own = me && (document.querySelector("[data-mine]") || location.pathname === `${hall}/player/${encodeURIComponent(me.id)}`);
  if (!me || own) { box.hidden = true; box.replaceChildren(); return; }
  const asked = me.id;
  let at;
  try {
    const answer = await fetch(`${hall}/player/${encodeURIComponent(me.id)}/now`, { cache: "no-cache" });
    if (answer.status === 404) { keep(null); mark(); bar(); return; }
    at = await answer.json();
  } catch {
    return; // the seat that is shown stays
  }
  if (asked !== me?.id) return;
  show(box, at);
}

function show(box, at) {
  const link = make("a", "mine-link");
  link.href = `${hall}/player/${encodeURIComponent(me.id)}`;
  link.append(make("bdi", "name", at.name));
  if (at.pod) link.append(make("strong", "big", at.pod));
  else if (at.where) link.append(make("span", "soft", at.where));
  else if (at.alone) {
    const round = { number: at.round };
    const bye = at.awarded ? say("Round {number}: bye (awarded)", round) : say("Round {number}: bye", round);
    link.append(make("strong", "big", at.alone === "bye" ? bye : say("Round {number}: loss", round)));
  }
  else if (at.table) {
    link.append(make("strong", "big", say("Table {table}", { table: at.table })));
    link.append(make("span", "against", say("against {names}", { names: at.against.map(isolate).join(", ") })));
    if (at.new) link.append(make("span", "badge new", say("new")));
    if (at.reported) link.append(make("span", "badge", say("reported")));
  }
  if (at.record) {
    const numbers = [at.record, say("Points: {points}", { points: at.points }), at.rank && say("Rank: {rank}", { rank: at.rank })];
    link.append(make("span", "soft small", numbers.filter(Boolean).join(" · ")));
  }
  const buttons = make("span", "row");
  if (me.own && !at.reported && !at.over && location.pathname !== me.own) {
    const report = make("a", "button small main", say("Report result"));
    report.href = me.own;
    buttons.append(report);
  }
  const not = make("button", "plain small", say("Not me"));
  not.type = "button";
  not.dataset.notMe = "";
  buttons.append(not);
  const focused = box.contains(document.activeElement) && document.activeElement.matches("[data-not-me]");
  box.replaceChildren(link, buttons);
  box.hidden = false;
  if (focused) not.focus();
}

// Returns the page for an address that cannot be opened without a connection, in the language of this page.
function missingPage() {
  const page = document.implementation.createHTMLDocument(say("No connection"));
  const wide = page.createElement("meta");
  wide.name = "viewport";
  wide.content = "width=device-width";
  page.head.append(wide);
  Object.assign(page.documentElement, { lang: language, dir: document.documentElement.dir });
  page.body.append(make("h1", "", say("No connection")), make("p", "", say("This page isn't saved on your phone. Go back, or try again when you are online.")));
  return `<!doctype html>${page.documentElement.outerHTML}`;
}

// Keeps pages for reading without a connection, from the first visit on.
async function offline() {
  if (!("serviceWorker" in navigator)) return;
  const worker = (await navigator.serviceWorker.ready).active;
  const files = performance.getEntriesByType("resource").map(file => file.name).filter(name => name.includes("/static/"));
  worker.postMessage({ keep: [location.pathname + location.search, ...files], missing: missingPage() });
}

function start() {
  me = read();
  const mine = document.querySelector("[data-mine]");
  if (mine) keep({ id: mine.dataset.mine, own: location.pathname });
  mark();
  bar();
  document.addEventListener("shown", () => { mark(); bar(); });
  document.addEventListener("click", event => {
    const button = event.target.closest("[data-me]");
    if (button) { keep(button.dataset.me === me?.id ? null : { id: button.dataset.me }); mark(); bar(); }
    if (event.target.closest("[data-not-me]")) { keep(null); mark(); bar(); document.getElementById("main").querySelector("input, a, button")?.focus(); }
    const link = event.target.closest("a[href]");
    if (link && !stored && me && link.pathname.startsWith(hall) && !link.hash) link.hash = `me=${me.id}`;
  });
  offline().catch(() => {});
}

start();
