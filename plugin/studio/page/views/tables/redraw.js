// Draws parts of a view anew, and never under whoever is typing, pressing a button or holding a pointer.

import { isTyped } from "../../queue.js";

const FIELD = "input:not([type=checkbox]):not([type=radio]), textarea, select";
const TAP = 300; // milliseconds after a finger was lifted in which its click comes, if it was a tap
let held = false; // whether a pointer is down, or its click is still to come
let letting = 0;
const later = new Set();
const awaited = new WeakSet(); // fields after which what is around them is drawn anew

addEventListener("pointerdown", () => {
  clearTimeout(letting);
  held = true;
}, true);
addEventListener("pointerup", ({ pointerType }) => letGo(pointerType === "touch" ? TAP : 0), true);
addEventListener("pointercancel", () => letGo(0), true);
addEventListener("click", () => held && letGo(0), true);

/** Ends, after so many milliseconds, what `calmly` waits for. */
function letGo(wait) {
  clearTimeout(letting);
  letting = setTimeout(() => {
    held = false;
    const due = [...later];
    later.clear();
    due.forEach((run) => run());
  }, wait);
}

/** Runs `redraw` now; while a pointer is down, when it is let go: what is pressed must still be there then. */
export function calmly(redraw) {
  if (held) later.add(redraw);
  else redraw();
}

/**
 * Puts other children into `container`. The field that has the focus in it stays as it is (with all beside it), if it is still
 * among them: by its name `data-at`, else by what it is called; of a button, the new one gets the focus. When the focus leaves it, `container` gets an event
 * `stale`: what stayed is to be drawn anew. What was typed into other fields and is not written yet stays, too: fields
 * say in `data-was` what they said when they were drawn.
 */
export function put(container, ...children) {
  const fresh = container.cloneNode(false);
  fresh.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  const active = container === document.activeElement || !container.contains(document.activeElement) ? null : document.activeElement;
  const again = active && counterpart(fresh, active, container);
  if (active && !again && isInUse(active)) return stale(container, active);
  carry(container, fresh, active);
  if (!again) return container.replaceChildren(...fresh.childNodes);
  if (!active.matches("input, textarea, select")) { // a button holds nothing, and what it does may be another thing now
    container.replaceChildren(...fresh.childNodes);
    return again.focus({ preventScroll: true });
  }
  if (!isInUse(active) && [...active.options ?? [again]].some((one) => one.value === again.value)) active.value = again.value;
  if (again.id) active.id = again.id; // the name that its label and its fellows, drawn anew, know it by
  if (active.type === "radio") active.name = again.name;
  if (active.checked !== again.checked) active.checked = again.checked;
  if (active.dataset.was !== undefined) active.dataset.was = again.dataset.was;
  graft(container, fresh, active, again);
  return stale(container, active);
}

/** Draws a view anew that cannot be drawn in parts, and gives the focus back, with what is typed and chosen there. */
export function keepTyping(root, redraw) {
  const field = root.contains(document.activeElement) ? document.activeElement : null;
  const { at, was } = field?.dataset ?? {};
  const typed = field?.value;
  const chosen = field?.matches?.("input:not([type=checkbox]):not([type=radio]):not([type=search])") ? [field.selectionStart, field.selectionEnd] : null;
  redraw();
  if (at === undefined) return;
  const again = [...root.querySelectorAll("[data-at]")].find((one) => one.dataset.at === at);
  if (!again) return;
  again.focus();
  if (was !== undefined && typed !== was) again.value = typed;
  if (chosen !== null) again.setSelectionRange?.(...chosen);
}

/** Whether something stands in a field that only it knows. */
function isInUse(field) {
  return isTyped(field) || (field.dataset.was === undefined && field.matches("input, textarea") && field.matches(FIELD) && field.value !== "");
}

function stale(container, active) {
  if (awaited.has(active)) return;
  awaited.add(active);
  active.addEventListener("blur", () => {
    awaited.delete(active);
    setTimeout(() => container.dispatchEvent(new Event("stale")));
  }, { once: true });
}

/** The element of `fresh` that is what `active` is in `container`; undefined: there is none. */
function counterpart(fresh, active, container) {
  const { at } = active.dataset;
  if (at !== undefined) return [...fresh.querySelectorAll("[data-at]")].find((one) => one.dataset.at === at);
  const [now, was] = [fresh, container].map((root) => [...root.querySelectorAll(active.tagName)].filter((one) => called(one) === called(active)));
  return now.length === was.length ? now[was.indexOf(active)] : undefined;
}

const called = (one) => one.getAttribute("aria-label") ?? `${one.type ?? ""} ${one.name ?? ""} ${one.value ?? ""} ${one.textContent}`;

/** Takes over what is typed in fields and not written yet, with what was said to be wrong with it. */
function carry(container, fresh, active) {
  const there = new Map([...fresh.querySelectorAll("[data-at]")].map((one) => [one.dataset.at, one]));
  for (const one of container.querySelectorAll("[data-at]")) {
    const again = there.get(one.dataset.at);
    if (one === active || !again || !isTyped(one)) continue;
    again.value = one.value;
    const [said, place] = [one, again].map((field) => field.parentElement.querySelector(".wrong"));
    if (said && place) place.textContent = said.textContent;
  }
}

/** Makes `old` what `fresh` is, but for `active`, and what stands beside it where that is a field. */
function graft(old, fresh, active, again) {
  if (old === (active.matches(FIELD) ? active.parentNode : active)) return;
  const keep = [...old.childNodes].find((child) => child.contains(active));
  const place = [...fresh.childNodes].find((child) => child.contains(again));
  for (const child of [...old.childNodes]) if (child !== keep) child.remove();
  const all = [...fresh.childNodes], at = all.indexOf(place);
  keep.before(...all.slice(0, at));
  keep.after(...all.slice(at + 1));
  graft(keep, place, active, again);
}
