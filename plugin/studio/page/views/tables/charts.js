// All charts of the ruleset on one screen: what the game has of each, and costs that the files ask for and no chart has.

import { plainName } from "./fields.js";
import { button, counted, el, own } from "./kit.js";

const STATES = [["open", "not all of it yet"], ["whole", "all of it"], ["none", "the game has none"]];

/** What a pressed pointer is drawn over: a state, and charts. It outlives that the table is drawn anew meanwhile. */
let stroke = null;

/**
 * What is shown of the charts in `told`. `writer.vouch([[chart, state], …])` writes ticks, `writer.change(path, text, column)` a cost,
 * `writer.open(name)` shows one chart.
 */
export function allCharts(told, writer) {
  const table = el("table", { class: "all-charts" },
    el("thead", {}, el("tr", {}, el("th", {}, "chart"), el("th", { class: "asks" }, "what your game has"), ...STATES.map(([, head]) => el("th", { scope: "col" }, head)), el("th", {}, "asked by"))));
  const body = el("tbody");
  for (const chart of told.charts.filter((one) => one.ticked)) body.append(line(chart, writer));
  table.append(body);
  dragged(body, writer);
  const made = [el("h2", {}, "All charts"),
    el("p", { class: "help" }, "What does your game have of each? Type it into the chart, and choose how much of it you have typed; drag down to choose for several. For an empty chart, say that the game has none, or leave it at “not all of it yet”."),
    el("div", { class: "wide" }, table)];
  if (!told.opens) made.push(el("p", { class: "help" }, "This ruleset counts every chart as complete, whatever you choose here."));
  const missing = told.charts.flatMap((chart) => [...grids(chart.form)]).flatMap((grid) => grid.offered.map((name) => [grid, name]));
  if (missing.length && !writer.reader) {
    made.push(el("h3", {}, "Used in your files, and without a cost"),
      el("p", { class: "help" }, "One cost for all classes; for more, open the chart. Enter goes on to the next."),
      el("div", { class: "missing" }, ...missing.slice(0, 40).map(([grid, name]) => cost(grid, name, writer))));
  }
  return made;
}

function line(chart, writer) {
  const group = own("vouch");
  const title = plainName(chart.title);
  const ticks = STATES.map(([state, text]) => {
    if (state === "whole" && chart.empty) return el("td", {});
    const box = el("input", { type: "radio", name: group, value: state, checked: (stroke?.charts.size > 1 && stroke.charts.has(chart.name) ? stroke.state : chart.state) === state, disabled: writer.reader,
      title: state === "whole" ? chart.vouches : "", data: { chart: chart.name } });
    box.setAttribute("aria-label", `${title}: ${text}`);
    box.addEventListener("change", () => writer.vouch([[chart.name, state]]));
    return el("td", { class: "pick" }, el("label", {}, box, state === "none" ? el("small", {}, chart.none) : null));
  });
  return el("tr", {},
    el("th", { scope: "row" }, button(title, () => writer.open(chart.name), { "aria-label": `Open ${title}` })),
    el("td", { class: "asks" }, el("small", { class: "help" }, chart.question)),
    ...ticks, el("td", { class: "quiet" }, chart.waiting ? counted(chart.waiting, "move") : ""));
}

/** Ticks what a pressed pointer is drawn over, in the column in which it was pressed. */
function dragged(body, writer) {
  const boxAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".all-charts td")?.querySelector("input");
  body.addEventListener("pointerdown", (event) => {
    const box = boxAt(event);
    const begun = box && !box.disabled && event.button === 0 && event.pointerType !== "touch";
    stroke = begun ? { state: box.value, charts: new Set([box.dataset.chart]) } : null;
  });
  body.addEventListener("pointermove", (event) => {
    if (!stroke || !(event.buttons & 1)) return;
    const box = boxAt(event);
    if (!box || box.value !== stroke.state || stroke.charts.has(box.dataset.chart)) return;
    stroke.charts.add(box.dataset.chart);
    for (const one of body.querySelectorAll("input")) {
      if (one.value === stroke.state && stroke.charts.has(one.dataset.chart)) one.checked = true;
    }
  });
  body.addEventListener("pointerup", () => {
    const { state, charts } = stroke ?? { charts: new Set() };
    stroke = null;
    if (charts.size > 1) writer.vouch([...charts].map((chart) => [chart, state]));
  });
}

function* grids(node) {
  if (node.kind === "grid" && !node.fixed && node.offered?.length) yield node;
  for (const one of node.fields ?? []) yield* grids(one);
}

function cost(grid, name, writer) {
  const id = own("cost");
  const input = el("input", { id, size: 8, placeholder: "cost", autocomplete: "off", data: { at: `cost ${JSON.stringify([...grid.path, name])}`, was: "" } });
  const wrong = el("small", { class: "wrong", role: "alert" });
  const send = async () => {
    if (!input.value.trim() || input.dataset.sent === input.value) return;
    input.dataset.sent = input.value;
    const path = [...grid.path, name, ...(grid.inner ? [grid.inner] : [])];
    wrong.textContent = await writer.change(path, input.value, grid.columns.includes("") ? "" : grid.columns[0]);
  };
  input.addEventListener("change", send);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const all = [...input.closest(".missing").querySelectorAll("input")];
    const next = all[all.indexOf(input) + 1];
    if (next) next.focus();
    else input.blur(); // what is written goes from here, and nothing is drawn anew under the focus
    send();
  });
  return el("div", { class: "field" }, el("label", { for: id }, `${name} (${plainName(grid.label)})`), el("div", {}, input, wrong));
}
