// Movement classes of counters that the charts do not have: one button adds them.

import { button, el } from "./kit.js";

/** A line with the button; null where nothing is to be added. `again()` draws the view anew. */
export function adoptClasses(app, adopt, again) {
  if (!adopt) return null;
  const names = adopt.names.join(", "), one = adopt.names.length === 1;
  const add = button(one ? "Add it to the charts" : "Add them to the charts", async () => {
    add.disabled = true;
    await app.edit(adopt.edits, `classes added to the charts: ${names}`.slice(0, 200));
    await again();
  }, { class: "main", disabled: Boolean(app.state?.reader) });
  return el("p", { class: "adopt" }, "The charts do not have the movement class", one ? " " : "es ", el("b", {}, names), " yet. ", add);
}
