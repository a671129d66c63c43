// The start page, and the look at a game that has no pack yet.

import * as api from "./api.js";
import { button, el } from "./views/tables/kit.js";

const PART = 8_000_000; // bytes of a file that are sent at once
const KINDS = {
  log: "log", save: "saved game", module: "module", extension: "extension of the module", pack: "audit pack",
  table: "table of the pack", facts: "facts of the game", records: "who vouches for which facts",
};
const KNOWN = /\.(vlog|log|vsav|sav|vmod|mod|vmdx|mdx|zip)$|^((pack|facts|game)\.toml|(hexes|lines|units|(facts\.)?provenance)\.csv)$/i;
const TABLES = /^(hexes|lines|units|provenance)\.csv$/i;
const view = document.getElementById("view");
let order = []; // the logs, in the order in which they were played
let busy = false; // whether the page is about to be left
let sent = Promise.resolve(); // until the files that were given before are there

/** Shows the page that belongs to `place`: "start" or "look". */
export async function show(place) {
  setInterval(() => api.get("/api/place").catch(() => {}), 60_000); // this page is still open
  if (place === "look") await look();
  else start(await api.get("/api/start"));
}

/** Says that something takes a while, or what went wrong. */
function tell(text, bad = false) {
  const said = document.getElementById("telling");
  said.textContent = text;
  said.className = bad ? "bad" : "quiet";
}

/** Does something that leads to another page; says what it is at, and what went wrong. */
async function away(path, body, doing) {
  if (busy) return;
  busy = true;
  try {
    await sent.catch(() => {}); // what was given before goes along
    tell(doing);
    await api.post(path, body);
    location.replace("/");
  } catch (error) {
    tell(error.message, true);
  } finally {
    busy = false;
  }
}

// -- the start page

function start(state) {
  document.title = "vassal-umpire";
  document.getElementById("title").textContent = "vassal-umpire";
  document.getElementById("about").textContent = "reads games played in VASSAL, and shows what happened in them";
  const held = document.activeElement?.dataset?.key;
  view.replaceChildren(el("div", { className: "start" },
    own(state), el("p", { id: "telling", role: "status" }), recent(state), sample(state), ending()));
  if (held) view.querySelector(`[data-key="${CSS.escape(held)}"]`)?.focus();
}

function own(state) {
  const file = el("input", { type: "file", id: "files", multiple: true });
  file.onchange = () => given(file.files);
  const folder = el("input", { type: "file", id: "folder", webkitdirectory: true });
  folder.onchange = () => fromFolder(Array.from(folder.files, (one) => ({ path: one.webkitRelativePath, file: one })));
  const drop = el("div", { className: "drop" },
    file, el("label", { htmlFor: "files", textContent: "Choose files" }), " ",
    folder, el("label", { htmlFor: "folder", textContent: "Choose a folder" }),
    el("p", { textContent: "or drop them here: the logs of a game (.vlog), its module (.vmod), and an audit pack if there is one (a folder or a zip)" }),
    el("p", { className: "quiet", textContent: "They are copied and stay on this computer. Your own files are not changed." }));
  drop.ondragover = (event) => { event.preventDefault(); drop.classList.add("over"); };
  drop.ondragleave = () => drop.classList.remove("over");
  drop.ondrop = async (event) => {
    event.preventDefault();
    const files = [...event.dataTransfer.files]; // both are gone once anything is waited for
    const entries = Array.from(event.dataTransfer.items, (item) => item.webkitGetAsEntry?.()).filter(Boolean);
    if (entries.some((entry) => entry.isDirectory)) fromFolder((await Promise.all(entries.map(walk))).flat());
    else given(files);
  };
  const section = el("section", {}, el("h2", { textContent: "Your game" }), drop);
  const logs = state.given.filter((one) => one.kind === "log" || one.kind === "save").map((one) => one.name);
  order = [...order.filter((name) => logs.includes(name)), ...logs.filter((name) => !order.includes(name))];
  const sorted = [...state.given.filter((one) => order.includes(one.name)).sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name)),
    ...state.given.filter((one) => !order.includes(one.name))];
  if (sorted.length) {
    section.append(el("ul", {}, ...sorted.map((one) => givenRow(one, state))));
    const module = state.given.find((one) => one.module)?.module;
    const missing = !order.length ? "the logs of the game" : !state.given.some((one) => one.kind === "module") ? `the module of the game${module ? `, ${module}` : ""} (.vmod)` : "";
    const open = button("Open this game", () => away("/api/start/open", { order }, "The logs are being read …"), { class: "main", disabled: Boolean(missing) });
    section.append(el("div", { className: "row" }, open, missing ? `Still missing: ${missing}.` : ""));
  }
  return section;
}

function givenRow(one, state) {
  const at = order.indexOf(one.name);
  const row = el("li", {}, el("span", {}, el("b", { textContent: one.name }), ` ${at >= 0 && order.length > 1 ? `${KINDS[one.kind]} ${at + 1}` : KINDS[one.kind] ?? one.kind}`));
  if (at > 0) {
    const earlier = button("Earlier", () => {
      order.splice(at - 1, 2, order[at], order[at - 1]);
      start(state);
    });
    earlier.dataset.key = `earlier ${one.name}`;
    earlier.setAttribute("aria-label", `${one.name} was played earlier`);
    row.append(earlier);
  }
  const out = button("Take out", async () => {
    try {
      start(await api.post("/api/start/remove", { name: one.name }));
    } catch (error) {
      tell(error.message, true);
    }
  });
  out.setAttribute("aria-label", `Take out ${one.name}`);
  row.append(out);
  return row;
}

/** The files of a folder that was dropped, and of those in it, each with its path. */
async function walk(entry) {
  if (entry.isFile) {
    return [{ path: entry.fullPath.replace(/^\//, ""), file: await new Promise((done, failed) => entry.file(done, failed)) }];
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length) return (await Promise.all(found.map(walk))).flat();
    found.push(...some);
  }
}

/** Gives the studio what a folder holds of a game; a pack takes the place of the one that was given before. */
async function fromFolder(files) {
  const named = files.map(({ path, file }) => ({ file, name: path.split("/").pop(), home: path.split("/").slice(0, -1).join("/") }));
  const known = named.filter(({ name }) => KNOWN.test(name));
  const game = known.find(({ name }) => name === "game.toml");
  const packs = known.filter(({ name }) => name === "pack.toml");
  if (game) return tell(`${game.home} is a game with its rulings, which stay in its own folder. Open it from a terminal: umpire studio FOLDER`, true);
  if (packs.length > 1) return tell(`There are ${packs.length} audit packs in that folder. Give the folder of one of them.`, true);
  const facts = known.filter(({ name }) => name === "facts.toml").length;
  if (facts > 1) return tell(`There are ${facts} facts.toml in that folder. Give the folder of one game.`, true);
  if (!known.length) return tell("There is no log, module or audit pack in that folder.", true);
  if (packs.length) {
    const before = (await api.get("/api/start")).given.filter((one) => one.kind === "pack" || one.kind === "table");
    for (const { name } of before) await api.post("/api/start/remove", { name });
  }
  await given(known.filter(({ name, home }) => !packs.length || !TABLES.test(name) || home === packs[0].home).map(({ file }) => file));
}

/** Sends files to the studio, part by part, after those that were given before. */
function given(files) {
  const list = [...files];
  sent = sent.catch(() => {}).then(() => send(list));
  return sent;
}

async function send(files) {
  let state = null;
  const faults = [];
  for (const file of files) {
    try {
      for (let at = 0; at < Math.max(file.size, 1); at += PART) {
        tell(`${file.name}: ${Math.floor(100 * at / Math.max(file.size, 1))}%`);
        const asked = new URLSearchParams({ name: file.name, at, size: file.size });
        state = await api.send(`/api/start/file?${asked}`, file.slice(at, at + PART));
      }
    } catch (error) {
      faults.push(error.message.includes(file.name) ? error.message : `${file.name}: ${error.message}`);
    }
  }
  start(state ?? await api.get("/api/start"));
  tell(faults.join(" · "), true);
}

function recent(state) {
  if (!state.recent.length) return "";
  const row = (one, number) => {
    const open = button("Open", () => away("/api/start/recent", { number }, `${one.title} is being read …`), { disabled: !one.there, "aria-label": `Open ${one.title}` });
    const off = button("Take off the list", async () => start(await api.post("/api/start/forget", { number })));
    off.setAttribute("aria-label", `Take ${one.title} off the list; its files stay`);
    const where = one.there ? one.where : `${one.where}: not there any more`;
    return el("li", {}, el("span", {}, el("b", { textContent: one.title }), el("br"),
      el("small", { className: "quiet", textContent: where })), open, off);
  };
  return el("section", {}, el("h2", { textContent: "Games you had open" }), el("ul", {}, ...state.recent.map(row)));
}

function sample(state) {
  if (!state.sample) return "";
  return el("section", {}, el("h2", { textContent: "A game to play with" }),
    el("p", { textContent: "Crossroads, a small made-up game of two turns. You get a copy in a temporary folder; it never mixes with your own games." }),
    el("div", { className: "row" },
      button("Look at it", () => away("/api/start/sample", { pack: true }, "Crossroads is being read …")),
      button("Begin its pack yourself", () => away("/api/start/sample", { pack: false }, "Crossroads is being read …"))));
}

function ending() {
  const end = button("End the program", async () => {
    try {
      await api.post("/api/end").catch((error) => {
        if (error.status && confirm(`${error.message}. End the program all the same?`)) return api.post("/api/end", { anyway: true });
        throw error;
      });
    } catch (error) {
      if (error.status) return; // it goes on; without an answer it has ended already
    }
    view.replaceChildren(el("p", { textContent: "The program has ended. You can close this tab." }));
  });
  return el("section", {}, end);
}

// -- the look at a game

async function look() {
  view.replaceChildren(el("p", { textContent: "What was done in this game is being worked out …" }));
  const other = button("Other game", () => away("/api/start-page", {}, ""));
  const telling = el("p", { id: "telling", role: "status" });
  let told;
  try {
    told = await api.get("/api/done");
  } catch (error) {
    view.replaceChildren(el("div", { className: "look" }, telling, el("div", { className: "row" }, other)));
    tell(`This game cannot be shown: ${error.message}`, true);
    return;
  }
  document.title = `${told.title} – vassal-umpire`;
  document.getElementById("title").textContent = told.title;
  document.getElementById("about").textContent = told.ruled ? "checked by the rules of an audit pack" : "what was done in this game";
  const note = document.getElementById("note");
  note.hidden = !told.note;
  note.textContent = told.note;
  const said = told.ruled
    ? "Rules were applied by a pack; the first lines below say which, and who vouches for it. To change it, work on a copy."
    : `No rules were applied${told.unused ? `: no pack could be used (${told.unused})` : ""}. ${told.unjudged
      ? `No pack can be begun: ${told.unjudged}.`
      : "To have the moves judged, describe the game to the program in an audit pack."}`;
  const begin = button(told.ruled ? "Work on a copy of the pack" : "Begin a pack for this game",
    () => away("/api/begin", {}, "The pack is being written …"), { class: "main" });
  view.replaceChildren(el("div", { className: "look" },
    el("div", { className: "row" }, el("p", {}, said), ...(told.unjudged ? [] : [begin]), other),
    told.unjudged ? "" : el("p", { className: "quiet", textContent: `The pack will be in the folder ${told.home}` }), telling,
    el("iframe", { src: told.report, title: `What was done in ${told.title}` })));
}
