/** The elements of the Board view: the map with its overlay, and the panel beside or below it. */

import { button, el } from "../tables/kit.js";

const TOOLS = [
  ["paint", "Paint", "Enter or drag"],
  ["fill", "Fill ?", "G: fill the hexes around that are not known"],
  ["done", "Hex is done", "D: all six sides of this hex are done"],
  ["pick", "Take up", "P or the right button: take up the brush that is there"],
  ["pan", "Move map", "Space, the middle button or two fingers move it at any time"],
];

/** Builds everything into `root`; gives the parts that change. */
export function panel(root, view, filters, help) {
  const map = el("div", { className: "bd-map", "aria-hidden": "true" });
  const canvas = el("canvas", { className: "bd-overlay", "aria-hidden": "true" });
  const stage = el("div", {
    className: "bd-stage", tabIndex: 0, role: "application", "aria-roledescription": "map",
    "aria-label": "Map. Arrow keys move from hex to hex, Enter paints; Keys, below, lists all keys.",
  }, canvas);
  const live = el("p", { className: "bd-live", role: "status", "aria-live": "assertive" });
  const info = el("p", { className: "bd-info" });
  const held = el("div", { className: "bd-held" }, map, stage);
  const left = el("div", { className: "bd-left" }, held, buttons(view), info, live);
  const legend = el("div", { className: "bd-legend" });
  const tools = toolbar(view);
  const sheets = el("select", { ariaLabel: "Map" });
  const sheetRow = el("label", { className: "bd-row", textContent: "Map " }, sheets);
  sheetRow.hidden = true;
  sheets.onchange = () => view.sheet(view.surfaces[Number(sheets.value)]);
  const waiting = el("p", { className: "bd-waiting", hidden: true, role: "alert" });
  const refused = el("div", { className: "bd-refused", hidden: true, role: "alert" });
  const find = finding(view, filters);
  const side = el("div", { className: "bd-side" }, sheetRow, waiting, refused, legend, tools.row, find.row, fromFile(view), keys(help));
  root.classList.add("bd");
  root.append(left, side);
  return {
    map, canvas, stage, legend,
    info: text => text !== info.textContent && (info.textContent = text),
    live: text => (live.textContent = text),
    tools: tools.draw,
    filter: find.filter,
    counted: find.counted,
    sheets(surfaces) {
      sheets.replaceChildren(...surfaces.map((one, n) => el("option", { value: n, textContent: one.map })));
      sheetRow.hidden = surfaces.length < 2;
    },
    chosen(surface) {
      sheets.value = String(view.surfaces.indexOf(surface));
    },
    empty: text => (info.textContent = text),
    waiting(number) {
      waiting.hidden = !number;
      waiting.textContent = `${number === 1 ? "1 stroke is" : `${number} strokes are`} not written yet. This page keeps trying; leave it open.`;
    },
    refused: list => showRefused(refused, view, list),
  };
}

function buttons(view) {
  const row = el("div", { className: "bd-zoom" });
  const add = (text, label, act) => row.append(button(text, () => view.act(act), { title: label, "aria-label": label }));
  add("+", "Zoom in (+)", "nearer");
  add("−", "Zoom out (−)", "farther");
  add("All", "See all of the map (Home)", "whole");
  const hide = el("button", { type: "button", textContent: "Hide overlay (hold)", title: "Hold to see the map alone (hold O)" });
  hide.onpointerdown = () => view.act("hide");
  for (const event of ["onpointerup", "onpointerleave", "onpointercancel", "onblur"]) hide[event] = () => view.act("unhide");
  hide.onkeydown = event => [" ", "Enter"].includes(event.key) && !event.repeat && view.act("hide");
  hide.onkeyup = () => view.act("unhide");
  hide.oncontextmenu = event => event.preventDefault();
  const strength = el("input", { type: "range", min: 0, max: 1, step: 0.05, value: view.model.opacity });
  strength.oninput = () => view.opacity(Number(strength.value));
  row.append(hide, el("label", { className: "bd-strength", textContent: "Strength " }, strength));
  return row;
}

function toolbar(view) {
  const row = el("fieldset", { className: "bd-tools" }, el("legend", { textContent: "Tool" }));
  for (const [name, title, more] of TOOLS) {
    row.append(button(title, () => view.desk.take(name), { title: more, data: { tool: name } }));
  }
  const check = (name, text) => {
    const box = el("input", { type: "checkbox" });
    box.onchange = () => view.act(name);
    row.append(el("label", { className: "bd-check" }, box, text));
    return box;
  };
  const adding = check("add", "Add to the terrain that is there (A)");
  const removing = check("remove", "Take away instead (X)");
  row.append(button("Not known: ? (E)", () => view.act("unknown"), { title: "The cursor's hex, or its chosen side, is not known" }));
  return {
    row,
    draw(desk) {
      for (const one of row.querySelectorAll("[data-tool]")) one.setAttribute("aria-pressed", String(one.dataset.tool === desk.tool));
      adding.checked = desk.adding;
      removing.checked = desk.removing;
      view.stage.dataset.tool = desk.tool;
    },
  };
}

function finding(view, filters) {
  const row = el("fieldset", { className: "bd-find" }, el("legend", { textContent: "Find" }));
  const next = button("Next cell the audit asks for (N)", () => view.act("next"), { class: "main" });
  const choice = el("select", {}, ...filters.map(([value, text]) => el("option", { value, textContent: text })));
  choice.onchange = () => view.filter(choice.value);
  const counted = el("span", { className: "bd-counted", role: "status" });
  const match = button("Next of these (B)", () => view.act("match"), { hidden: true });
  const field = el("input", { autocomplete: "off", maxLength: 80, placeholder: "0403", ariaLabel: "Go to hex" });
  const form = el("form", { className: "bd-new" }, field, el("button", { textContent: "Go" }));
  form.onsubmit = event => {
    event.preventDefault();
    if (field.value.trim() && view.go(field.value.trim())) view.stage.focus();
  };
  row.append(next, el("label", { className: "bd-row", textContent: "Show " }, choice), counted, match, el("label", { className: "bd-row", textContent: "Go to hex" }), form);
  return {
    row,
    filter(name) {
      choice.value = name;
      match.hidden = !name;
    },
    counted: text => (counted.textContent = text),
  };
}

/** Fills the board in from a table of others; what it said is told below. */
function fromFile(view) {
  const field = el("input", { type: "file", accept: ".csv,.json,.txt,.tsv", ariaLabel: "Fill in from a file" });
  const told = el("div", { className: "bd-filled", role: "status" });
  field.onchange = async () => {
    const [file] = field.files;
    if (!file) return;
    told.replaceChildren("Reading …");
    const { entered, same, lines, more, error } = await view.fillFrom(file);
    field.value = "";
    if (error) return told.replaceChildren(el("p", { className: "bd-warning", textContent: error }));
    const numbers = Object.entries(entered).map(([layer, number]) => `${layer} ${number}`).join(", ") || "nothing";
    const rest = more ? [el("li", { textContent: `and ${more} more` })] : [];
    told.replaceChildren(el("p", { textContent: `Filled in: ${numbers}. There already: ${same}. None of it counts as known until somebody has looked at it; Undo takes it all back.` }),
      el("ul", {}, ...lines.map((line) => el("li", { textContent: line })), ...rest));
  };
  const help = el("p", { className: "quiet", textContent: "A spreadsheet of hexes (CSV with columns such as hex, terrain, features; hexsides by a, b), the terrain.json of vsav-engine, or a HexMap (JSON)." });
  return el("details", { className: "bd-file" }, el("summary", { textContent: "Fill in from a file" }), help, field, told);
}

function keys(help) {
  const rows = help.map(([key, what]) => el("tr", {}, el("th", { scope: "row", textContent: key }), el("td", { textContent: what })));
  return el("details", { className: "bd-keys" }, el("summary", { textContent: "Keys" }), el("table", {}, el("tbody", {}, ...rows)));
}

function showRefused(place, view, list) {
  const rows = list.slice(0, 20).map(({ edit, now, why }) => {
    const cell = edit.hex ?? edit.side ?? edit.cell, what = edit.layer ?? edit.name ?? "";
    const reason = why || `the file now says ${now || "nothing"}`;
    return el("li", {}, button(cell, () => view.go(cell)), ` ${what}: ${reason}`);
  });
  const close = button("I have seen it", () => (place.hidden = true));
  const title = list.length === 1 ? "1 change was not written:" : `${list.length} changes were not written:`;
  place.replaceChildren(el("p", { textContent: title }), el("ul", {}, ...rows), close);
  place.hidden = false;
}
