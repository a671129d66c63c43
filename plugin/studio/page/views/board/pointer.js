/** Mouse, pen and fingers on the map: strokes, panning, pinching, long presses. */

const LONG = 550; // milliseconds
const STILL = 9; // pixels

export class Pointer {
  /** place: the element. viewer: what pans. desk: {begin(x, y), drag(x, y), end(), cancel(), unknown(x, y), pick(x, y),
   * hover(x, y), away(), pans} in pixels of the map. */
  constructor(place, viewer, desk) {
    Object.assign(this, { place, viewer, desk, mode: "", fingers: new Map() });
    place.addEventListener("pointerdown", event => this.#down(event));
    place.addEventListener("pointermove", event => this.#move(event));
    place.addEventListener("pointerup", event => this.#up(event));
    place.addEventListener("pointercancel", event => this.#lost(event));
    place.addEventListener("lostpointercapture", event => this.#lost(event));
    place.addEventListener("pointerleave", () => this.desk.away());
    place.addEventListener("contextmenu", event => event.preventDefault());
    place.addEventListener("auxclick", event => event.preventDefault());
    place.addEventListener("wheel", event => this.#wheel(event), { passive: false });
  }

  /** Whether the space bar is held. */
  spaced = false;

  /** Give up what is under way, as Escape does. */
  stop() {
    if (this.mode === "stroke") this.desk.cancel();
    this.mode = this.fingers.size ? "spent" : "";
    clearTimeout(this.long);
  }

  #at(event) {
    const box = this.place.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  #down(event) {
    if (event.pointerType === "mouse" && event.button === 1) event.preventDefault(); // no scrolling by itself
    this.place.focus({ preventScroll: true });
    const at = this.#at(event);
    this.fingers.set(event.pointerId, at);
    this.place.setPointerCapture?.(event.pointerId);
    if (this.fingers.size > 1) {
      this.stop();
      this.mode = "pinch";
      this.pinched = this.#pinch();
      return;
    }
    if (event.button === 2) {
      this.mode = "spent";
      this.desk.pick(...this.viewer.at(...at));
    } else if (event.button === 1 || this.spaced || this.desk.pans) {
      this.mode = "pan";
    } else if (event.button === 0) {
      this.mode = "stroke";
      this.start = at;
      this.desk.begin(...this.viewer.at(...at));
      if (event.pointerType !== "mouse") this.long = setTimeout(() => this.#longPress(at), LONG);
    }
  }

  #longPress(at) {
    if (this.mode !== "stroke") return;
    this.stop();
    this.mode = "spent";
    this.desk.unknown(...this.viewer.at(...at));
  }

  #move(event) {
    const at = this.#at(event), before = this.fingers.get(event.pointerId);
    if (before === undefined) {
      if (event.pointerType === "mouse") this.desk.hover(...this.viewer.at(...at));
      return;
    }
    this.fingers.set(event.pointerId, at);
    if (this.mode === "pan") this.viewer.pan(at[0] - before[0], at[1] - before[1]);
    else if (this.mode === "pinch") this.#pinching();
    else if (this.mode === "stroke") this.#stroke(event, at);
  }

  #stroke(event, at) {
    if (event.pointerType !== "mouse" && Math.hypot(at[0] - this.start[0], at[1] - this.start[1]) < STILL) return;
    clearTimeout(this.long);
    const all = event.getCoalescedEvents?.() ?? [];
    for (const one of all.length ? all : [event]) this.desk.drag(...this.viewer.at(...this.#at(one)));
  }

  #pinch() {
    const [[ax, ay], [bx, by]] = [...this.fingers.values()];
    const x = (ax + bx) / 2, y = (ay + by) / 2;
    return { x, y, apart: Math.hypot(ax - bx, ay - by) || 1, on: this.viewer.at(x, y), scale: this.viewer.scale };
  }

  #pinching() {
    if (this.fingers.size < 2) return;
    const now = this.#pinch(), then = this.pinched, [x, y] = this.viewer.from(...then.on);
    this.viewer.zoom(((now.apart / then.apart) * then.scale) / now.scale, x, y, now.x - x, now.y - y);
  }

  #up(event) {
    if (!this.fingers.delete(event.pointerId)) return;
    clearTimeout(this.long);
    if (this.mode === "stroke") this.desk.end();
    if (this.mode === "pinch" && this.fingers.size > 1) this.pinched = this.#pinch();
    else this.mode = this.fingers.size ? "spent" : "";
  }

  #lost(event) {
    if (!this.fingers.delete(event.pointerId)) return;
    clearTimeout(this.long);
    if (this.mode === "stroke") this.desk.cancel();
    this.mode = this.fingers.size ? "spent" : "";
  }

  #wheel(event) {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : 1;
    const by = Math.max(-1, Math.min(1, -event.deltaY * unit * (event.ctrlKey ? 0.012 : 0.0022)));
    this.viewer.zoom(2 ** by, ...this.#at(event));
  }
}
