// What the views share: elements, words, pictures that come when they are seen, and following the studio.

const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const SHOWN = new Set(["textContent", "title", "placeholder", "aria-label"]);

/** A text of others, where what is not to be seen, or turns the rest about, is spelt out. */
export function seen(text) {
  return String(text).replace(UNSEEN, (char) => char === "\n" ? char : `\\u${char.codePointAt(0).toString(16).padStart(4, "0")}`);
}

/** An element. `props` are properties, or attributes where it has no such property (`class`, `on` and `data` apart);
 * children are nodes or texts. Texts are shown as `seen` has them; values of fields stay as they are. */
export function el(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, given] of Object.entries(props)) {
    const value = SHOWN.has(key) ? seen(given) : given;
    if (key === "class") made.className = value;
    else if (key === "data") Object.assign(made.dataset, value);
    else if (key === "on") for (const [what, run] of Object.entries(value)) made.addEventListener(what, run);
    else if (key in made && key !== "list") made[key] = value;
    else made.setAttribute(key, value);
  }
  const there = children.filter((child) => child !== null && child !== undefined && child !== "");
  made.append(...there.map((child) => (typeof child === "string" ? seen(child) : child)));
  return made;
}

export function button(text, run, props = {}) {
  return el("button", { type: "button", textContent: text, on: { click: run }, ...props });
}

/** An element of a drawing, with its attributes and children. */
export function shape(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

let numbers = 0;

/** A name that no other element of the page has. */
export function own(prefix) {
  numbers += 1;
  return `${prefix}-${numbers}`;
}

/** `1 move`, `2,345 moves`. */
export function counted(number, one, several = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : several}`;
}

/** A text with a capital at its beginning. */
export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Shows pictures once they come into view; each is fetched once and given back on `clear`. */
export class Gallery {
  constructor(fetchPicture) {
    this.fetch = fetchPicture;
    this.held = new Map();
    this.watch = new IntersectionObserver((seen) => {
      for (const one of seen) {
        if (!one.isIntersecting) continue;
        this.watch.unobserve(one.target);
        this.#show(one.target);
      }
    }, { rootMargin: "200px" });
  }

  /** An `img` of the picture at `path`; `name` is shown where there is none, nothing if it is "". */
  image(path, name) {
    const image = el("img", { class: "counter", alt: "", width: 48, height: 48, data: { path, name } });
    this.watch.observe(image);
    return image;
  }

  /** The pictures of counters by their ids, of the first few. */
  faces(ids) {
    return ids.length ? el("span", { class: "faces" }, ...ids.slice(0, 8).map((id) => this.image(`/api/counter/${encodeURIComponent(id)}`, ""))) : null;
  }

  async #show(image) {
    const { path } = image.dataset;
    if (!this.held.has(path)) this.held.set(path, this.fetch(path).catch(() => ""));
    const none = () => image.replaceWith(image.dataset.name === "" ? "" : el("span", { class: "counter none", textContent: seen(image.dataset.name).slice(0, 12) }));
    image.onerror = none;
    const address = await this.held.get(path);
    if (address) image.src = address;
    else none();
  }
}

/** Calls `load(have)` when the view is shown and the studio has something new; `load` gets the stamp it gave last
 * and returns a new one. Not more than once a second. `failed(error)`: it could not. */
export class Follower {
  constructor(app, load, failed = () => {}) {
    this.load = load;
    this.failed = failed;
    this.stamp = "";
    this.seen = -1;
    this.shown = false;
    app.onState((state) => {
      this.revision = state.revision;
      this.#look();
    });
  }

  show() {
    this.shown = true;
    return this.#look(true);
  }

  hide() {
    this.shown = false;
  }

  /** Look now, whatever was seen last. */
  again() {
    this.seen = -1;
    return this.#look(true);
  }

  async #look(now = false) {
    if (!this.shown || this.busy || (this.seen === this.revision && this.stamp)) return;
    this.busy = true;
    try {
      if (!now) await new Promise((resolve) => setTimeout(resolve, 300));
      const seen = this.revision;
      this.stamp = await this.load(this.stamp);
      this.seen = seen;
    } catch (error) {
      this.failed(error);
    }
    await new Promise((resolve) => setTimeout(resolve, 700));
    this.busy = false;
    if (this.seen !== this.revision) this.#look();
  }
}

/** Waits until nobody has typed for a moment, then runs the last call. */
export function soon(run, wait = 180) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...args), wait);
  };
}

/** Resolves when the studio has done what it is at. */
export function settled(app) {
  return new Promise((done) => {
    const before = app.state;
    const stop = app.onState((state) => {
      if (state === before || state.judging || state.jobs.length) return;
      queueMicrotask(() => stop());
      done();
    });
  });
}
