/** The elements of the Board view: the map with its overlay, and the panel beside or below it. */

import { element } from "./legend.js";

const TOOLS = [
  ["paint", "Paint", "Enter or drag"],
  ["fill", "Fill ?", "G: fill the hexes around that are not known"],
  ["done", "Hex is done", "D: all six sides of this hex are told"],
  ["pick", "Take up", "P or the right button: take up the brush that is there"],
  ["pan", "Move map", "Space, the middle button or two fingers move it at any time"],
];

/** Builds everything into `root`; gives the parts that change. */
export function panel(root, view, filters, help) {
  const map = element("div", { className: "bd-map" });
  const canvas = element("canvas", { className: "bd-overlay" });
  const stage = element("div", { className: "bd-stage", tabIndex: 0 });
  stage.setAttribute("role", "application");
  stage.setAttribute("aria-roledescription", "map");
  stage.setAttribute("aria-label", "Map. Arrow keys move from hex to hex, Enter paints; all keys stand below under Keys.");
  canvas.setAttribute("aria-hidden", "true");
  map.setAttribute("aria-hidden", "true");
  stage.append(canvas);
  const live = element("p", { className: "bd-live" });
  live.setAttribute("role", "status");
  live.setAttribute("aria-live", "assertive");
  const info = element("p", { className: "bd-info" });
  const held = element("div", { className: "bd-held" }, map, stage);
  const left = element("div", { className: "bd-left" }, held, buttons(view), info, live);
  const legend = element("div", { className: "bd-legend" });
  const tools = toolbar(view);
  const sheets = element("select", { ariaLabel: "Map" });
  const sheetRow = element("label", { className: "bd-row", textContent: "Map " }, sheets);
  sheetRow.hidden = true;
  sheets.onchange = () => view.sheet(view.surfaces[Number(sheets.value)]);
  const waiting = element("p", { className: "bd-waiting", hidden: true });
  waiting.setAttribute("role", "alert");
  const refused = element("div", { className: "bd-refused", hidden: true });
  refused.setAttribute("role", "alert");
  const find = finding(view, filters);
  const side = element("div", { className: "bd-side" }, sheetRow, waiting, refused, legend, tools.row, find.row, fromFile(view), keys(help));
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
      sheets.replaceChildren(...surfaces.map((one, n) => element("option", { value: n, textContent: one.map })));
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
  const row = element("div", { className: "bd-zoom" });
  const add = (text, label, act) => {
    const button = element("button", { type: "button", textContent: text, title: label, ariaLabel: label });
    button.onclick = () => view.act(act);
    row.append(button);
    return button;
  };
  add("+", "Zoom in (+)", "nearer");
  add("−", "Zoom out (−)", "farther");
  add("All", "See all of the map (Home)", "whole");
  const hide = element("button", { type: "button", textContent: "Hide overlay (hold)", title: "Hold to see the map alone (hold O)" });
  hide.onpointerdown = () => view.act("hide");
  for (const event of ["onpointerup", "onpointerleave", "onpointercancel", "onblur"]) hide[event] = () => view.act("unhide");
  hide.onkeydown = event => [" ", "Enter"].includes(event.key) && !event.repeat && view.act("hide");
  hide.onkeyup = () => view.act("unhide");
  hide.oncontextmenu = event => event.preventDefault();
  const strength = element("input", { type: "range", min: 0, max: 1, step: 0.05, value: view.model.opacity });
  strength.oninput = () => view.opacity(Number(strength.value));
  row.append(hide, element("label", { className: "bd-strength", textContent: "Strength " }, strength));
  return row;
}

function toolbar(view) {
  const row = element("fieldset", { className: "bd-tools" }, element("legend", { textContent: "Tool" }));
  for (const [name, title, more] of TOOLS) {
    const button = element("button", { type: "button", textContent: title, title: more });
    button.dataset.tool = name;
    button.onclick = () => view.desk.take(name);
    row.append(button);
  }
  const check = (name, text) => {
    const box = element("input", { type: "checkbox" });
    box.onchange = () => view.act(name);
    row.append(element("label", { className: "bd-check" }, box, text));
    return box;
  };
  const adding = check("add", "Add to the terrain that is there (A)");
  const removing = check("remove", "Take away instead (X)");
  const unknown = element("button", { type: "button", textContent: "Not known: ? (E)", title: "The cursor's hex, or its chosen side, is not known" });
  unknown.onclick = () => view.act("unknown");
  row.append(unknown);
  return {
    row,
    draw(desk) {
      for (const button of row.querySelectorAll("[data-tool]")) button.setAttribute("aria-pressed", String(button.dataset.tool === desk.tool));
      adding.checked = desk.adding;
      removing.checked = desk.removing;
      view.stage.dataset.tool = desk.tool;
    },
  };
}

function finding(view, filters) {
  const row = element("fieldset", { className: "bd-find" }, element("legend", { textContent: "Find" }));
  const next = element("button", { type: "button", className: "main", textContent: "Next cell the audit asks for (N)" });
  next.onclick = () => view.act("next");
  const choice = element("select", {}, ...filters.map(([value, text]) => element("option", { value, textContent: text })));
  choice.onchange = () => view.filter(choice.value);
  const counted = element("span", { className: "bd-counted" });
  counted.setAttribute("role", "status");
  const match = element("button", { type: "button", textContent: "Next of these (B)" });
  match.onclick = () => view.act("match");
  const field = element("input", { autocomplete: "off", maxLength: 80, placeholder: "0403", ariaLabel: "Go to hex" });
  const form = element("form", { className: "bd-new" }, field, element("button", { textContent: "Go" }));
  form.onsubmit = event => {
    event.preventDefault();
    if (field.value.trim() && view.go(field.value.trim())) view.stage.focus();
  };
  row.append(next, element("label", { className: "bd-row", textContent: "Show " }, choice), counted, match, element("label", { className: "bd-row", textContent: "Go to hex" }), form);
  match.hidden = true;
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
  const field = element("input", { type: "file", accept: ".csv,.json,.txt,.tsv", ariaLabel: "Fill in from a file" });
  const told = element("div", { className: "bd-filled" });
  told.setAttribute("role", "status");
  field.onchange = async () => {
    const [file] = field.files;
    if (!file) return;
    told.replaceChildren("Reading …");
    const { entered, same, lines, more, error } = await view.fillFrom(file);
    field.value = "";
    if (error) return told.replaceChildren(element("p", { className: "bd-warning", textContent: error }));
    const numbers = Object.entries(entered).map(([layer, number]) => `${layer} ${number}`).join(", ") || "nothing";
    const rest = more ? [element("li", { textContent: `and ${more} more` })] : [];
    told.replaceChildren(element("p", { textContent: `Filled in: ${numbers}. There already: ${same}. None of it counts as known until somebody has looked at it; Undo takes all of it back.` }),
      element("ul", {}, ...lines.map((line) => element("li", { textContent: line })), ...rest));
  };
  const help = element("p", { className: "quiet", textContent: "A spreadsheet of hexes (CSV with columns such as hex, terrain, features; hexsides by a, b), the terrain.json of vsav-engine, or a HexMap (JSON)." });
  return element("details", { className: "bd-file" }, element("summary", { textContent: "Fill in from a file" }), help, field, told);
}

function keys(help) {
  const rows = help.map(([key, what]) => element("tr", {}, element("th", { scope: "row", textContent: key }), element("td", { textContent: what })));
  return element("details", { className: "bd-keys" }, element("summary", { textContent: "Keys" }), element("table", {}, element("tbody", {}, ...rows)));
}

function showRefused(place, view, list) {
  const rows = list.slice(0, 20).map(({ edit, now, why }) => {
    const cell = edit.hex ?? edit.side ?? edit.cell, what = edit.layer ?? edit.name ?? "";
    const go = element("button", { type: "button", textContent: cell });
    go.onclick = () => view.go(cell);
    const reason = why || `the file says ${now || "nothing"} by now`;
    return element("li", {}, go, ` ${what}: ${reason}`);
  });
  const close = element("button", { type: "button", textContent: "I have seen it" });
  close.onclick = () => (place.hidden = true);
  const title = list.length === 1 ? "1 change was not written:" : `${list.length} changes were not written:`;
  place.replaceChildren(element("p", { textContent: title }), element("ul", {}, ...rows), close);
  place.hidden = false;
}
