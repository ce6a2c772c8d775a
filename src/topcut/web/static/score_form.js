// A form for the result of a larger table, beside the entry line. It writes the line that a scorekeeper would type, shows
// what it means, and asks step by step how a tie for the highest score is broken. A form that is closed leaves its line in the entry line.

import { make, opened } from "./dialogs.js";
import { button } from "./notes.js";
import { add, meaning, park } from "./outbox.js";
import { list, say } from "./words.js";

const entry = () => document.querySelector("[data-entry] input");

function start() {
  document.addEventListener("click", event => {
    const kind = event.target.closest("[data-score-form]")?.dataset.scoreForm;
    if (kind) open(kind);
  });
}

function element(name, more = {}, ...inside) {
  const made = Object.assign(document.createElement(name), more);
  made.append(...inside);
  return made;
}

const numbers = (name, more = {}) => element("input", { type: "number", name, inputMode: "numeric", required: true, ...more });
const labelled = (text, field) => element("label", { className: field.type === "checkbox" || field.type === "radio" ? "check" : "" }, ...(field.type === "number" ? [text, field] : [field, text]));

// Opens the form for the table of the entry line, or for the first that is outstanding.
async function open(kind) {
  const dialog = make(say("Result of a table"));
  const table = numbers("table", { min: 1 });
  table.value = /^\s*(\d+)/.exec(entry().value)?.[1] || document.querySelector("#missing-title")?.closest("section").querySelector("[data-fill]")?.dataset.fill || "";
  const seats = element("div", { className: "fields" }), ties = element("div", { className: "fields" });
  const echo = element("output", { className: "echo" });
  const form = element("form", { className: "fields", autocomplete: "off", noValidate: true }, labelled(say("Table"), table), seats, ties, echo);
  form.append(element("div", { className: "row" }, element("button", { className: "main", textContent: say("Save result") }), button(say("Cancel"), () => dialog.close(""))));
  dialog.append(form);
  let players = [], steps = [], give = null, asked = 0, found = null, saved = false;

  const line = () => {
    const words = [table.value];
    if (kind === "scores") {
      players.forEach((_, seat) => words.push(form.elements[`out-${seat}`].checked ? "x" : form.elements[`score-${seat}`].value));
      if (form.elements.nobody?.checked) words.push("none");
      for (const step of steps) if (step.fields.some(field => field.value)) words.push("count", ...step.fields.map(field => field.value));
      if (give?.value) words.push(give.value);
    } else words.push(form.elements.winner?.value || "");
    return words.filter(Boolean).join(" ");
  };

  function showSeats(names) {
    players = names;
    clearTies();
    if (kind === "scores") {
      const rows = names.map((name, seat) => element("fieldset", {}, element("legend", { className: "name", textContent: name }),
        element("div", { className: "row" }, labelled(say("Score"), numbers(`score-${seat}`)), labelled(say("eliminated"), element("input", { type: "checkbox", name: `out-${seat}` })))));
      seats.replaceChildren(...rows, labelled(say("Nobody won"), element("input", { type: "checkbox", name: "nobody" })));
    } else {
      const won = (value, text) => labelled(text, element("input", { type: "radio", name: "winner", value }));
      seats.replaceChildren(...names.map((name, seat) => won(`w${seat + 1}`, say("{name} won", { name }))), won("draw", say("Draw")));
    }
  }

  function clearTies() {
    steps = [];
    give = null;
    ties.replaceChildren();
  }

  function askCount({ step, count, players: tied }) {
    if (steps[step - 1]) return;
    const fields = tied.map((name, at) => numbers(`count-${step}-${at}`, { min: 0 }));
    steps.push({ fields });
    const asks = say("{players} are tied. Count this: {what}", { players: list(tied), what: count });
    ties.append(element("fieldset", { ariaLabel: asks }, element("p", { textContent: asks }), element("div", { className: "row" }, ...tied.map((name, at) => labelled(name, fields[at])))));
    fields[0].focus();
  }

  function choose(title, options) {
    if (give) return;
    give = element("select", { name: "give" });
    give.append(...options.map(([value, text]) => new Option(text, value)));
    ties.append(element("label", {}, title, give));
    give.focus();
  }

  function askGive(tied) {
    const only = tied.map(([seat, name]) => [`g${seat}`, say("Only {name} wins; the other players give them the win", { name })]);
    choose(say("Tied in all counts"), [["", say("Each of them wins")], ...only]);
  }

  // Asks who won where the rules count nothing.
  function askWinner({ players: tied, seats: at }) {
    const all = at.map(seat => `w${seat}`);
    choose(say("{players} are tied.", { players: list(tied) }), [["", ""], [all.join(" "), say("Each of them wins")], ...tied.map((name, i) => [all[i], say("{name} won", { name })])]);
  }

  async function look() {
    const mine = ++asked, text = line();
    const told = text ? await meaning(text) : { kind: "nothing", says: "" };
    if (mine !== asked) return;
    found = told.error ? null : { ...told, text };
    const empty = kind === "scores" && players.some((_, seat) => !form.elements[`out-${seat}`].checked && !form.elements[`score-${seat}`].value);
    echo.className = `echo ${told.error || (told.kind === "wrong" && !empty) ? "wrong" : told.kind === "wrong" ? "look" : told.kind}`;
    echo.textContent = empty && players.length ? say("Enter a score for each player, or tick eliminated.") : told.error || told.says;
    if (told.old) echo.textContent += ` (${say("so far: {result}", { result: told.old })})`;
    if (!empty && told.tie) (told.tie.count ? askCount : askWinner)(told.tie);
    if (!empty && told.give?.length) askGive(told.give);
  }

  // Shows the players of the table whose number is typed.
  async function seat() {
    const mine = ++asked, told = table.value ? await meaning(table.value) : {};
    if (mine !== asked) return;
    if (told.seats?.length) showSeats(told.seats);
    else { players = []; clearTies(); seats.replaceChildren(); }
    found = null;
    echo.className = `echo ${told.kind || ""}`;
    echo.textContent = told.error || told.says || "";
  }

  form.addEventListener("input", event => {
    const name = event.target.name;
    if (name === "table") { seat(); return; }
    if (!/^(count|give)/.test(name)) clearTies();
    else if (name.startsWith("count")) { // later steps follow from this one
      const at = Number(name.split("-")[1]);
      steps = steps.slice(0, at);
      give = null;
      while (ties.children.length > at) ties.lastElementChild.remove();
    }
    look();
  });
  form.addEventListener("submit", async event => {
    event.preventDefault();
    if (found?.text !== line()) await look();
    if (!found?.whole) { [...form.elements].find(field => field.required && !field.value && !field.closest("fieldset")?.querySelector(":checked"))?.focus(); return; }
    saved = true;
    dialog.close("");
    add(found.text, found);
  });
  dialog.addEventListener("close", () => {
    if (saved) { if (entry().value.trim() === table.value) entry().value = ""; return; }
    if (line() === table.value) return;
    if (entry().value.trim().includes(" ")) { park(line()); return; } // another line is half typed
    entry().value = line();
    entry().dispatchEvent(new Event("input", { bubbles: true }));
  });
  const closed = opened(dialog);
  if (table.value) seat().then(() => seats.querySelector("input")?.focus());
  await closed;
  entry().focus();
}

start();
