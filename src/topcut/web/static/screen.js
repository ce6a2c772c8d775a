// Fits rows that can be read from the back of the hall on pages for a projector, and turns the pages.

import { say } from "./words.js";

const TURNS = 8_000;
const LETTER = 0.72; // the height of a capital letter in a line of height 1
const LARGE = 5, WANTED = 4, SMALL = 2.6; // heights of letters in percent of the screen's height
const LINE = 1.3; // the height of a row, in sizes of its letters
const FEW = 2, SOME = 6; // pages, at most, for large letters and for the wanted ones

let page = 0, pages = 1, per = 1, held = false, since = performance.now();
const root = document.body;
const still = matchMedia("(prefers-reduced-motion: reduce)");

// Returns the largest letters with which all rows fit on a few pages; else the smallest that can be read.
// `widest`: the width of a row, in sizes of its letters.
export function fit(count, width, height, whole, widest) {
  let best = null;
  for (let letters = LARGE; letters >= SMALL - 0.001; letters -= 0.1) {
    const size = letters / 100 / LETTER * whole;
    const rows = Math.max(1, Math.floor(height / (size * LINE)));
    const columns = Math.max(1, Math.min(4, Math.floor((width + 0.025 * width) / (size * widest + 0.025 * width))));
    const pages = Math.max(1, Math.ceil(count / (rows * columns)));
    best = { size, rows, columns: Math.min(columns, Math.max(1, Math.ceil(count / rows))), pages };
    if (pages <= (letters >= WANTED ? FEW : SOME) || (pages <= SOME && Math.abs(letters - WANTED) < 0.05)) break;
  }
  return best;
}

// Returns the width of the rows in sizes of their letters, so that hardly a name is cut.
function widestRow(list) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `500 100px ${getComputedStyle(list).fontFamily}`;
  const names = [...list.querySelectorAll("bdi")].map(name => pen.measureText(name.textContent).width / 100).sort((a, b) => a - b);
  const most = which => Math.max(0, ...[...list.querySelectorAll(which)].map(one => pen.measureText(one.textContent).width * 1.1 / 100));
  const first = most("i");
  root.style.setProperty("--first", `${first}em`);
  return (names[Math.floor(names.length * 0.92)] || 8) + most("b") + 0.7 + (first ? first + 0.5 : 0);
}

function layout() {
  const list = document.querySelector("[data-rows]");
  const figures = [...document.querySelectorAll("[data-page]")];
  if (list) {
    const main = document.getElementById("main");
    const style = getComputedStyle(main);
    const wide = main.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const fits = fit(list.children.length, wide, main.clientHeight, Math.min(innerHeight, innerWidth), widestRow(list));
    root.style.setProperty("--size", `${fits.size}px`);
    root.style.setProperty("--rows", fits.rows);
    root.style.setProperty("--columns", fits.columns);
    per = fits.rows * fits.columns;
    pages = fits.pages;
  } else {
    per = 1;
    pages = Math.max(1, figures.length);
  }
  page = Math.min(page, pages - 1);
  const shown = list ? [...list.children] : figures;
  shown.forEach((row, at) => { row.hidden = Math.floor(at / per) !== page; });
  rangeOf(list ? shown : []);
  const several = pages > 1;
  document.getElementById("pages").hidden = !several;
  document.getElementById("turns").hidden = !several;
}

function rangeOf(rows) {
  const here = rows.filter(row => !row.hidden);
  const first = here[0]?.querySelector("bdi").textContent, last = here.at(-1)?.querySelector("bdi").textContent;
  const shown = document.getElementById("page-of");
  shown.textContent = say("Page {page} of {pages}", { page: page + 1, pages });
  if (!document.querySelector("[data-rows].pairings") || pages < 2 || !first) return;
  const names = document.createElement("bdi");
  names.textContent = `${[...first].slice(0, 3).join("")} – ${[...last].slice(0, 3).join("")}`;
  shown.append(" · ", names);
}

function turn(by) {
  page = (page + by + pages) % pages;
  since = performance.now();
  layout();
}

function hold(on = !held) {
  held = on;
  since = performance.now();
  const button = document.querySelector('[data-turn="0"]');
  button.setAttribute("aria-pressed", String(held));
  button.setAttribute("aria-label", held ? say("Turn the pages again") : say("Stay on this page"));
  button.textContent = held ? "▶" : "❚❚";
}

function beat() {
  const gone = (performance.now() - since) / TURNS;
  const bar = document.getElementById("turning");
  bar.value = held ? 0 : still.matches ? Math.floor(gone * 4) / 4 : Math.min(1, gone);
  if (!held && pages > 1 && gone >= 1 && document.visibilityState === "visible") turn(1);
  else if (held) since = performance.now();
}

function start() {
  layout();
  document.fonts?.ready.then(layout);
  addEventListener("resize", layout);
  document.addEventListener("shown", layout);
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowRight" || event.key === "PageDown") turn(1);
    else if (event.key === "ArrowLeft" || event.key === "PageUp") turn(-1);
    else if (event.key === " " && !event.target.closest("button")) hold();
    else return;
    event.preventDefault();
  });
  document.addEventListener("click", event => {
    const button = event.target.closest("[data-turn]");
    if (!button) return;
    if (button.dataset.turn === "0") hold(); else turn(Number(button.dataset.turn));
  });
  setInterval(beat, 200);
}

start();
