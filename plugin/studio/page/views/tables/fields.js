// Draws the forms that the studio makes of a ruleset's tables. A `writer` takes what is typed:
//   change(path, given, column) -> one line that says what is wrong, or ""
//   add(node), drop(path), rename(path, name), clauses(ids) -> nodes that cite them

import { pasting } from "./paste.js";
import { plainWords, rowName } from "./words.js";
import { button, el, own, soon } from "./kit.js";

const DRAWN = { cell, choice, names, group, rows, grid, list, plain };

/** The fields of a node, with its heading where `titled`. */
export function draw(node, writer, titled = true) {
  return (DRAWN[node.kind] ?? plain)(node, writer, titled);
}

/** `minimum_move` as `minimum move`, `zoc` as `zones of control (zoc)`. */
export function plainName(text) {
  return plainWords(text);
}

/** The help of a schema without its talk of tables and texts: `a table: what it costs` is `what it costs`, `true if it
 * stops` is `yes if it stops`, `class = allowance` is `for each class: allowance`. */
export function helpOf(node) {
  const text = (node.help ?? "").replace(/^a (table|list)( of [a-z]+)?( with [^:]*)?: /, "").replace(/^a (table|list)$/, "").replace(/,? such as \[.*\]$/, "");
  if (/ or (\w+ = )?a table \w+ = |^(a list of names|a name)$/.test(text)) return ""; // the cells themselves say so
  return text.replace(/^a list of /, "").replace(/^true(?=:| if )/, "yes").replace(/^(\w+) = (\w+)$/, "for each $1: $2").replace(/"/g, "").replace(" as text such as", " such as");
}

function titleWithHelp(node) {
  const help = helpOf(node);
  return [el("h4", {}, plainName(node.label)), ...(help ? [el("p", { class: "help" }, help)] : [])];
}

function key(path, column = null) {
  return JSON.stringify(column === null ? path : [...path, `|${column}`]);
}

/** An input that is checked while one types and written when one is done. */
function typed(writer, path, { value, printed, words = [], column = null, label }) {
  const wrong = el("small", { class: "wrong", role: "alert" });
  const input = el("input", {
    value, autocomplete: "off", spellcheck: false, placeholder: printed, "aria-label": label,
    readOnly: writer.reader, data: { at: key(path, column), was: value },
  });
  if (words.length) input.setAttribute("list", writer.words(words));
  const tell = (error) => {
    wrong.textContent = error;
    input.setAttribute("aria-invalid", String(Boolean(error)));
  };
  const look = soon(async () => {
    const text = input.value;
    const error = await writer.check(path, text, column);
    if (input.value === text && document.activeElement === input) tell(error);
  });
  input.addEventListener("input", look);
  input.addEventListener("change", async () => tell(await writer.change(path, input.value.trim(), column)));
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    input.value = value;
    tell("");
  });
  return { input, wrong };
}

function labelled(node, writer, control, after = null) {
  const label = el("label", { for: control.id }, plainName(node.label));
  return el("div", { class: "field" }, label, el("div", {}, control, after,
    helpOf(node) ? el("small", { class: "help" }, helpOf(node)) : null, writer.clauses(node.clauses ?? [])));
}

function cell(node, writer) {
  const label = plainName(node.label);
  const { input, wrong } = typed(writer, node.path, { value: node.text, printed: node.printed, words: node.words, label });
  input.id = own("field");
  return labelled(node, writer, input, wrong);
}

function choice(node, writer) {
  const wrong = el("small", { class: "wrong", role: "alert" });
  const called = (value) => node.choices.find(([, one]) => one === value)?.[0] ?? value;
  const counts = (node.default ?? null) === null ? "not said" : `not said: counts as ${called(node.default)}`;
  const unsaid = (node.printed ?? null) === null ? counts : `as printed: ${called(node.printed)}`;
  const select = el("select", { id: own("field"), disabled: writer.reader, data: { at: key(node.path) } },
    el("option", { value: "" }, unsaid),
    ...node.choices.map(([text, one], number) => el("option", { value: String(number), selected: one === node.value }, text)));
  select.addEventListener("change", async () => {
    const given = select.value === "" ? null : node.choices[Number(select.value)][1];
    wrong.textContent = await writer.change(node.path, given);
  });
  return labelled(node, writer, select, wrong);
}

/** Ticks that are on the way into the file, by field: what is drawn meanwhile does not have them yet. */
const sent = new Map();
let inTurn = Promise.resolve();

/** The names that are ticked, those on the way among them. */
function ticked(node) {
  const at = key(node.path), held = node.value ?? [];
  if (sent.get(at)?.join("|") === held.join("|")) sent.delete(at);
  return sent.get(at) ?? held;
}

function names(node, writer) {
  const wrong = el("small", { class: "wrong", role: "alert" });
  const held = ticked(node);
  if (node.choices.length) {
    const boxes = node.choices.map((name) => el("label", { class: "tick" },
      el("input", { type: "checkbox", checked: held.includes(name), disabled: writer.reader, value: name }), ` ${name}`));
    const set = el("fieldset", { class: "ticks" }, el("legend", {}, plainName(node.label)), ...boxes, wrong,
      helpOf(node) ? el("small", { class: "help" }, helpOf(node)) : null, writer.clauses(node.clauses ?? []));
    set.addEventListener("change", async ({ target }) => {
      const before = new Set(ticked(node));
      before[target.checked ? "add" : "delete"](target.value);
      const now = node.choices.filter((name) => before.has(name));
      sent.set(key(node.path), now);
      inTurn = inTurn.then(() => writer.change(node.path, now)); // each is worked out from the file as the one before left it
      wrong.textContent = await inTurn;
      if (wrong.textContent) sent.delete(key(node.path));
      setTimeout(() => sent.get(key(node.path)) === now && sent.delete(key(node.path)), 5_000); // undone meanwhile
    });
    return set;
  }
  const lines = held.some((name) => name.includes(","));
  const input = el(lines ? "textarea" : "input", {
    id: own("field"), value: held.join(lines ? "\n" : ", "), autocomplete: "off", spellcheck: false,
    readOnly: writer.reader, placeholder: (node.printed ?? []).join(", ") || "names, with commas between",
    data: { at: key(node.path), was: held.join(lines ? "\n" : ", ") },
  });
  const told = () => input.value.split(lines ? "\n" : ",").map((name) => name.trim()).filter(Boolean);
  input.addEventListener("change", async () => {
    wrong.textContent = await writer.change(node.path, told());
  });
  return labelled(node, writer, input, wrong);
}

function group(node, writer, titled) {
  const fields = node.fields.map((one) => draw(one, writer));
  if (!titled) return el("div", { class: "group" }, writer.clauses(node.clauses ?? []), ...fields);
  return el("fieldset", { class: "group" }, el("legend", {}, plainName(node.label)),
    helpOf(node) ? el("p", { class: "help" }, helpOf(node)) : null, writer.clauses(node.clauses ?? []), ...fields);
}

function rows(node, writer, titled) {
  const made = el("div", { class: "rows" });
  if (titled) made.append(...titleWithHelp(node));
  made.append(writer.clauses(node.clauses ?? []));
  for (const row of node.rows) {
    const inner = row.node;
    const simple = ["cell", "choice", "names"].includes(inner.kind);
    made.append(el("div", { class: simple ? "row simple" : "row" },
      simple ? draw(inner, writer) : el("details", { open: node.rows.length < 4 }, el("summary", {}, row.name), draw(inner, writer, false)),
      row.typed && !writer.reader ? el("span", { class: "acts" },
        button("Rename", () => writer.rename([...node.path, row.name], row.name)),
        button("Remove", () => writer.drop([...node.path, row.name]), { "aria-label": `Remove ${row.name}` })) : null));
  }
  if (!writer.reader) made.append(adder(node, writer, (name) => writer.add({ ...node.template, path: [...node.path, name], label: name })));
  return made;
}

/** A line to name a row that is to be added. */
function adder(node, writer, add) {
  const input = el("input", { placeholder: "another name", "aria-label": `Another row of ${plainName(node.label)}`, autocomplete: "off",
    data: { at: `another ${key(node.path)}`, was: "" } });
  const form = el("form", { class: "adder" }, input, el("button", {}, "Add"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = input.value.trim();
    input.value = "";
    if (name) add(name);
  });
  const line = el("div", {}, form);
  if (node.offered.length) {
    line.prepend(el("p", { class: "offered" }, "Used in your files, and without a row here: ",
      ...node.offered.slice(0, 30).map((name) => button(name, () => add(name)))));
  }
  return line;
}

function grid(node, writer, titled) {
  const added = writer.added(node.path);
  for (const { name, typed } of node.rows) if (typed) added.delete(name);
  const rows = [...node.rows, ...[...added].filter((name) => !node.rows.some((row) => row.name === name)).map((name) => emptyRow(node, name))];
  const made = el("div", { class: "gridded" });
  if (titled) made.append(...titleWithHelp(node));
  made.append(writer.clauses(node.clauses ?? []));
  const table = el("table", { class: "cells" });
  const first = node.single ? "" : plainName(node.label);
  table.append(el("thead", {}, el("tr", {}, el("th", {}, first),
    ...node.columns.map((name) => el("th", { scope: "col" }, rowName(name) || "all")), node.fixed ? null : el("th", {}, ""))));
  const body = el("tbody");
  const line = (row) => {
    const tr = el("tr", { class: row.typed ? "" : "printed" }, el("th", { scope: "row" }, rowName(row.name) || "cost"));
    node.columns.forEach((column, number) => {
      const { input, wrong } = typed(writer, row.path, {
        value: row.cells[number], printed: row.typed ? "" : row.printed[number], words: node.words, column,
        label: `${rowName(row.name) || plainName(node.label)}, ${rowName(column) || "all classes"}`,
      });
      tr.append(el("td", {}, input, wrong));
    });
    if (!node.fixed) {
      const acts = writer.reader ? [] : row.empty ? [
        button("Remove", () => writer.drop([...node.path, row.name]), { "aria-label": `Remove ${row.name}` }),
      ] : row.typed ? [
        button("Rename", () => writer.rename([...node.path, row.name], row.name), { "aria-label": `Rename ${row.name}` }),
        button("Remove", () => writer.drop([...node.path, row.name]), { "aria-label": `Remove ${row.name}` }),
      ] : [];
      tr.append(el("td", { class: "acts" }, ...acts));
    }
    body.append(tr);
    const more = row.more.filter((one) => one);
    if (more.length) {
      body.append(el("tr", { class: "more" }, el("td", { colspan: String(node.columns.length + 2) },
        el("details", {}, el("summary", {}, `more about ${row.name}`), ...more.map((one) => draw(one, writer))))));
    }
  };
  rows.forEach(line);
  table.append(body);
  made.append(el("div", { class: "wide" }, table));
  if (node.cell) made.append(el("p", { class: "help" }, `A cell holds ${cellHelp(node.cell)}.`));
  table.addEventListener("keydown", walk);
  if (!node.fixed && !writer.reader && writer.paste) made.append(pasting(node, writer));
  if (!node.fixed && !writer.reader) {
    made.append(adder({ ...node, offered: node.offered.filter((name) => !added.has(name)) }, writer, (name) => writer.row(node.path, name)));
  }
  return made;
}

/** A row that was added and holds nothing yet. */
function emptyRow(node, name) {
  const path = [...node.path, name];
  const cells = node.columns.map(() => "");
  return { name, path: node.inner ? [...path, node.inner] : path, typed: false, empty: true, cells, printed: cells, more: [] };
}

function cellHelp(text) {
  return text.replace(/,? or a table\b.*$/, "").replace("{ from = 1, to = 3 }", "1..3 (not known, but from 1 to 3)").replaceAll('"', "").replace("an exact one as text such as", "a fraction such as").replace(/^a cost(: | \()(.*?)\)?$/, "$2");
}

/** Tab, Enter and arrow keys go from cell to cell, and the right arrow behind the last cell of a row to its buttons. */
function walk(event) {
  const input = event.target;
  if (!input.matches?.("td > input")) return;
  const columns = input.closest("tr").querySelectorAll("td > input").length;
  const cells = [...event.currentTarget.querySelectorAll("tr:not(.more) > td > input")];
  const at = cells.indexOf(input);
  const edge = input.selectionStart === input.selectionEnd;
  const left = edge && input.selectionStart === 0, right = edge && input.selectionEnd === input.value.length;
  const to = {
    ArrowDown: at + columns, ArrowUp: at - columns, Enter: at + (event.shiftKey ? -columns : columns),
    ArrowLeft: left ? at - 1 : -1, ArrowRight: right ? at + 1 : -1, Tab: at + (event.shiftKey ? -1 : 1),
  }[event.key];
  if (to === undefined) return;
  const act = event.key === "ArrowRight" && right ? input.parentElement.nextElementSibling?.querySelector(":scope > button") : null;
  if (act) {
    event.preventDefault();
    act.focus();
  } else if (cells[to]) {
    event.preventDefault();
    cells[to].focus();
    cells[to].select();
  } else if (event.key === "Enter") input.blur();
}

function list(node, writer, titled) {
  const made = el("div", { class: "listed" });
  if (titled) made.append(...titleWithHelp(node));
  made.append(writer.clauses(node.clauses ?? []));
  node.items.forEach((item, number) => {
    made.append(el("fieldset", { class: "item" }, el("legend", {}, titleOf(item, number)), draw(item, writer, false),
      writer.reader ? null : button("Remove", () => writer.drop(item.path), { "aria-label": `Remove ${titleOf(item, number)}` })));
  });
  if (!writer.reader && !(node.single && node.items.length)) {
    made.append(button(`Add to ${plainName(node.label)}`, () => writer.add(node.template)));
  }
  return made;
}

function titleOf(item, number) {
  const named = (item.fields ?? []).find((one) => ["name", "what", "reason"].includes(one.path.at(-1)) && one.text);
  return named ? named.text : `${number + 1}.`;
}

function plain(node) {
  return el("p", { class: "quiet" }, `${plainName(node.label)}: ${node.text || "nothing"} (change it in pack.toml)`);
}
