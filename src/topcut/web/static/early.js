// Keeps lines that are entered before the page's scripts are loaded, for entry.js.

window.typedEarly = [];
document.addEventListener("submit", event => {
  if (!event.target.matches("[data-entry]")) return;
  event.preventDefault();
  if (!window.typedEarly) return; // the entry line has taken over
  const field = event.target.querySelector("input");
  window.typedEarly.push(field.value);
  field.value = "";
});
