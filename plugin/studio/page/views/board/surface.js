/** Where hexes and hexsides lie on the picture of one map, and which of them is at a pixel. */

const INNER = 0.8; // the part of a hexside, round its middle, that a pointer is held against
const TURN = 1.2; // radians off a direction beyond which a neighbour lies in another

/** Adds a value to the list under a key. */
export function put(lists, key, value) {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

export class Surface {
  /** sheet: one of /api/board. Hexes and sides go by their number in it; `radius`: centre to corner, in pixels. */
  constructor(sheet) {
    this.id = sheet.id;
    this.map = sheet.map;
    this.width = sheet.width;
    this.height = sheet.height;
    this.tiles = sheet.tiles;
    this.names = sheet.hexes.map(hex => hex[0]);
    this.centres = Float64Array.from(sheet.hexes.flatMap(hex => [hex[1], hex[2]]));
    this.corners = Float64Array.from(sheet.hexes.flatMap(hex => hex[3]));
    this.sides = sheet.sides.map(side => `${side[0]}/${side[1]}`);
    this.pairs = sheet.sides.map(side => [side[0], side[1]]);
    this.ends = Float64Array.from(sheet.sides.flatMap(side => side.slice(2)));
    this.radius = this.#typicalRadius();
    this.numbers = new Map();
    this.names.forEach((name, i) => put(this.numbers, name, i));
    this.sideNumbers = new Map();
    this.sides.forEach((side, i) => put(this.sideNumbers, side, i));
    this.#findNeighbours();
    this.step = 2 * this.radius;
    this.hexBuckets = new Map();
    this.names.forEach((_, i) => put(this.hexBuckets, this.#key(...this.centre(i)), i));
    this.sideBuckets = new Map();
    this.sides.forEach((_, i) => put(this.sideBuckets, this.#key(...this.middle(i)), i));
  }

  centre(i) {
    return [this.centres[2 * i], this.centres[2 * i + 1]];
  }

  /** The middle of a hexside. */
  middle(i) {
    const e = this.ends;
    return [(e[4 * i] + e[4 * i + 2]) / 2, (e[4 * i + 1] + e[4 * i + 3]) / 2];
  }

  /** The number of the first hex of this name; undefined if it is not on this map. */
  number(name) {
    return this.numbers.get(name)?.[0];
  }

  /** The names of the hexes next to a hex, on this map or another. */
  neighbours(name) {
    return this.near.get(name) ?? [];
  }

  /** The number of the side between two hexes; undefined if they do not touch. */
  sideBetween(a, b) {
    return this.sideNumbers.get(`${a}/${b}`)?.[0] ?? this.sideNumbers.get(`${b}/${a}`)?.[0];
  }

  /** The sides of a hex, clockwise from the top. */
  sidesOf(name) {
    const [cx, cy] = this.centre(this.number(name));
    const turn = i => {
      const [x, y] = this.middle(i);
      return (Math.atan2(x - cx, cy - y) + 2 * Math.PI + 1e-6) % (2 * Math.PI);
    };
    const here = [];
    for (const near of this.neighbours(name)) {
      const all = this.sideNumbers.get(`${name}/${near}`) ?? this.sideNumbers.get(`${near}/${name}`) ?? [];
      const i = all.reduce((best, j) => (best === undefined || this.#from(j, cx, cy) < this.#from(best, cx, cy) ? j : best), undefined);
      if (i !== undefined) here.push(i);
    }
    return here.sort((a, b) => turn(a) - turn(b));
  }

  /** The hexes whose outline may touch a rectangle. */
  hexesIn(left, top, right, bottom) {
    return this.#in(this.hexBuckets, left, top, right, bottom);
  }

  /** The hexsides that may touch a rectangle. */
  sidesIn(left, top, right, bottom) {
    return this.#in(this.sideBuckets, left, top, right, bottom);
  }

  /** The hex a pixel lies in; -1 if it is none. */
  hexAt(x, y) {
    const found = this.hexesIn(x, y, x, y).filter(i => this.#holds(i, x, y));
    if (found.length < 2) return found.length ? found[0] : -1;
    return found.reduce((a, b) => (this.#to(a, x, y) <= this.#to(b, x, y) ? a : b));
  }

  /** The hexside nearest to a pixel, no farther than `reach` times the radius; -1 if there is none. */
  sideAt(x, y, reach = 0.6) {
    let best = -1, least = reach * this.radius;
    for (const i of this.sidesIn(x, y, x, y)) {
      const far = this.#toSide(i, x, y);
      if (far < least) [best, least] = [i, far];
    }
    return best;
  }

  /** The neighbour of a hex on this map that lies in a direction; `line`: the one of two that are as good that is
   * nearer to this place athwart it. -1 if none does. */
  towards(i, dx, dy, line) {
    const [cx, cy] = this.centre(i);
    const found = this.neighbours(this.names[i])
      .map(near => this.number(near))
      .filter(j => j !== undefined)
      .map(j => {
        const [x, y] = this.centre(j);
        const turn = Math.abs(Math.atan2((x - cx) * dy - (y - cy) * dx, (x - cx) * dx + (y - cy) * dy));
        return { j, turn, off: Math.abs(dx ? y - line : x - line) };
      })
      .filter(one => one.turn < TURN);
    const least = Math.min(...found.map(one => one.turn));
    const good = found.filter(one => one.turn < least + 0.2).sort((a, b) => a.off - b.off);
    return good.length ? good[0].j : -1;
  }

  #findNeighbours() {
    this.near = new Map();
    for (const [a, b] of this.pairs) {
      for (const [one, other] of [[a, b], [b, a]]) if (!this.neighbours(one).includes(other)) put(this.near, one, other);
    }
  }

  #typicalRadius() {
    const all = [];
    for (let i = 0; i < this.names.length; i += Math.max(1, this.names.length >> 6)) {
      const [cx, cy] = this.centre(i);
      all.push(Math.hypot(this.corners[12 * i] - cx, this.corners[12 * i + 1] - cy));
    }
    return all.sort((a, b) => a - b)[all.length >> 1] ?? 32;
  }

  #key(x, y) {
    return Math.floor(x / this.step) * 65536 + Math.floor(y / this.step);
  }

  #in(buckets, left, top, right, bottom) {
    const { step, radius } = this, found = [];
    for (let x = Math.floor((left - radius) / step); x <= Math.floor((right + radius) / step); x++) {
      for (let y = Math.floor((top - radius) / step); y <= Math.floor((bottom + radius) / step); y++) {
        const here = buckets.get(x * 65536 + y);
        if (here) for (const i of here) found.push(i);
      }
    }
    return found;
  }

  #holds(i, x, y) {
    const c = this.corners;
    let left = 0, right = 0;
    for (let k = 0; k < 6; k++) {
      const a = 12 * i + 2 * k, b = 12 * i + 2 * ((k + 1) % 6);
      const turn = (c[b] - c[a]) * (y - c[a + 1]) - (c[b + 1] - c[a + 1]) * (x - c[a]);
      if (turn >= 0) left++;
      if (turn <= 0) right++;
    }
    return left === 6 || right === 6;
  }

  #to(i, x, y) {
    return Math.hypot(this.centres[2 * i] - x, this.centres[2 * i + 1] - y);
  }

  #from(i, x, y) {
    const [mx, my] = this.middle(i);
    return Math.hypot(mx - x, my - y);
  }

  #toSide(i, x, y) {
    const [mx, my] = this.middle(i), e = this.ends;
    const hx = ((e[4 * i + 2] - e[4 * i]) / 2) * INNER, hy = ((e[4 * i + 3] - e[4 * i + 1]) / 2) * INNER;
    const length = hx * hx + hy * hy || 1;
    const along = Math.max(-1, Math.min(1, ((x - mx) * hx + (y - my) * hy) / length));
    return Math.hypot(mx + along * hx - x, my + along * hy - y);
  }
}
