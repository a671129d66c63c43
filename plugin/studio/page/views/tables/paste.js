// A chart that is pasted: its table is shown with what would be written, and written by a button.

import { button, counted, el, soon } from "./kit.js";

const LEAVE_OUT = "-";

/** What was pasted and is not written yet, by chart, and where its columns go: it outlives that the view is drawn anew. */
const kept = new Map();

/** `writer.tables` are those in the module's charts. `writer.paste(node, text, columns)` answers what a text would write into the chart `node`; `writer.write(edits, label)` writes it. */
export function pasting(node, writer) {
  const at = JSON.stringify(node.path);
  const text = el("textarea", { rows: 4, spellcheck: false, placeholder: "Paste a table here: from a PDF, a spreadsheet, a forum",
    "aria-label": `Paste a table into ${node.label}` });
  const preview = el("div");
  const look = async (columns = null) => {
    kept.set(at, { pasted: text.value, columns });
    if (!text.value.trim()) return preview.replaceChildren();
    const found = await writer.paste(node, text.value, columns);
    if (!found.rows) return preview.replaceChildren(el("p", { class: "wrong" }, found.error));
    const selects = found.columns.map((held, number) => {
      const names = [[LEAVE_OUT, "left out"], ...node.columns.map((name) => [name, name || "all classes"]),
        ...found.new.filter(Boolean).map((name) => [name, `new class: ${name}`])];
      return el("select", { "aria-label": `Column ${found.head[number] || number + 1}`, on: { change: () => look(selects.map((one) => one.value)) } },
        ...names.map(([name, shown]) => el("option", { value: name, selected: name === held }, shown)));
    });
    const write = button(`Write ${counted(found.costs, "cost")}`, () => {
      kept.delete(at);
      return writer.write(found.edits, `a table pasted into ${node.label}`);
    }, {
      class: "main", disabled: !found.costs });
    preview.replaceChildren(
      el("div", { class: "wide" }, el("table", {},
        el("thead", {}, el("tr", {}, el("th", {}, ""), ...found.head.map((name, number) => el("th", {}, name, " ", selects[number])))),
        el("tbody", {}, ...found.rows.map(([name, cells]) => el("tr", {}, el("th", { scope: "row" }, name), ...cells.map((cell) => el("td", {}, cell))))))),
      ...(found.cut ? [el("p", { class: "wrong" }, `This table is too long: ${found.cut}. Paste the rest afterwards.`)] : []),
      ...(found.left.length ? [el("p", { class: "help" }, `Not understood, and left out: ${found.left.join("; ")}`)] : []),
      ...(found.error ? [el("p", { class: "wrong" }, found.error)] : []),
      el("p", { class: "help" }, "Compare it with your chart. Nothing is written before you press the button."), write);
  };
  text.addEventListener("input", soon(() => look()));
  const { pasted, columns: chosen } = kept.get(at) ?? {};
  text.value = pasted ?? "";
  if (text.value) look(chosen);
  const take = (table) => {
    text.value = table.text;
    look();
  };
  const offered = writer.tables.map((table) => button(`${table.called}: ${counted(table.rows, "row")}`, () => take(table)));
  const summary = offered.length ? "Paste this chart, or take it from the module" : "Paste this chart";
  return el("details", { class: "paste", open: Boolean(text.value) }, el("summary", {}, summary),
    offered.length ? el("div", { class: "offered" }, el("span", {}, "Tables in the module:"), ...offered) : null, text, preview);
}
