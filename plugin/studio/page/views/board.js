/** The Board view: the module's map under its own grid, and what the pack tells of it, to be painted. */

import { Desk } from "./board/desk.js";
import { FILTERS } from "./board/filters.js";
import { Guide } from "./board/guide.js";
import { HELP, Keys } from "./board/keys.js";
import { Ledger, cellOf } from "./board/ledger.js";
import { Legend } from "./board/legend.js";
import { Marks } from "./board/marks.js";
import { Outbox, filled } from "./board/outbox.js";
import { Overlay } from "./board/overlay.js";
import { panel } from "./board/panel.js";
import { Pointer } from "./board/pointer.js";
import { hexText, sideText } from "./board/speech.js";
import { Surface } from "./board/surface.js";
import { kindOf } from "./board/tools.js";
import { Viewer } from "./board/viewer.js";
import { el } from "./tables/kit.js";

const NEAR = 26; // pixels from centre to corner that a hex that is gone to has at least
const AGAIN = 2000; // milliseconds until a call that was lost is made again
const PATIENCE = 4000; // milliseconds that reading back what was painted here may wait for the verdicts
const OPACITY = "umpire-board-opacity";

class BoardView {
  name = "board";
  title = "Board";

  async mount(root, app) {
    this.app = app;
    this.root = root;
    await new Promise(resolve => {
      const link = el("link", { rel: "stylesheet", href: "/page/vendor/leaflet/leaflet.css", onload: resolve, onerror: resolve });
      document.head.prepend(link); // so that the studio's own rules go before it
    });
    this.ledger = new Ledger();
    this.model = { ledger: this.ledger, looks: {}, filter: null, hidden: false, opacity: Number(localStorage.getItem(OPACITY) ?? 0.4) };
    this.desk = new Desk(this.ledger, {
      drawn: cells => this.overlay.cells(cells),
      chosen: () => this.#chosen(),
      painted: (edits, label) => this.#painted(edits, label),
      say: text => this.say(text),
      ask: text => confirm(text),
    });
    this.guide = new Guide(this);
    this.parts = panel(root, this, FILTERS, HELP);
    this.stage = this.parts.stage;
    this.legend = new Legend(this.parts.legend, this.desk);
    this.viewer = new Viewer(this.parts.map, app.picture, () => this.#moved());
    this.overlay = new Overlay(this.parts.canvas, this.viewer, this.model);
    this.marks = new Marks(this.stage, this.viewer);
    this.pointer = new Pointer(this.stage, this.viewer, this.#pointed());
    this.outbox = new Outbox((path, body) => app.inTurn(() => app.post(path, body)), this.#outboxTold());
    this.keys = new Keys(this);
    new ResizeObserver(() => this.surface && this.viewer.resized()).observe(this.parts.map);
    const fit = () => this.#fit(root);
    addEventListener("resize", fit);
    new ResizeObserver(fit).observe(document.body);
    this.fit = fit;
    await this.#load();
    app.onState(state => this.#news(state));
  }

  /** Whether this view is the one that is shown. */
  get active() {
    return !this.root.hidden;
  }

  async show(target) {
    this.fit();
    await this.loaded;
    if (this.app.state) this.#news(this.app.state);
    if (this.surface) this.viewer.resized();
    if (target) this.go(target);
    else this.guide.begin();
  }

  hide() {
    this.pointer?.stop();
  }

  /** As high as what is left of the window below the strip, the card and the tabs. */
  #fit(root) {
    const below = innerHeight - (root.getBoundingClientRect().top + scrollY) - 16;
    root.style.setProperty("--bd-height", `${Math.max(460, Math.round(below))}px`);
  }

  /** Fills in what a table of others tells; what was filled in and what was not, or an `error`. */
  async fillFrom(file) {
    try {
      return await this.app.inTurn(() => this.app.send(`/api/board/import?${new URLSearchParams({ name: file.name })}`, file));
    } catch (error) {
      return { error: error.message };
    }
  }

  // -- loading -------------------------------------------------------------------------------

  #load() {
    this.loaded = this.#open();
    return this.loaded;
  }

  async #open() {
    const board = await this.app.get("/api/board");
    this.board = board.board;
    this.surfaces = board.sheets.map(sheet => new Surface(sheet));
    this.desk.open(board.brushes);
    this.hexes = new Set(this.surfaces.flatMap(surface => surface.names));
    this.parts.sheets(this.surfaces);
    this.ledger.take(await this.app.get("/api/cells"));
    const kept = this.surfaces.find(one => one.id === this.surface?.id) ?? this.surfaces[0];
    if (kept) this.sheet(kept);
    else this.parts.empty("This pack has no map with hexes yet: see [[board.sheet]] in its pack.toml.");
    this.desk.meet([...this.hexes]);
    this.#chosen();
    this.guide.counted();
  }

  /** Show another map. */
  sheet(surface) {
    const same = this.surface?.id === surface.id && this.surface.width === surface.width;
    this.surface = surface;
    this.desk.surface = surface;
    if (!same) this.viewer.open(surface);
    else this.viewer.surface = surface;
    this.overlay.open(surface);
    this.marks.open(surface);
    this.cursor = -1;
    this.side = -1;
    this.parts.chosen(surface);
  }

  #news(state) {
    this.reader = state.reader;
    if (this.outbox.lost) this.outbox.again();
    if (!this.active) return; // it asks once it is shown
    this.stale = state.revision > this.ledger.revision;
    if (!this.stale || this.fetching) return;
    clearTimeout(this.later);
    // The verdicts that a stroke changes come first: what it painted is on the map already.
    const own = this.ledger.waiting > 0 && state.judging && state.undo === this.painted?.label;
    if (own && performance.now() - this.painted.at < PATIENCE) this.later = setTimeout(() => this.#news(this.app.state), 500);
    else this.#fetch();
  }

  async #fetch() {
    this.fetching = true;
    try {
      do {
        this.stale = false;
        const reply = await this.app.get(`/api/cells?after=${this.ledger.revision}`);
        if (reply.board !== this.board) await this.#load();
        else this.#took(this.ledger.take(reply));
      } while (this.stale);
    } catch (error) {
      if (error.status) this.say(error.message);
      else this.later = setTimeout(() => this.#news(this.app.state), AGAIN); // the connection was lost on the way
    } finally {
      this.fetching = false;
    }
  }

  #took(cells) {
    if (this.desk.meet(cells)) {
      this.#chosen();
      this.overlay.whole();
    }
    if (this.model.filter) this.overlay.whole();
    else this.overlay.cells(cells);
    this.guide.counted();
    this.#told();
    this.guide.begin();
  }

  // -- painting ------------------------------------------------------------------------------

  #painted(edits, label) {
    if (this.reader) {
      for (const edit of edits) this.ledger.unwrite(edit);
      this.overlay.cells(edits.map(cellOf));
      this.say("Another tab makes the changes. Take over first.");
      return;
    }
    if (this.desk.meet(edits.map(cellOf))) this.#chosen();
    this.painted = { label, at: performance.now() };
    this.outbox.push(label, edits, edits.filter(edit => edit.status === "filled").map(edit => filled(edit, this.app.state?.who)));
    this.#told();
  }

  #outboxTold() {
    return {
      written: (edits, revision) => this.ledger.settle(edits, revision),
      refused: list => {
        for (const { edit } of list) this.ledger.unwrite(edit);
        this.overlay.cells(list.map(({ edit }) => cellOf(edit)));
        this.parts.refused(list);
        this.#fetch();
      },
      lost: waiting => this.parts.waiting(waiting),
      back: () => this.parts.waiting(0),
    };
  }

  #pointed() {
    const { desk } = this, view = this;
    return {
      begin(x, y) {
        view.#toCursor(x, y);
        desk.begin(x, y);
      },
      drag: (x, y) => desk.drag(x, y),
      end: () => desk.end(),
      cancel: () => desk.cancel(),
      unknown: (x, y) => desk.unknown(x, y),
      pick: (x, y) => desk.pickAt(x, y),
      hover: (x, y) => view.#hover(x, y),
      away: () => view.marks.point({ hover: -1, side: view.side }),
      get pans() {
        return desk.pans;
      },
    };
  }

  #toCursor(x, y) {
    const i = this.surface.hexAt(x, y);
    if (i < 0) return;
    this.cursor = i;
    this.line = undefined;
    const near = kindOf(this.desk.layer) === "hex" ? -1 : this.surface.sideAt(x, y);
    this.side = near;
    this.marks.point({ cursor: i, side: near });
    this.#told();
  }

  #hover(x, y) {
    const { surface } = this, kind = kindOf(this.desk.layer), hex = surface.hexAt(x, y);
    const side = kind === "hex" || this.desk.tool !== "paint" ? -1 : surface.sideAt(x, y, kind === "line" ? 0.35 : 0.6);
    this.marks.point({ hover: hex, side });
    if (side >= 0) this.parts.info(sideText(this.ledger, surface.sides[side]));
    else if (hex >= 0) this.parts.info(hexText(this.ledger, surface, surface.names[hex]));
  }

  // -- the keyboard --------------------------------------------------------------------------

  walk(dx, dy, painting) {
    const { surface, desk } = this;
    if (!surface) return;
    if (this.cursor < 0) return this.#put(this.#inTheMiddle());
    const [cx, cy] = surface.centre(this.cursor);
    if (this.line === undefined || this.across !== Boolean(dx)) this.line = dx ? cy : cx;
    this.across = Boolean(dx);
    const line = this.line, next = surface.towards(this.cursor, dx, dy, line);
    if (next < 0) return this.say("This is the edge of the map.");
    const from = this.cursor;
    const laid = painting && kindOf(desk.layer) === "line" ? surface.sideBetween(surface.names[from], surface.names[next]) : undefined;
    if (laid !== undefined) this.#lay(surface.sides[laid]);
    this.#put(next, laid);
    this.line = line;
    if (painting && kindOf(desk.layer) === "hex") desk.paint([surface.names[next]]);
    if (painting) this.#read(hexText(this.ledger, surface, surface.names[next]));
    return undefined;
  }

  #lay(side) {
    const { desk } = this;
    if (desk.removing === (this.ledger.side(side).lines.includes(desk.brush()))) desk.paint([side]);
  }

  #inTheMiddle() {
    const { surface } = this, { x, y } = this.viewer.size, at = surface.hexAt(...this.viewer.at(x / 2, y / 2));
    return at >= 0 ? at : 0;
  }

  #put(i, side = -1) {
    this.cursor = i;
    this.side = side;
    this.line = undefined;
    this.viewer.show(...this.surface.centre(i));
    this.marks.point({ cursor: i, side, hover: -1 });
    this.#read(hexText(this.ledger, this.surface, this.surface.names[i]));
  }

  turn(by) {
    if (this.cursor < 0) this.#put(this.#inTheMiddle());
    const around = this.surface.sidesOf(this.surface.names[this.cursor]);
    if (!around.length) return;
    const at = around.indexOf(this.side);
    this.side = around[at < 0 ? 0 : (at + by + around.length) % around.length];
    this.marks.point({ side: this.side });
    this.#read();
  }

  /** The cell the keyboard works on. */
  here() {
    if (this.cursor < 0) this.#put(this.#inTheMiddle());
    if (kindOf(this.desk.layer) === "hex") return this.surface.names[this.cursor];
    if (this.side < 0) this.turn(1);
    return this.surface.sides[this.side];
  }

  act(name) {
    const { desk, surface, viewer } = this;
    if (!surface) return;
    const hex = () => surface.names[this.cursor < 0 ? this.#inTheMiddle() : this.cursor];
    switch (name) {
      case "paint":
        if (desk.tool === "fill" || desk.tool === "done" || desk.tool === "pick") desk[desk.tool](hex());
        else desk.paint([this.here()]);
        this.#read();
        break;
      case "unknown":
        desk.unknownAt(this.here());
        this.#read();
        break;
      case "add": case "remove":
        desk[name === "add" ? "adding" : "removing"] = !desk[name === "add" ? "adding" : "removing"];
        if (name === "add" && desk.adding) desk.removing = false;
        if (name === "remove" && desk.removing) desk.adding = false;
        this.#chosen();
        this.say(desk.adding ? "Adding to what is there." : desk.removing ? "Taking away." : "Painting.");
        break;
      case "fill": desk.fill(hex()); this.#read(); break;
      case "done": desk.done(hex()); this.#read(); break;
      case "pick": desk.pick(hex()); break;
      case "next": this.guide.next(); break;
      case "match": this.guide.match(); break;
      case "read": this.here(); this.#read(); break;
      case "nearer": viewer.zoomMiddle(1.5); break;
      case "farther": viewer.zoomMiddle(1 / 1.5); break;
      case "whole":
        this.begun = true;
        viewer.whole();
        break;
      case "stop": this.pointer.stop(); break;
      case "hide": case "unhide":
        if (this.model.hidden !== (name === "hide")) {
          this.model.hidden = name === "hide";
          this.overlay.hidden();
        }
        break;
      default:
    }
  }

  // -- going about ---------------------------------------------------------------------------

  /** Go to a hex `0403`, a hexside `0403/0404`, or set a filter by its name. */
  go(target) {
    if (FILTERS.some(([name]) => name === target)) {
      this.filter(target);
      this.guide.match();
      return true;
    }
    const at = this.surfaces.find(one => one.number(target) !== undefined || one.sideNumbers.has(target));
    if (!at) {
      this.say(`There is no hex ${target} on this board.`);
      return false;
    }
    if (at !== this.surface) this.sheet(at);
    const hex = at.number(target), side = hex === undefined ? at.sideNumbers.get(target)[0] : -1;
    const place = hex === undefined ? at.middle(side) : at.centre(hex);
    this.viewer.show(...place, 80, NEAR / at.radius);
    this.cursor = hex ?? at.number(at.pairs[side][0]) ?? at.number(at.pairs[side][1]) ?? -1;
    this.side = side;
    this.marks.point({ cursor: this.cursor, side, hover: -1 });
    this.#told();
    this.#read();
    return true;
  }

  filter(name) {
    this.guide.filter(name);
  }

  // -- showing -------------------------------------------------------------------------------

  #moved() {
    if (!this.surface) return;
    this.overlay?.moved();
    this.marks?.draw();
  }

  #chosen() {
    this.model.looks = this.desk.looks;
    this.legend.draw();
    this.parts.tools(this.desk);
    if (kindOf(this.desk.layer) === "hex" && this.side >= 0) {
      this.side = -1;
      this.marks.point({ side: -1 });
    }
    this.overlay.restyled();
  }

  #told() {
    this.parts.info(this.side >= 0 ? sideText(this.ledger, this.surface.sides[this.side]) : this.cursor >= 0 ? hexText(this.ledger, this.surface, this.surface.names[this.cursor]) : "");
  }

  /** Say what is told of the cursor's hex, or of its chosen side. */
  #read(said) {
    if (this.cursor < 0) return;
    const text = said ?? (this.side >= 0 ? sideText(this.ledger, this.surface.sides[this.side]) : hexText(this.ledger, this.surface, this.surface.names[this.cursor]));
    this.parts.live(text);
    this.parts.info(text);
  }

  opacity(value) {
    this.model.opacity = value;
    localStorage.setItem(OPACITY, String(value));
    this.overlay.restyled();
  }

  say(text) {
    this.app.say(text);
  }
}

export default new BoardView();
