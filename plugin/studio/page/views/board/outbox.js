/** Strokes on their way to the studio: one after the other, each as a whole, kept while the connection is lost. */

import { keyOf } from "./ledger.js";

const AGAIN = 2000;

export class Outbox {
  /** post(path, body): as the page's. told: {written(edits, revision), refused(list, edits), lost(waiting), back()}. */
  constructor(post, told) {
    this.post = post;
    this.told = told;
    this.waiting = [];
    this.sending = false;
    this.lost = false;
  }

  /** Send edits; `more`: edits that go with them and are not shown, as records of who says so. */
  push(label, edits, more = []) {
    this.waiting.push({ label, edits, more });
    this.#send();
  }

  /** Try again now, as the connection may be there. */
  again() {
    clearTimeout(this.later);
    this.#send();
  }

  async #send() {
    if (this.sending || !this.waiting.length) return;
    this.sending = true;
    const stroke = this.waiting[0];
    try {
      const { refused, revision } = await this.post("/api/edit", { label: stroke.label, edits: [...stroke.edits.map(plain), ...stroke.more] });
      this.waiting.shift();
      this.#found();
      this.#sort(stroke.edits, refused ?? [], revision);
    } catch (error) {
      if (error.status === 0 || error.status === 401) {
        this.lost = true;
        this.told.lost(this.waiting.length);
        this.later = setTimeout(() => this.#send(), AGAIN);
        this.sending = false;
        return;
      }
      this.waiting.shift();
      this.#found();
      this.told.refused(stroke.edits.map(edit => ({ edit, now: null, why: error.message })));
    }
    this.sending = false;
    this.#send();
  }

  #found() {
    if (this.lost) this.told.back();
    this.lost = false;
  }

  #sort(edits, refused, revision) {
    const lost = new Map(refused.map(one => [keyOf(one.edit), one]));
    const kept = edits.filter(edit => !lost.has(keyOf(edit)));
    this.told.written(kept, revision);
    const back = edits.filter(edit => lost.has(keyOf(edit))).map(edit => ({ ...lost.get(keyOf(edit)), edit }));
    if (back.length) this.told.refused(back);
  }
}

const plain = ({ status, ...edit }) => edit;

/** The record of a cell that was filled: it counts as not known until somebody looks at it. */
export function filled(edit, who) {
  const when = new Date().toISOString().replace(/\.\d+Z/, "Z");
  const now = { value: edit.now, status: "filled", who: who || "somebody", when, method: "program: fill, in the studio" };
  return { kind: "record", cell: edit.hex, layer: "terrain", name: "", was: null, now };
}
