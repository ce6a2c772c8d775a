// Shows notices that must be read: they stay on the page until they are dismissed, and take neither the focus nor a key.

import { appendText } from "./rules.js";
import { say } from "./words.js";

// The round page has a place for them below its entry line; on other pages they come above everything else.
export function place() {
  let box = document.getElementById("notes");
  if (box) return box;
  box = document.createElement("div");
  box.id = "notes";
  box.className = "notes";
  document.getElementById("main").before(box);
  return box;
}

// Shows lines below each other with a button; `kind` is "warn", or empty for news.
export function note(title, lines, kind = "warn") {
  const box = document.createElement("div");
  box.className = `notice row apart ${kind}`;
  box.setAttribute("role", "alert");
  const texts = document.createElement("div");
  const heading = document.createElement("strong");
  heading.textContent = title;
  texts.append(heading, ...lines.map(line => {
    const text = document.createElement("p");
    appendText(text, line);
    return text;
  }));
  box.append(texts, button(say("Close"), () => away(box)));
  place().append(box);
}

// Removes a notice; if it had the focus, the entry line or field gets it back.
export function away(box) {
  const had = box.contains(document.activeElement);
  box.remove();
  if (had) (document.getElementById("entry-text") || document.querySelector("[data-first]") || document.getElementById("main")).focus();
}

export function button(text, press, label = text) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "small";
  made.textContent = text;
  if (label !== text) made.setAttribute("aria-label", label);
  made.addEventListener("click", press);
  return made;
}
