"use strict";
(() => {
  const told = JSON.parse(document.getElementById("told").textContent);
  told.steps = told.steps.flatMap(([log, first, count]) => Array.from({ length: count }, (_, n) => [log, first + n]));
  const one = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const board = one("#board"), form = one(".filters"), tip = one(".tip");
  const priced = (flat) => Array.from({ length: flat.length / 3 }, (_, n) => {
    const [map, cell, said] = flat.slice(3 * n, 3 * n + 3), [amount, ...charges] = told.paid[said];
    return [map, cell, amount, charges];
  });
  const moves = new Map(told.moves.map(([id, step, turn, phase, who, verdict, paid]) =>
    [id, { id, step, turn: told.words[turn], phase: told.words[phase], who: told.words[who], verdict: told.words[verdict], paid: priced(paid) }]));
  const SVG = "http://www.w3.org/2000/svg";
  let step = 0, chosen = null, finding = 0, shown = 0, view = null;

  // -- filters -------------------------------------------------------------------------------------
  const wanted = () => Object.fromEntries(new FormData(form));
  const fits = (about, want) => ["who", "turn", "kind", "verdict"].every((key) =>
    !want[key] || about[key] === want[key] || (key === "kind" && !("kind" in about)));
  const about_finding = ([, , , turn, who, verdict, kind]) => ({ turn: told.words[turn], who: told.words[who], verdict: told.words[verdict], kind: told.words[kind] });
  const rows = all("tr[data-finding], article[data-finding]").map((row) => [row, about_finding(told.findings[row.dataset.finding])]);
  const row_of = new Map(all(".moves tbody tr").map((row) => [Number(row.id.slice(5)), row]));
  for (const [id, row] of row_of) rows.push([row, moves.get(id)]);
  const groups = all("details.phase");
  const filter = () => {
    const want = wanted(), any = Object.keys(want).some((key) => key !== "everything" && want[key]);
    for (const [row, about] of rows) row.classList.toggle("off", !fits(about, want));
    for (const group of groups) group.classList.toggle("off", any && !one("tr[data-finding]:not(.off), article:not(.off), .moves tbody tr:not(.off), .wait", group));
    const open = all(".findings tbody tr:not(.off)").length, most = all(".findings tbody tr").length;
    one(".shown").textContent = open === most ? "" : `${open} of ${most} findings`;
    paths();
  };
  form.addEventListener("change", filter);
  form.addEventListener("reset", () => setTimeout(filter));
  one(".keys").addEventListener("click", (event) => {
    const help = one(".help");
    help.hidden = !help.hidden;
    event.target.setAttribute("aria-expanded", String(!help.hidden));
  });

  // -- what is told on the side ----------------------------------------------------------------------
  const tell = (text, x, y) => {
    if (!tip) return;
    tip.hidden = !text;
    if (!text) return;
    tip.textContent = text;
    const box = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - box.width - 8))}px`;
    tip.style.top = `${Math.max(4, Math.min(y + 14, innerHeight - box.height - 8))}px`;
  };
  const link = (hash) => history.replaceState(null, "", hash || location.href.split("#")[0]);

  // -- steps -----------------------------------------------------------------------------------------
  const slider = one("[name=step]"), where = one("[name=where]");
  const counters = new Map(all("[data-unit]").map((node) => [Number(node.dataset.unit), node]));
  const phaseAt = (index) => {
    let said = null;
    for (const [from, phase] of told.phases) { if (from > index) break; said = phase; }
    return said;
  };
  const first_phase = told.phases.find(([, phase]) => phase)?.[1] || "";
  const phaseText = (phase) => !first_phase ? "" : phase === null ? `before ${first_phase}` : phase || "phase not known";
  const stay = (unit, index) => {
    let low = 0, high = unit.at.length;
    while (low < high) { const mid = (low + high) >> 1; if (unit.at[mid][0] <= index) low = mid + 1; else high = mid; }
    return low ? unit.at[low - 1] : null;
  };
  // What is otherwise on the map for a while: a bridge that is blown, a road that is built.
  const changing = all("[data-since]", board || document);
  const change = () => changing.forEach((node) => {
    const { since, until } = node.dataset, so = Number(since) <= step && (until === undefined || step < Number(until));
    node.toggleAttribute("hidden", !so);
  });
  const lies = told.units.map(() => null);
  const place = () => {
    const high = new Map();
    told.units.forEach((unit, index) => {
      const node = counters.get(index), at = stay(unit, step);
      if (!node) return;
      if (!at || at[1] < 0) { node.setAttribute("hidden", ""); lies[index] = null; return; }
      const map = told.maps[at[1]], cell = map.cells[at[2]], key = at[1] + ":" + at[2];
      const up = high.has(key) ? high.get(key) + 1 : 0, shift = up * 0.11 * map.reach;
      high.set(key, up);
      const [x, y] = [cell[1] + shift, cell[2] - shift], before = lies[index];
      if (before && before[0] === at[1] && before[1] === x && before[2] === y) return;
      lies[index] = [at[1], x, y];
      node.removeAttribute("hidden");
      const home = one(`#map-${at[1]} .counters`);
      if (node.parentNode !== home) home.append(node);
      node.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    });
    cull();
  };
  // Only what is in view is painted: counters are what costs most.
  const away = told.units.map(() => false);
  const cull = () => {
    if (!view) return;
    const { left, top, wide, tall } = frame();
    lies.forEach((at, index) => {
      if (!at || at[0] !== shown) return;
      const out = at[1] < left || at[1] > left + wide || at[2] < top || at[2] > top + tall;
      if (out !== away[index]) { away[index] = out; counters.get(index).classList.toggle("off", out); }
    });
  };
  const go = (to, quiet) => {
    if (!board || !told.steps.length) return;
    step = Math.max(0, Math.min(told.steps.length - 1, to));
    slider.value = step;
    const [log, number] = told.steps[step], phase = phaseText(phaseAt(step));
    const told_step = number ? `${told.logs ? `log ${log} ` : ""}step ${number}` : log > 1 ? `opening of log ${log}` : "opening position";
    where.textContent = phase ? `${told_step} · ${phase}` : told_step;
    slider.setAttribute("aria-valuetext", where.textContent);
    change();
    place();
    paths();
    if (!quiet) link(`#step-${log}-${number}`);
  };

  // -- paths -----------------------------------------------------------------------------------------
  const drawn = all(".move[data-move]", board || document).filter((node) => node.closest("#board"));
  const dragged = new Map(all("[data-drag]").map((node) => [Number(node.dataset.drag), node]));
  const says = (id) => {
    const cells = row_of.get(id).cells;
    return { short: `${cells[2].textContent}  ${cells[3].textContent}: ${cells[1].textContent}`, why: cells[4].textContent };
  };
  const paths = () => {
    if (!board) return;
    const which = one("[name=paths]").value, want = wanted(), now = phaseAt(step), phase = now === null ? first_phase : now;
    for (const node of drawn) {
      const id = Number(node.dataset.move), move = moves.get(id);
      const near = which === "all" || (which === "near" && move.phase === phase && (phase || Math.abs(move.step - step) < 12));
      const open = (near && fits(move, want)) || id === chosen;
      if (open && !node.hasAttribute("tabindex"))
        for (const [key, value] of Object.entries({ tabindex: 0, role: "button", "aria-label": says(id).short })) node.setAttribute(key, value);
      node.classList.toggle("off", !open);
      node.classList.toggle("on", id === chosen);
      dragged.get(id)?.classList.toggle("off", !open);
    }
  };
  const choose = (id, hexes) => {
    chosen = id;
    for (const group of all(".chosen")) group.replaceChildren();
    for (const row of all("tr.on")) row.classList.remove("on");
    const move = moves.get(id);
    for (const [map, cell] of hexes || []) if (map >= 0) ring(map, cell);
    if (move) {
      row_of.get(id)?.classList.add("on");
      for (const [map, cell, amount, charges] of move.paid) if (map >= 0) paid(map, cell, amount, charges);
      const last = move.paid[move.paid.length - 1];
      if (last && last[0] >= 0) turn(last[0]);
    }
    paths();
  };
  const made = (kind, parent, attributes) => {
    const node = document.createElementNS(SVG, kind);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    parent.append(node);
    return node;
  };
  const ring = (map, cell) => {
    const at = told.maps[map].cells[cell];
    made("circle", one(`#map-${map} .chosen`), { class: "mark", cx: at[1], cy: at[2], r: (told.maps[map].reach * 0.8).toFixed(1) });
    turn(map);
  };
  const paid = (map, cell, amount, charges) => {
    const at = told.maps[map].cells[cell], reach = told.maps[map].reach;
    const group = made("g", one(`#map-${map} .chosen`), { class: "paid", tabindex: 0, role: "img", "aria-label": `${at[0]}: ${charges.join(", ")}`, transform: `translate(${at[1]} ${at[2] + reach * 0.5})` });
    made("circle", group, { r: (reach * 0.28).toFixed(1) });
    made("text", group, { "font-size": (reach * (amount.length > 3 ? 0.22 : 0.38)).toFixed(1) }).textContent = amount;
    const say = () => { const box = group.getBoundingClientRect(); tell(`${at[0]}\n${charges.join("\n")}`, box.right, box.bottom); };
    group.addEventListener("focus", say);
    group.addEventListener("pointerenter", say);
    group.addEventListener("blur", () => tell(""));
    group.addEventListener("pointerleave", () => tell(""));
  };
  const show_move = (id) => { const move = moves.get(id); if (move) { go(move.step, true); choose(id); link(`#move-${id}`); } };
  const unfold = (node) => { for (let at = node?.parentElement; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true; };
  const show_finding = (number, quiet) => {
    if (!told.findings[number]) return;
    const [at, ids, hexes] = told.findings[number], about = { step: at, moves: ids, hexes };
    finding = number;
    for (const row of all(`[data-finding="${number}"]`)) unfold(row);
    go(about.step, true);
    choose(about.moves.length ? about.moves[about.moves.length - 1] : null, about.hexes);
    for (const row of all(`tr[data-finding="${number}"]`)) row.classList.add("on");
    const row = one(`.findings tr[data-finding="${number}"]`), list = one(".list");
    if (row && list.scrollHeight > list.clientHeight) list.scrollTop = row.offsetTop - list.clientHeight / 3;
    focus_on(about);
    if (!quiet) link(`#finding-${number}`);
  };
  for (const node of drawn) {
    const move = moves.get(Number(node.dataset.move));
    const say = (event) => tell(`${says(move.id).short}\n${says(move.id).why}`, event.clientX ?? node.getBoundingClientRect().right, event.clientY ?? node.getBoundingClientRect().top);
    node.addEventListener("pointerenter", say);
    node.addEventListener("pointerleave", () => tell(""));
    node.addEventListener("focus", say);
    node.addEventListener("blur", () => tell(""));
    node.addEventListener("click", () => show_move(move.id));
    node.addEventListener("keydown", (event) => { if (event.key === "Enter") show_move(move.id); });
  }

  // -- the map: zoom, pan, hexes under the pointer ------------------------------------------------------
  let cells = null;
  const box = () => told.maps[shown].box;
  let asked = 0;
  const set = (x, y, width, height) => {
    view = [x, y, width, height];
    asked = asked || requestAnimationFrame(() => { asked = 0; look(); });
  };
  const frame = () => {
    const [x, y, width, height] = view, { reach } = told.maps[shown];
    const scale = Math.min(board.clientWidth / width, board.clientHeight / height);
    const wide = board.clientWidth / scale + 2 * reach, tall = board.clientHeight / scale + 2 * reach;
    return { left: x + width / 2 - wide / 2, top: y + height / 2 - tall / 2, wide, tall };
  };
  const look = () => {
    const [, , width, height] = view, map = told.maps[shown], group = one(`#map-${shown}`);
    board.setAttribute("viewBox", view.map((v) => v.toFixed(1)).join(" "));
    const scale = Math.min(board.clientWidth / width, board.clientHeight / height), size = map.reach * scale;
    one(".grid", group).classList.toggle("off", size < 5);
    const art = one("[name=art]").checked && one(".art", group), named = size > 22 && (!art || one("[name=names]").checked);
    if (size >= 5) fill(one(".grid", group), shown, false);
    const { left, top, wide, tall } = frame();
    const inside = (cell) => cell[1] > left && cell[1] < left + wide && cell[2] > top && cell[2] < top + tall;
    board.classList.toggle("tiny", size < 9);
    cull();
    const numbers = one(".numbers", group);
    numbers.replaceChildren();
    for (const cell of named ? map.cells.filter(inside) : [])
      made("text", numbers, { x: cell[1], y: (cell[2] - map.reach * 0.62).toFixed(1) }).textContent = cell[0];
  };
  // Over a picture of the map, grid and terrain are drawn when they are first asked for.
  const fill = (group, number, coloured) => {
    if (group.childElementCount) return;
    const { cells: list, kinds, reach } = told.maps[number], blocks = new Map(), size = 32 * reach;
    for (const [, x, y, kind] of list) {
      const [, colour, corners] = kinds[kind];
      const key = `${Math.floor(x / size)},${Math.floor(y / size)},${coloured ? colour : ""}`;
      const outline = corners.split(" ").map((c) => c.split(",").map(Number)).map(([dx, dy]) => `${(x + dx).toFixed(1)} ${(y + dy).toFixed(1)}`);
      if (!blocks.has(key)) blocks.set(key, [colour, []]);
      blocks.get(key)[1].push(`M${outline.join("L")}Z`);
    }
    for (const [colour, parts] of blocks.values()) made("path", group, coloured ? { fill: colour, d: parts.join("") } : { d: parts.join("") });
  };
  const fit = () => { const [x, y, w, h] = box(); set(x - w * 0.01, y - h * 0.01, w * 1.02, h * 1.02); };
  const zoom = (by, at) => {
    const [x, y, w, h] = view, [, , bw, bh] = box();
    const width = Math.min(Math.max(w * by, told.maps[shown].reach * 3), Math.max(bw, bh) * 1.5), ratio = width / w;
    const [px, py] = at || [x + w / 2, y + h / 2];
    set(px - (px - x) * ratio, py - (py - y) * ratio, width, h * ratio);
  };
  const turn = (to) => {
    if (to === shown) return;
    one(`#map-${shown}`).setAttribute("hidden", "");
    shown = to;
    one(`#map-${shown}`).removeAttribute("hidden");
    const select = one("[name=map]");
    if (select) select.value = to;
    cells = null;
    fit();
  };
  const focus_on = (about) => {
    const spots = about.hexes.filter(([map]) => map === shown).map(([, cell]) => told.maps[shown].cells[cell]);
    for (const id of about.moves) for (const [map, cell] of moves.get(id)?.paid || []) if (map === shown) spots.push(told.maps[shown].cells[cell]);
    if (!spots.length || !view) return;
    const [, , w, h] = view, { reach } = told.maps[shown], around = frame();
    const wide = around.wide - 2 * reach, tall = around.tall - 2 * reach, size = reach * board.clientWidth / wide;
    const xs = spots.map((s) => s[1]), ys = spots.map((s) => s[2]);
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const seen = (low, high, from, whole) => low >= from + 1.5 * reach && high <= from + whole - 1.5 * reach;
    if (size > 9 && seen(left, right, around.left, around.wide) && seen(top, bottom, around.top, around.tall)) return;
    const by = Math.max((right - left + 4 * reach) / wide, (bottom - top + 4 * reach) / tall, size > 9 ? 1 : size / 16);
    const [bx, bt, bw, bh] = box();
    // Beside the map there is nothing to see.
    const keep = (middle, part, low, whole) => part >= whole ? low + (whole - part) / 2 : Math.min(Math.max(middle - part / 2, low), low + whole - part);
    const x = keep((left + right) / 2, wide * by, bx, bw), y = keep((top + bottom) / 2, tall * by, bt, bh);
    set(x + (wide - w) * by / 2, y + (tall - h) * by / 2, w * by, h * by);
  };
  const pixel = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
    return [point.x, point.y];
  };
  const hex_at = ([x, y]) => {
    const { reach, cells: list } = told.maps[shown], size = reach * 2;
    if (!cells) {
      cells = new Map();
      for (const cell of list) {
        const key = `${Math.floor(cell[1] / size)},${Math.floor(cell[2] / size)}`;
        if (!cells.has(key)) cells.set(key, []);
        cells.get(key).push(cell);
      }
    }
    let best = null, least = reach * reach;
    for (let i = -1; i < 2; i += 1) for (let j = -1; j < 2; j += 1)
      for (const cell of cells.get(`${Math.floor(x / size) + i},${Math.floor(y / size) + j}`) || []) {
        const far = (cell[1] - x) ** 2 + (cell[2] - y) ** 2;
        if (far < least) { least = far; best = cell; }
      }
    return best;
  };
  const lying = (name) => told.units.filter((unit) => { const at = stay(unit, step); return at && at[1] === shown && told.maps[shown].cells[at[2]][0] === name; }).map((unit) => unit.name);
  if (board) {
    let from = null;
    board.addEventListener("pointerdown", (event) => { if (event.button === 0) from = [event.clientX, event.clientY, ...view]; });
    board.addEventListener("pointermove", (event) => {
      if (from) {
        const scale = 1 / board.getScreenCTM().a;
        const dx = (event.clientX - from[0]) * scale, dy = (event.clientY - from[1]) * scale;
        if (!board.classList.contains("dragging")) {
          if (Math.hypot(event.clientX - from[0], event.clientY - from[1]) < 4) return;
          board.classList.add("dragging");
          board.setPointerCapture(event.pointerId);
        }
        set(from[2] - dx, from[3] - dy, from[4], from[5]);
      } else if (event.target.closest(".map, #board") && !event.target.closest(".move, .paid")) {
        const cell = hex_at(pixel(event));
        tell(cell ? [cell[0] + told.words[told.maps[shown].kinds[cell[3]][0]], ...lying(cell[0])].join("\n") : "", event.clientX, event.clientY);
      }
    });
    const drop = () => { from = null; setTimeout(() => board.classList.remove("dragging")); };
    board.addEventListener("pointerup", drop);
    board.addEventListener("pointercancel", drop);
    board.addEventListener("pointerleave", () => { if (!from) tell(""); });
    board.addEventListener("wheel", (event) => { event.preventDefault(); zoom(event.deltaY > 0 ? 1.18 : 1 / 1.18, pixel(event)); }, { passive: false });
    slider.addEventListener("input", () => go(Number(slider.value)));
    const layers = () => {
      if (view) set(...view);
      if (one("[name=ground]").checked) all("#board .terrain").forEach((group, number) => fill(group, number, true));
      for (const key of ["art", "ground", "counters"])
        for (const node of all(`#board .${key}`)) node.toggleAttribute("hidden", !one(`[name=${key}]`).checked);
    };
    for (const key of ["art", "ground", "counters", "names"]) one(`[name=${key}]`).addEventListener("change", layers);
    one("[name=paths]").addEventListener("change", paths);
    one("[name=map]")?.addEventListener("change", (event) => turn(Number(event.target.value)));
    layers();
    fit();
    addEventListener("resize", () => view && set(...view));
  }

  // -- buttons, keys, links -------------------------------------------------------------------------------
  const next = (by) => {
    const open = all(".findings tbody tr:not(.off)").map((row) => Number(row.dataset.finding));
    if (!open.length) return;
    const at = open.indexOf(finding);
    show_finding(open[at < 0 ? (by > 0 ? 0 : open.length - 1) : (at + by + open.length) % open.length]);
  };
  const does = { in: () => zoom(0.75), out: () => zoom(1 / 0.75), fit, first: () => go(0), back: () => go(step - 1), on: () => go(step + 1), last: () => go(told.steps.length - 1) };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]"), row = event.target.closest("tr[data-finding], .moves tbody tr"), jump = event.target.closest("a[data-show]");
    if (button) does[button.dataset.do]();
    else if (jump) { event.preventDefault(); show_finding(Number(jump.dataset.show)); one(".stage")?.scrollIntoView({ block: "start" }); }
    else if (event.target.closest("a")) return;
    else if (row && board) { if (row.dataset.finding) show_finding(Number(row.dataset.finding)); else { show_move(Number(row.id.slice(5))); } }
  });
  const keys = { ArrowLeft: () => go(step - 1), ArrowRight: () => go(step + 1), Home: () => go(0), End: () => go(told.steps.length - 1), n: () => next(1), p: () => next(-1), "+": () => zoom(0.75), "=": () => zoom(0.75), "-": () => zoom(1 / 0.75), 0: fit, Escape: () => { choose(null); tell(""); } };
  document.addEventListener("keydown", (event) => {
    if (!board || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, input")) return;
    if (["Home", "End"].includes(event.key) && !event.target.closest("#board")) return;
    const action = keys[event.key];
    if (action) { event.preventDefault(); action(); }
  });
  // What is folded is printed folded, unless all was asked for.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = one("[name=everything]").checked ? all("details:not([open])") : [];
    for (const node of folded) node.open = true;
  });
  addEventListener("afterprint", () => { for (const node of folded) node.open = false; folded = []; });
  const open_link = () => {
    const place = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (place && !one("#board")?.contains(place)) {
      if (place.tagName === "DETAILS") place.open = true;
      const outer = one("details.outer", place);
      if (outer) outer.open = true;
      unfold(place);
      place.scrollIntoView();
    }
    const found = /^#(step|finding|move)-(\d+)(?:-(\d+))?$/.exec(location.hash);
    if (!found || !board) return;
    if (found[1] === "finding") show_finding(Number(found[2]), true);
    else if (found[1] === "move") { const move = moves.get(Number(found[2])); if (move) { go(move.step, true); choose(move.id); one(".stage").scrollIntoView(); } }
    else {
      const log = Number(found[2]), number = Number(found[3]);
      let at = 0;
      told.steps.forEach(([l, s], index) => { if (l < log || (l === log && s <= number)) at = index; });
      go(at, true);
      one(".stage").scrollIntoView();
    }
  };
  addEventListener("hashchange", open_link);
  filter();
  go(0, true);
  open_link();
})();
