// What the parts of the Phases view share.

/** `told`: what /api/phases said; `segments`: the guesses as they stand, corrected by hand; `chosen`: one of them.
 * `choose(segment, step)`, `redraw()` and `reload()` are what the view does. */
export const now = { app: null, root: null, told: null, segments: [], chosen: null };

export const stepOf = (at) => Number(at.split(":")[1]);
export const logOf = (at) => Number(at.split(":")[0]);
export const holds = (segment, at) => logOf(at) === logOf(segment.first) && stepOf(segment.first) <= stepOf(at) && stepOf(at) <= stepOf(segment.last);
/** Whether the pack has the phase that a segment is said to be; nothing is said of it: it has. */
export const hasPhase = ({ phase }) => !phase.trim() || now.told.phases.includes(phase.trim());
export const key = (segment) => `${segment.first}-${segment.last}`;
export const part = (name) => now.root.querySelector(`[data-part=${name}]`);
export const count = (number, noun, many = `${noun}s`) => `${number.toLocaleString("en")} ${number === 1 ? noun : many}`;

export const el = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key in made && key !== "list") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
};
export const button = (text, onclick, more = {}) => el("button", { type: "button", textContent: text, onclick, ...more });
export const field = (title, input) => el("label", {}, title, input);
