// The frame around the views: tabs, verdicts, the one card, undo, and what is amiss.

import * as api from "./api.js";
import { inTurn, untilAnswered } from "./queue.js";
import { watchHeader } from "./header.js";

const VIEWS = [
  ["board", "Board"],
  ["suggest", "Suggest"],
  ["units", "Units"],
  ["phases", "Phases"],
  ["rules", "Rules"],
  ["findings", "Questions & findings"],
];
const $ = (id) => document.getElementById(id);
const loaded = new Map();
let current = null;
let turn = 0;
let fading = 0;
let told; // what was amiss last
let signed = ""; // the name of whoever edits
let renaming = false; // whether another one is being typed

/** What views are given. */
const app = {
  get: api.get,
  post: api.post,
  send: api.send,
  picture: api.picture,
  onState: api.onState,
  get state() {
    return api.state;
  },
  go,
  say,
  tried,
  edit,
  change,
  inTurn,
};

/** Says one line for a few seconds. */
function say(text) {
  $("said").textContent = text;
  clearTimeout(fading);
  fading = setTimeout(() => ($("said").textContent = ""), 8000);
}

/** Runs `job`; says what went wrong, and resolves to null then. */
async function tried(job) {
  try {
    return await job();
  } catch (error) {
    say(error.message);
    return null;
  }
}

/** Sends edits under a label; returns those that were refused ([{edit, now, why}]), or null if none went through. */
async function edit(edits, label) {
  return (await change(() => ({ edits }), label)).refused;
}

/** Writes what `make()` gives when all that was typed before is written: `{edits, error}`, where an error means that
 * nothing is written, and a `label` in place of the one given here. Resolves to that with `refused`, as `edit` returns it.
 * `after(edits)` runs when they are written, before anything else is. */
function change(make, label = "", after = null) {
  return inTurn(async () => {
    try {
      const made = await untilAnswered(make);
      if (made.error || !made.edits.length) return { ...made, refused: [] };
      const { refused } = await untilAnswered(() => api.post("/api/edit", { edits: made.edits, label: made.label ?? label }));
      if (refused.length) say(refused[0].why || "The file has changed meanwhile; nothing was overwritten.");
      if (!refused.length) after?.(made.edits);
      return { ...made, refused };
    } catch (error) {
      say(error.message);
      return { edits: [], error: error.message, refused: null };
    }
  });
}

/** Shows a view, and in it what `target` names. */
async function go(name, target = "") {
  const mine = ++turn;
  const hash = `#${name}${target ? `/${encodeURIComponent(target)}` : ""}`;
  if (location.hash !== hash) history.pushState(null, "", hash);
  for (const tab of $("tabs").children) {
    const chosen = tab.dataset.view === name;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    if (chosen) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  if (current?.name !== name) {
    current?.view?.hide?.();
    if (current) current.root.hidden = true;
    current = null;
    scrollTo(0, 0);
  }
  const slow = setTimeout(() => mine === turn && $("view").setAttribute("aria-busy", "true"), 400);
  try {
    const opened = await viewOf(name);
    if (mine !== turn) return;
    current = opened;
    opened.root.hidden = false;
    $("view").setAttribute("aria-labelledby", `tab-${name}`);
    await opened.view?.show?.(target);
  } finally {
    clearTimeout(slow);
    if (mine === turn) $("view").removeAttribute("aria-busy");
  }
}

/** Goes where the card leads; the keyboard goes along, unless the view has put it somewhere itself. */
async function follow(card) {
  await go(card.view, card.target);
  if (document.activeElement !== $("card-go")) return;
  $("view").focus({ preventScroll: true });
}

/** The view of this name, mounted once, however often it is asked for meanwhile. */
function viewOf(name) {
  if (!loaded.has(name)) loaded.set(name, mounted(name));
  return loaded.get(name);
}

/** A view, mounted. One that is not there shows a plain line. */
async function mounted(name) {
  const root = document.createElement("section");
  root.className = `view-${name}`;
  root.hidden = true;
  const opened = { name, root, view: null };
  $("view").append(root);
  try {
    const there = await fetch(`/page/views/${name}.js`, { method: "GET" });
    if (there.status === 404) {
      root.append(line("This view is not part of the studio yet."));
      return opened;
    }
    const style = await fetch(`/page/views/${name}.css`);
    if (style.ok) await addStyle(`/page/views/${name}.css`);
    opened.view = (await import(`/page/views/${name}.js`)).default;
    await opened.view.mount(root, app);
  } catch (error) {
    loaded.delete(name);
    root.replaceChildren(line(`This view could not be opened: ${error.message}`));
    console.error(error);
  }
  return opened;
}

function addStyle(href) {
  return new Promise((resolve) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
}

function line(text) {
  const p = document.createElement("p");
  p.textContent = text;
  return p;
}

function makeTabs() {
  for (const [name, title] of VIEWS) {
    const tab = document.createElement("button");
    Object.assign(tab, { type: "button", id: `tab-${name}`, textContent: title, tabIndex: -1 });
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", "view");
    tab.setAttribute("aria-selected", "false");
    tab.dataset.view = name;
    tab.onclick = () => go(name);
    $("tabs").append(tab);
  }
  $("tabs").onkeydown = (event) => {
    const tabs = [...$("tabs").children];
    const at = tabs.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const next = tabs[(to + tabs.length) % tabs.length];
    next.focus();
    next.click();
  };
}

function show(state) {
  const pack = state.pack.title || state.pack.name;
  document.title = `${state.game || pack} – pack studio`;
  $("title").textContent = state.game || pack;
  const logs = state.logs.length === 1 ? "1 log" : `${state.logs.length} logs`;
  const eyes = state.eyes === "everyone" ? "" : ` · as seen by the ${state.eyes}`;
  const module = state.module === $("title").textContent ? "" : `${state.module} · `;
  const folder = state.pack.folder.split(/[\\/]/).pop();
  const named = !state.game || pack === state.game || pack === state.module ? "" : `${pack} · `;
  $("about").textContent = `${named}${module}${logs} · rules ${state.pack.ruleset} · folder ${folder}${eyes}`;
  $("about").title = state.pack.folder;
  for (const verdict of ["legal", "illegal", "unverifiable"]) {
    $(verdict).textContent = state.judged ? state.counts[verdict].toLocaleString("en") : "–";
  }
  const [decided, drags] = state.drags;
  $("drags").textContent = state.judged && drags ? `${Math.floor(100 * decided / drags)}%` : "–";
  $("drags").parentElement.title = `${decided.toLocaleString("en")} of ${drags.toLocaleString("en")} drags of pieces on the map are legal or illegal`;
  const busy = [state.judging, ...state.jobs].filter(Boolean);
  $("judging").textContent = busy.map(progress).join(" · ");
  if ($("card-text").textContent !== state.card.text) $("card-text").textContent = state.card.text;
  $("card-go").onclick = () => follow(state.card);
  $("reader").hidden = !state.reader;
  for (const name of ["undo", "redo"]) {
    $(name).disabled = state[name] === null || state.reader;
    $(name).title = state[name] === null ? "" : `${name === "undo" ? "Undo" : "Redo"}: ${state[name]}`;
  }
  if (state.who !== signed) renaming = false;
  signed = state.who;
  $("name").hidden = (Boolean(state.who) && !renaming) || state.reader;
  $("signed").hidden = !state.who || state.reader;
  $("signed").textContent = `Signed: ${state.who}${state.by === "program" ? " (a program)" : ""}`;
  $("note").hidden = !state.note;
  $("note").textContent = state.note;
  const amiss = [...state.trouble, ...state.problems].slice(0, 4);
  if (amiss.length && amiss[0] !== told && scrollY > 0) say(amiss[0]); // the notice itself may have scrolled away
  told = amiss[0];
  $("trouble").hidden = !amiss.length;
  $("trouble").replaceChildren(...amiss.map(line));
}

function progress({ what, done, of }) {
  return of ? `${what}: ${done.toLocaleString("en")} of ${of.toLocaleString("en")}` : `${what} …`;
}

async function back(name, overwrite = false) {
  const told = await tried(() => inTurn(() => api.post(`/api/${name}`, { overwrite })));
  if (told?.conflict?.length) {
    const cells = told.conflict.map((one) => `${one.what} (now ${one.now || "empty"})`).join(", ");
    if (confirm(`Changed elsewhere since: ${cells}. Overwrite it?`)) await back(name, true);
  } else if (told) say(`${name === "undo" ? "Taken back" : "Done again"}: ${told.label}`);
}

function typing(target) {
  return target.closest?.("input, textarea, select, [contenteditable]") !== null;
}

function listen() {
  $("undo").onclick = () => back("undo");
  $("redo").onclick = () => back("redo");
  $("start-page").onclick = () => tried(() => inTurn(() => api.leaveFor("/api/start-page"))); // what was typed last is written before
  $("signed").onclick = () => {
    renaming = true;
    $("name").hidden = false;
    $("who").value = signed;
    $("who").focus();
  };
  $("take-over").onclick = () => tried(() => api.post("/api/take-over"));
  $("name").onsubmit = async (event) => {
    event.preventDefault();
    await tried(() => api.post("/api/who", { who: $("who").value, by: $("by-program").checked ? "program" : "person" }));
    renaming = false;
    if (api.state) show(api.state);
  };
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || typing(event.target)) return;
    const key = event.key.toLowerCase();
    const name = key === "z" && !event.shiftKey ? "undo" : key === "y" || (key === "z" && event.shiftKey) ? "redo" : "";
    if (!name) return;
    event.preventDefault();
    if (!$(name).disabled) back(name);
  });
  addEventListener("popstate", fromAddress);
  api.onState(show);
  api.onLine((why) => {
    $("lost").hidden = !why;
    $("lost").textContent = why === "ended"
      ? "This page belongs to a studio that has ended. Start “umpire studio” again and use its new link."
      : "The studio does not answer. Is it still running in the terminal? This page goes on as soon as it answers.";
  });
}

function fromAddress() {
  const [name, target = ""] = location.hash.slice(1).split("/");
  const known = VIEWS.some(([view]) => view === name);
  go(known ? name : "board", known ? decodeURIComponent(target) : "");
}

try {
  await api.open();
  const { place } = await api.get("/api/place");
  if (place === "studio") {
    document.body.classList.add("at-studio");
    makeTabs();
    watchHeader();
    listen();
    api.follow();
    fromAddress();
  } else {
    await addStyle("/page/start.css");
    await (await import("./start.js")).show(place);
  }
} catch (error) {
  $("lost").hidden = false;
  $("lost").textContent = error.message;
}
