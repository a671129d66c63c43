// Guesses where a side or an attribute may be read, one after the other.

import { button, el } from "../tables/kit.js";
import { plainWords } from "../tables/words.js";

export class Guesses {
  #refused = new Set();
  #taking = false;
  #take;
  #leave;
  #refuse;

  /** `take(guess)` writes one that is right, `leave()` gives the focus to something else,
   * `refuse(name)` has one that was refused remembered. */
  constructor(take, leave, refuse) {
    this.root = el("div", { class: "guesses" });
    this.#take = take;
    this.#leave = leave;
    this.#refuse = refuse;
  }

  /** Shows the first of `all` that was not refused, now or (`before`) earlier; none to a page that only reads. */
  draw(all, reader, before = []) {
    before.forEach((name) => this.#refused.add(name));
    const open = all.filter((guess) => !this.#refused.has(keyOf(guess)));
    const held = this.root.contains(document.activeElement);
    this.root.replaceChildren();
    if (open.length && !reader) this.#one(open[0], open.length - 1, () => this.draw(all, reader));
    if (!held) return; // an answer takes its buttons away
    const next = this.root.querySelector("button");
    if (next) next.focus();
    else this.#leave();
  }

  /** Takes a guess over, once, however often its button is pressed until it is gone. */
  async #taken(guess) {
    if (this.#taking) return;
    this.#taking = true;
    await this.#take(guess).finally(() => (this.#taking = false));
  }

  #one(next, more, again) {
    const values = next.values.map(([value, number]) => `${value} (${number})`).join(", ") + (next.more ? " …" : "");
    this.root.append(el("div", { class: "guess", role: "group", "aria-label": "A guess" },
      el("p", {}, el("b", {}, `A guess: does ${next.where} give the ${plainWords(next.about)}?`),
        ` It gives it for ${next.found} of ${next.of} kinds that are probably units: ${values}.`),
      button("Yes, read it there", () => this.#taken(next), { class: "main" }),
      button("No", () => { this.#refused.add(keyOf(next)); this.#refuse(keyOf(next)); again(); }),
      more ? el("span", { class: "quiet" }, `${more} more`) : null));
  }
}

function keyOf(guess) {
  return `${guess.about}/${guess.where}`;
}
