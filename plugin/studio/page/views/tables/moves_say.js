// What the moves of the logs say of the numbers in the charts: which of them make moves impossible.

import { Follower, el } from "./kit.js";

export class MovesSay {
  constructor(app) {
    this.root = el("section", { class: "moves-say", hidden: true, "aria-label": "What the moves say of the charts" });
    this.follower = new Follower(app, async () => {
      const told = await app.get("/api/suspects");
      this.#draw(told.numbers ?? []);
      return told.working ? "" : "told";
    });
  }

  #draw(lines) {
    this.root.hidden = lines.length === 0;
    this.root.replaceChildren(el("h3", {}, "What the moves say of these numbers"),
      el("p", { class: "help" }, "A number that is typed too high makes moves impossible that were made. Compare these with the rulebook."),
      el("ul", {}, ...lines.map((line) => el("li", {}, line))));
  }
}
