// Opens the rule behind a number in a sentence without leaving the page; without scripts the number is a link.

import { say } from "./words.js";

const NUMBER = new RegExp(`\\b(?:${document.documentElement.dataset.rules})-[AR]?\\d{1,3}\\b`, "g");

// Appends a text whose numbers of rules are links.
export function appendText(element, text) {
  let from = 0;
  for (const found of text.matchAll(NUMBER)) {
    const link = document.createElement("a");
    link.className = "rule";
    link.href = `/rules/${found[0]}`;
    link.textContent = found[0];
    element.append(text.slice(from, found.index), link);
    from = found.index + found[0].length;
  }
  element.append(text.slice(from));
}

export function startRules() {
  document.addEventListener("click", event => {
    const link = event.target.closest?.("a.rule");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    show(link);
  });
}

async function show(link) {
  const text = await read(link.href);
  if (!text) { location.href = link.href; return; }
  const dialog = document.createElement("dialog");
  const close = document.createElement("button");
  close.textContent = say("Close");
  close.addEventListener("click", () => dialog.close());
  dialog.setAttribute("aria-label", text.querySelector("h1").textContent);
  dialog.append(text, close);
  dialog.addEventListener("close", () => { dialog.remove(); link.focus(); });
  document.body.append(dialog);
  dialog.showModal();
}

async function read(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".rule-text") : null;
  } catch { return null; }
}
