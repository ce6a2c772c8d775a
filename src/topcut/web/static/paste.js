// Shows the players on a list, pasted or from a file, then enters them. A file is sent as it is: the server detects its encoding.

import { choose } from "./dialogs.js";
import { finish, send } from "./forms.js";
import { count, say } from "./words.js";

const SHOWN = 20; // rows of a long list
const LARGEST = 1_400_000; // bytes of a file

const element = (name, kind, text = "") => {
  const made = document.createElement(name);
  made.className = kind;
  made.textContent = text;
  return made;
};

function start() {
  const form = document.querySelector("[data-paste]");
  if (form) new List(form);
}

class List {
  constructor(form) {
    this.form = form;
    this.text = form.querySelector("textarea");
    this.file = form.querySelector("input[type=file]");
    this.found = document.getElementById("pasted");
    this.button = form.querySelector("button");
    this.forget();
    this.text.addEventListener("input", () => { this.file.value = ""; this.forget(); });
    this.file.addEventListener("click", () => { this.file.value = ""; }); // so that the same file can be chosen again
    this.file.addEventListener("change", () => this.take(this.file.files[0]));
    form.addEventListener("dragover", event => { event.preventDefault(); form.classList.add("over"); });
    form.addEventListener("dragleave", event => { if (!form.contains(event.relatedTarget)) form.classList.remove("over"); });
    form.addEventListener("drop", event => this.drop(event));
    form.addEventListener("submit", event => { event.preventDefault(); this.submit(); });
    this.found.addEventListener("change", () => this.change());
    if (this.file.files.length) this.take(this.file.files[0]); // chosen before this script was loaded
  }

  // Forgets the list that was shown.
  forget() {
    this.data = null;
    this.columns = "";
    this.looked = null;
    this.found.replaceChildren();
    this.button.textContent = say("Preview");
  }

  drop(event) {
    event.preventDefault();
    this.form.classList.remove("over");
    const file = event.dataTransfer.files[0], text = event.dataTransfer.getData("text/plain");
    if (file) { this.file.value = ""; this.take(file); }
    else if (text) { this.text.value = text; this.forget(); this.look(); }
  }

  async take(file) {
    if (!file) return;
    this.forget();
    this.text.value = "";
    if (file.size > LARGEST) { this.show({ error: say("{file} is too large for this page. Use the command topcut add --from.", { file: file.name }) }); return; }
    this.data = await new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result.split(",")[1] || "");
      reader.onerror = () => reject(reader.error);
      reader.readAsDataURL(file);
    });
    this.name = file.name;
    await this.look();
  }

  // Returns the list to send; it is entered only if it is the one that was shown.
  what() {
    const list = this.data === null ? { text: this.text.value } : { data: this.data };
    return { ...list, columns: this.columns };
  }

  async look() {
    const what = this.what();
    const answer = await send(this.form.dataset.paste, what);
    this.show(answer);
    this.looked = answer.players?.length ? JSON.stringify(what) : null;
    const found = answer.players?.length;
    this.button.textContent = found ? count("Add {n} player", "Add {n} players", found) : say("Preview");
  }

  async submit() {
    if (this.looked !== JSON.stringify(this.what())) { await this.look(); return; }
    this.button.setAttribute("aria-busy", "true");
    await this.enter({});
    this.button.removeAttribute("aria-busy");
  }

  async enter(more) {
    const answer = await send(this.form.dataset.paste, { ...this.what(), sure: true, ...more });
    if (answer.answers) {
      const then = await choose(answer);
      if (then) await this.enter({ then });
      return;
    }
    if (answer.error) { this.show(answer); return; }
    this.text.value = this.file.value = "";
    this.forget();
    await finish({ ...answer, says: [], warnings: [...answer.says, ...answer.warnings] });
  }

  // Sets the meaning of a column.
  change() {
    this.columns = [...this.found.querySelectorAll("select")].map(select => select.value).join(",");
    this.look();
  }

  show(answer) {
    const parts = [];
    if (answer.error) parts.push(element("p", "problem", answer.error));
    if (this.data !== null && !this.file.value && !answer.error) parts.push(element("p", "soft", this.name)); // dropped here
    if (answer.columns && (answer.columns.length > 1 || answer.columns[0]?.heading)) parts.push(columns(answer));
    parts.push(...lines(answer.notes, "notice small plain"), ...lines(answer.problems, "notice warn small plain"));
    if (answer.players) parts.push(...players(answer.players));
    const focus = [...this.found.querySelectorAll("select")].indexOf(document.activeElement);
    this.found.replaceChildren(...parts);
    this.found.querySelectorAll("select")[focus]?.focus();
  }
}

function lines(all = [], kind) {
  if (!all.length) return [];
  const list = element("ul", kind), more = all.length - SHOWN;
  list.append(...all.slice(0, SHOWN).map(line => element("li", "name", line)));
  if (more > 0) list.append(element("li", "", count("and {n} more", "and {n} more", more)));
  return [list];
}

// Shows each column with its first rows and a choice of its meaning.
function columns({ columns, meanings }) {
  const table = element("table", "small taken"), body = element("tbody", "");
  table.append(element("caption", "", say("What each column means")), body);
  columns.forEach((column, i) => {
    const name = column.heading || say("column {number}", { number: i + 1 });
    const row = element("tr", ""), heading = element("th", "name"), cell = element("td", ""), select = element("select", "");
    heading.scope = "row";
    heading.append(name, element("span", "soft first", column.first.filter(Boolean).join(" · ")));
    select.setAttribute("aria-label", say("Meaning of {column}", { column: name }));
    for (const [value, words] of Object.entries(meanings)) {
      if (value === "?" && column.meaning !== "?") continue;
      select.append(new Option(words, value, false, value === column.meaning));
    }
    if (!(column.meaning in meanings)) select.value = "-";
    row.classList.toggle("gone", select.value === "-");
    cell.append(select);
    row.append(heading, cell);
    body.append(row);
  });
  return table;
}

function players(all) {
  if (!all.length) return [element("p", "soft", say("No player on this list can be added."))];
  const list = element("ol", "");
  for (const player of all.slice(0, SHOWN)) {
    const { name, line, display, apart, ...rest } = player;
    const known = [display && say("shown as {name}", { name: display }), ...Object.values(rest), ...(apart || [])];
    list.append(element("li", "name", [name, ...known.filter(Boolean)].join(" · ")));
  }
  return [list, ...(all.length > SHOWN ? [element("p", "soft", count("and {n} more", "and {n} more", all.length - SHOWN))] : [])];
}

start();
