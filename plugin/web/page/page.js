// The page: takes files, asks the worker, shows what it answers. Nothing here talks to anybody else.
"use strict";
const MOST = 300 * 1024 * 1024; // as in dropped.py, told before anything is read
const KNOWN = /\.(vlog|log|vsav|sav|vmod|mod|vmdx|mdx|zip)$|^(pack\.toml|facts\.toml|hexes\.csv|lines\.csv|units\.csv|(facts\.)?provenance\.csv)$/i;
const KINDS = {
  log: "log", save: "saved position", module: "module", extension: "extension of the module", pack: "audit pack",
  table: "table of the audit pack", facts: "facts of this game", records: "who vouches for which facts", game: "a whole game",
};
const OF_A_PACK = ["pack", "table"];
const TABLES = /(^|\/)(hexes|lines|units|provenance)\.csv$/;
const DOING = { audit: "Auditing", check: "Checking", mail: "Writing the mail", annotate: "Annotating" };

const at = (id) => document.getElementById(id);
const natural = new Intl.Collator("en", { numeric: true });
const sources = []; // what was dropped: { path, file }
let taken = []; // what the program made of it: { name, kind, sides, module }, logs in their order
let moved = false; // whether somebody put the logs in an order of his own
let worker = null;
let ready = false;
let busy = false;
let stopped = false; // for good
let waiting = new Map(); // id of a call → what to do with its answer
let calls = 0;
let urls = [];

// -- the worker ------------------------------------------------------------------------------------

function start() {
  ready = false;
  const source = `import ${JSON.stringify(new URL("worker.js", location.href).href)};`;
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  worker = new Worker(url, { type: "module" });
  worker.onmessage = ({ data }) => heard(data);
  worker.onerror = (event) => dead(event.message || "the program does not start");
}

function heard(data) {
  if (data.progress) return progress(data.progress);
  if (data.dead) return dead(data.dead);
  if (data.ready) {
    ready = true;
    if (!busy) tell("The program is ready.");
    keep();
    return arrange();
  }
  const { done, failed } = waiting.get(data.id);
  waiting.delete(data.id);
  if (data.answer) done(data.answer);
  else failed(new Error(data.broken));
}

function call(name, ...given) {
  return new Promise((done, failed) => {
    calls += 1;
    waiting.set(calls, { done, failed });
    worker.postMessage({ id: calls, call: name, given });
  });
}

const FULL = "The memory of this page is used up. Close other tabs and load the page again; for a large game use the program itself.";

function dead(why) { // the worker, for good
  const said = ready
    ? `The program stopped (${why}). Load the page again; if it stops once more, use the program itself.`
    : `The program cannot run here (${why}). It needs a recent Firefox, Chrome, Edge or Safari.`;
  busy = ready = false;
  stopped = true;
  tell("");
  trouble(/memory|allocat/i.test(why) ? FULL : said);
  arrange();
}

async function again() { // after a cancel: a new worker, the same files
  for (const { failed } of waiting.values()) failed(null);
  waiting = new Map();
  worker.terminate();
  start();
  const names = new Set(taken.map((one) => one.name));
  for (const source of [...sources]) {
    const answer = await call("put", source.path, new Uint8Array(await source.file.arrayBuffer()));
    for (const one of answer.taken) if (!names.has(one.name)) await call("remove", one.name);
  }
}

// -- files -----------------------------------------------------------------------------------------

const basename = (path) => path.split("/").pop();
const parent = (path) => path.split("/").slice(0, -1).join("/");

async function withoutPack() { // nothing of the pack that was there may stay with another one
  const gone = taken.filter(({ kind }) => OF_A_PACK.includes(kind)).map(({ name }) => name);
  taken = taken.filter(({ kind }) => !OF_A_PACK.includes(kind));
  for (const name of gone) forget(name);
  await call("without_pack");
}

function forget(name) {
  const source = sources.findIndex(({ path }) => basename(path) === name);
  if (source >= 0) sources.splice(source, 1);
}

async function take(files, fromFolder) {
  quiet();
  const known = files.filter(({ path }) => !fromFolder || KNOWN.test(basename(path)));
  if (!known.length) return trouble("There is no log, module or audit pack in that folder.");
  const packs = known.filter(({ path }) => basename(path) === "pack.toml").map(({ path }) => parent(path));
  if (packs.length > 1) return trouble(`There are ${packs.length} audit packs among these: take one of them.`);
  // tables beside another pack are not of this one
  const wanted = known.filter(({ path }) => !packs.length || !TABLES.test(path) || parent(path) === packs[0]);
  const troubles = [];
  busy = true;
  arrange();
  try {
    if (packs.length) await withoutPack();
  } catch (error) {
    if (error) dead(error.message);
    return; // else it was cancelled
  }
  for (const { path, file } of wanted) {
    const all = sources.reduce((sum, one) => sum + (one.path === path ? 0 : one.file.size), 0) + file.size;
    if (all > MOST) {
      troubles.push(`${file.name}: is too large; all files together may have 300 MiB. For a game like this use the program itself.`);
      continue;
    }
    tell(`Reading ${file.name} …`);
    try {
      const answer = await call("put", path, new Uint8Array(await file.arrayBuffer()));
      if (answer.trouble) troubles.push(answer.trouble);
      if (answer.taken.length) {
        const same = sources.findIndex((one) => one.path === path);
        if (same >= 0) sources.splice(same, 1);
        sources.push({ path, file });
      }
      const fresh = answer.taken.map(({ name }) => name);
      taken = taken.filter(({ name }) => answer.held.includes(name) && !fresh.includes(name));
      taken.push(...answer.taken);
    } catch (error) {
      if (!error) return; // cancelled: the files that were taken before stay
      troubles.push(`${file.name}: cannot be read (${error.message})`);
    }
  }
  if (!moved) taken.sort((one, other) => natural.compare(one.name, other.name));
  busy = false;
  tell(ready ? "Ready." : "");
  if (troubles.length) trouble(troubles.join("\n"));
  arrange();
}

async function walk(entry) {
  if (entry.isFile) {
    const file = await new Promise((done, failed) => entry.file(done, failed));
    return [{ path: entry.fullPath.replace(/^\//, ""), file }];
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length) break;
    found.push(...some);
  }
  return (await Promise.all(found.map(walk))).flat();
}

async function dropped(transfer) {
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const files = Array.from(transfer.files, (file) => ({ path: file.name, file }));
  if (!entries.some((entry) => entry.isDirectory)) return take(files, false);
  return take((await Promise.all(entries.map(walk))).flat(), true);
}

const isLog = (one) => one.kind === "log" || one.kind === "save";
const logs = () => taken.filter(isLog).map((one) => one.name);

const PACK = "the audit pack";

function lacking() {
  const has = (...kinds) => taken.some((one) => kinds.includes(one.kind));
  if (has("game")) return [];
  const module = taken.find((one) => one.module)?.module;
  return [
    ...(has("log", "save") ? [] : ["a log (.vlog)"]),
    ...(has("module") ? [] : [`the module ${module ? `${module} ` : ""}(.vmod)`]),
    ...(has("pack") ? [] : [PACK]),
  ];
}

function button(text, label, onclick) {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: text, onclick });
  made.setAttribute("aria-label", label);
  made.disabled = busy;
  return made;
}

function arrange() { // everything that follows from the state
  const [logRows, others] = [taken.filter(isLog), taken.filter((one) => !isLog(one))];
  const tables = others.filter((one) => one.kind === "table");
  const listed = lacking().includes(PACK) ? others : others.filter((one) => one.kind !== "table");
  at("list").replaceChildren(...[...logRows, ...listed].map((one) => {
    const row = document.createElement("li");
    const name = Object.assign(document.createElement("span"), { className: "name", textContent: one.name });
    const number = logRows.length > 1 && isLog(one) ? ` ${logRows.indexOf(one) + 1}` : "";
    const more = one.name === "pack.toml" && tables.length ? `, with ${tables.map((table) => table.name).join(", ")}` : "";
    const kind = Object.assign(document.createElement("span"), { className: "kind", textContent: KINDS[one.kind] + number + more });
    const moves = Object.assign(document.createElement("span"), { className: "moves" });
    if (number) {
      moves.append(button("↑", `${one.name}: earlier`, () => shift(one, -1)), button("↓", `${one.name}: later`, () => shift(one, 1)));
    }
    moves.append(button("Take out", `Take ${one.name} out`, () => remove(one)));
    row.append(name, kind, moves);
    return row;
  }));
  const missing = lacking();
  const bare = missing.length === 1 && missing[0] === PACK; // what was done can be told
  const without = " Without it, the audit shows what was done and applies no rules.";
  at("missing").textContent = taken.length && missing.length ? `Still missing: ${missing.join(", ")}.${bare ? without : ""}` : "";
  for (const ask of document.querySelectorAll("[data-ask]")) {
    ask.disabled = !ready || busy || (missing.length > 0 && !(bare && ask.dataset.ask === "audit"));
  }
  for (const id of ["files", "folder", "sample"]) at(id).disabled = busy || stopped;
  at("cancel").hidden = !(busy && ready);
  at("bar").hidden = ready && !busy;
  const sides = taken.flatMap((one) => one.sides || []);
  const options = Array.from(at("side").options).filter((option) => option.value && option.value !== "*");
  if (options.map((option) => option.value).join("\n") !== sides.join("\n")) {
    for (const option of options) option.remove();
    for (const side of sides) at("side").add(new Option(`${side}: also what that side may see`, side));
  }
}

function shift(one, by) {
  const rows = taken.filter(isLog);
  const place = rows.indexOf(one);
  const other = rows[place + by];
  if (!other) return;
  const [here, there] = [taken.indexOf(one), taken.indexOf(other)];
  [taken[here], taken[there]] = [other, one];
  moved = true;
  arrange();
  document.querySelector(`[aria-label="${CSS.escape(`${one.name}: ${by < 0 ? "earlier" : "later"}`)}"]`)?.focus();
}

async function remove(one) {
  quiet();
  const gone = [one.name, ...(one.name === "pack.toml" ? taken.filter(({ kind }) => kind === "table").map(({ name }) => name) : [])];
  taken = taken.filter(({ name }) => !gone.includes(name));
  for (const name of gone) forget(name);
  arrange();
  at("files").focus();
  for (const name of gone) await call("remove", name);
}

// -- what is asked, and the answer ------------------------------------------------------------------

async function ask(what) {
  quiet();
  at("result").hidden = true;
  busy = true;
  arrange();
  const begun = Date.now();
  tell(`${DOING[what]} …`);
  const side = at("side").value;
  const given = { audit: [logs(), side], check: [logs(), side, columns()], annotate: [logs(), side], mail: [logs(), title()] }[what];
  try {
    const answer = await call(what, ...given);
    busy = false;
    tell("Ready.");
    if (answer.trouble) trouble(/MemoryError/.test(answer.trouble) ? FULL : answer.trouble);
    else show(what, answer, Math.max(1, Math.round((Date.now() - begun) / 1000)));
  } catch (error) {
    if (error) dead(error.message.trim().split("\n").pop());
  }
  arrange();
}

const title = () => (taken.find((one) => one.kind === "module")?.name || "game").replace(/\.[^.]*$/, "");

function columns() { // of the text of a check, so that its lines fit
  at("result").hidden = at("text").hidden = false;
  at("text").textContent = "0".repeat(10);
  const range = document.createRange();
  range.selectNodeContents(at("text"));
  const style = getComputedStyle(at("text"));
  const room = at("text").clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const fit = Math.floor(room / (range.getBoundingClientRect().width / 10));
  at("result").hidden = at("text").hidden = true;
  return Math.max(40, Math.min(80, fit));
}

function link(text, url, more) {
  return Object.assign(document.createElement("a"), { className: "button", textContent: text, href: url, ...more });
}

function show(what, answer, seconds) {
  for (const url of urls) URL.revokeObjectURL(url);
  urls = [];
  const kept = answer.files.map(({ name, bytes }) => {
    const type = name.endsWith(".html") ? "text/html" : "application/octet-stream";
    const url = URL.createObjectURL(new Blob([bytes], { type }));
    urls.push(url);
    return { name, url };
  });
  if (what === "check") {
    const url = URL.createObjectURL(new Blob([answer.text], { type: "text/plain;charset=utf-8" }));
    urls.push(url);
    kept.push({ name: "check.txt", url });
  }
  const links = kept.map(({ name, url }) => link(`Save ${name}`, url, { download: name }));
  if (what === "audit") links.push(link("Open it in its own tab", kept[0].url, { target: "_blank" }));
  at("saves").replaceChildren(...links);
  at("said").textContent = `Done in ${seconds} s, on this computer.`;
  at("notes").hidden = !answer.notes;
  at("notes").textContent = answer.notes;
  at("text").hidden = what !== "check";
  at("text").textContent = what === "check" ? answer.text : "";
  at("report").hidden = what !== "audit";
  if (what === "audit") at("report").src = kept[0].url;
  at("result").hidden = false;
  at("result").focus();
}

async function cancel() {
  tell("Cancelled. The program is being started again …");
  try {
    await again();
  } catch {
    return; // cancelled once more
  }
  busy = false;
  tell("Cancelled. The program is ready again.");
  arrange();
}

function progress({ what, done, of }) {
  if (ready && !busy) return;
  tell(`${what[0].toUpperCase()}${what.slice(1)}${of ? `: ${done} of ${of}` : ""} …`);
  if (of) Object.assign(at("bar"), { max: of, value: done });
  else at("bar").removeAttribute("value");
}

const tell = (text) => { at("status").textContent = text; };
const quiet = () => { at("trouble").hidden = true; };

function trouble(text) {
  at("trouble").textContent = text;
  at("trouble").hidden = false;
  at("trouble").scrollIntoView({ block: "nearest" });
}

const installed = (one) => new Promise((done, failed) => {
  one.onstatechange = () => {
    if (one.state === "redundant") failed(new Error("not all files could be kept"));
    else done();
  };
});

async function keep() { // the service worker, for the next time without a connection
  if (!navigator.serviceWorker) return;
  try {
    const { installing } = await navigator.serviceWorker.register("sw.js");
    if (installing) await installed(installing);
    else await navigator.serviceWorker.ready;
    at("offline").textContent = "This page is now kept on this computer: it works without a connection, too.";
  } catch {
    at("offline").textContent = "This page could not be kept on this computer; it works as long as there is a connection.";
  }
}

// -- what people do ----------------------------------------------------------------------------------

for (const [id, fromFolder] of [["files", false], ["folder", true]]) {
  at(id).onchange = async ({ target }) => {
    const files = Array.from(target.files, (file) => ({ path: file.webkitRelativePath || file.name, file }));
    target.value = "";
    await take(files, fromFolder);
  };
}
at("sample").onclick = async () => {
  const answer = await fetch("sample.zip").catch(() => null);
  if (!answer?.ok) return trouble("The sample game is not beside this page.");
  return take([{ path: "sample.zip", file: new File([await answer.blob()], "sample.zip") }], false);
};
document.ondragover = (event) => { event.preventDefault(); at("drop").classList.add("over"); };
document.ondragleave = (event) => { if (!event.relatedTarget) at("drop").classList.remove("over"); };
document.ondrop = (event) => {
  event.preventDefault();
  at("drop").classList.remove("over");
  if (!busy) dropped(event.dataTransfer);
};
for (const one of document.querySelectorAll("[data-ask]")) one.onclick = () => ask(one.dataset.ask);
at("cancel").onclick = cancel;

if (location.protocol === "file:") {
  tell("");
  at("bar").hidden = true;
  trouble("This page must come from a web server; a browser runs nothing in a page opened as a file. In its folder, 'python -m http.server' starts one.");
} else start();
