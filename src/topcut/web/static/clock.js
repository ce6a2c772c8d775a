// Runs clocks by the server's time, and shows times in the reader's time zone.

import { language } from "./words.js";

let ahead = 0; // milliseconds by which this machine's clock is ahead of the server's

export function serverTime(text) { ahead = Date.now() - Date.parse(text); }

export function tick() {
  const now = Date.now() - ahead;
  for (const clock of document.querySelectorAll("[data-ends]")) {
    const left = clock.dataset.left !== undefined ? Number(clock.dataset.left) : (Date.parse(clock.dataset.ends) - now) / 1000;
    const text = spoken(left);
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("over", left < 0);
  }
}

function spoken(seconds) {
  const whole = seconds < 0 ? Math.floor(-seconds) : Math.ceil(seconds);
  const h = Math.floor(whole / 3600), m = Math.floor(whole / 60) % 60, s = whole % 60;
  const two = n => String(n).padStart(2, "0");
  return (seconds < 0 ? "+" : "") + (h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`);
}

// The language of the page as the reader's country writes it, and 12 or 24 hours as the reader's browser has them.
const base = code => code.split("-")[0];
const variant = navigator.languages.find(one => base(one) === base(language)) ?? language;
const { hourCycle } = new Intl.DateTimeFormat([], { hour: "numeric" }).resolvedOptions();

export function clockTime(at) { return at.toLocaleTimeString(variant, { hour: "numeric", minute: "2-digit", hourCycle }); }

export function localTimes() {
  for (const time of document.querySelectorAll("time[data-show]")) {
    const at = new Date(time.dateTime);
    const text = time.dataset.show === "time" ? clockTime(at) : at.toLocaleString(variant, { dateStyle: "medium", timeStyle: "short", hourCycle });
    if (time.textContent !== text) time.textContent = text;
  }
}

export function startClocks() {
  const made = document.body.dataset.now;
  if (made && performance.getEntriesByType("navigation")[0]?.type !== "back_forward") serverTime(made);
  tick();
  localTimes();
  setInterval(tick, 250);
  document.addEventListener("shown", localTimes);
}
