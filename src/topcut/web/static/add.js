// Adds the word of a button beside the entry line to the line.

function start() {
  document.addEventListener("click", event => {
    const word = event.target.closest("[data-add]")?.dataset.add;
    const field = document.querySelector("[data-entry] input");
    if (!word || !field) return;
    const words = field.value.split(/\s+/).filter(Boolean);
    if (words.at(-1) !== word) words.push(word);
    field.value = words.join(" ");
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
  });
}

start();
