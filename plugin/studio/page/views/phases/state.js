// What the parts of the Phases view share.

import { el } from "../tables/kit.js";

/** `told`: what /api/phases said; `segments`: the guesses as they stand, corrected by hand; `chosen`: one of them.
 * `choose(segment, step)`, `redraw()` and `reload()` are what the view does. */
export const now = { app: null, root: null, told: null, segments: [], chosen: null };

export const stepOf = (at) => Number(at.split(":")[1]);
export const logOf = (at) => Number(at.split(":")[0]);
export const holds = (segment, at) => logOf(at) === logOf(segment.first) && stepOf(segment.first) <= stepOf(at) && stepOf(at) <= stepOf(segment.last);
/** Whether the pack has the phase that a segment is said to be; nothing is said of it: it has. */
export const hasPhase = ({ phase }) => !phase.trim() || now.told.phases.includes(phase.trim());
/** What is said of a segment, as the studio is told it. */
export const said = (of) => Object.fromEntries(["first", "last", "turn", "phase", "active", "combat"].map((name) => [name, of[name]]));
export const key = (segment) => `${segment.first}-${segment.last}`;
/** Which colour a side has, by its number: the first blue, the second orange, others grey. One that is called Blue is blue. */
export const tone = (side) => (side !== 0 && side !== 1 ? "x" : /\bblue\b/i.test(now.told.sides[1] ?? "") ? 1 - side : side);
export const part = (name) => now.root.querySelector(`[data-part=${name}]`);
export const field = (title, input) => el("label", {}, title, input);
