/** How each terrain, feature, side and line looks: a colour, a pattern and a letter or two, no two alike. */

const COLOURS = [
  "#e69f00", "#0072b2", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#f0e442",
  "#7b3f9e", "#8c564b", "#4d4d4d", "#a6d854", "#b2182b", "#17a2a2", "#f7b6d2",
];
const PATTERNS = ["rising", "dots", "falling", "level", "upright", "crossed", "grid", "rings"];
/** What names speak of, and the colours people expect of it. */
const HABITS = [
  [/clear|open|plain|field|flat/i, "#f0e442"], [/wood|forest|jungle|orchard|grove/i, "#009e73"],
  [/swamp|marsh|bog|polder/i, "#17a2a2"], [/sea|lake|water|ocean|river|stream|canal|wadi|fluss/i, "#0072b2"],
  [/mountain|rough|hill|broken|slope|crag/i, "#8c564b"], [/town|city|village|urban|building/i, "#4d4d4d"],
  [/road|highway|track|path|trail/i, "#b2182b"], [/rail/i, "#4d4d4d"], [/bridge|ford|ferry/i, "#cc79a7"],
  [/desert|sand|dune|beach/i, "#e69f00"], [/bocage|hedge|wall|cliff/i, "#7b3f9e"],
];
const TILE = 14; // pixels of a pattern before it repeats

/** Looks by name, for names in order; `letters`: those that are taken already. */
export function looksFor(names, letters = new Set()) {
  const looks = new Map(), used = new Map();
  for (const name of names) {
    const wanted = HABITS.find(([habit]) => habit.test(name))?.[1];
    const least = Math.min(...COLOURS.map(colour => used.get(colour) ?? 0));
    const colour = wanted && (used.get(wanted) ?? 0) <= least ? wanted : COLOURS.find(one => (used.get(one) ?? 0) === least);
    const again = used.get(colour) ?? 0;
    used.set(colour, again + 1);
    const pattern = PATTERNS[(COLOURS.indexOf(colour) + again * 3) % PATTERNS.length];
    looks.set(name, { name, colour, pattern, letter: letterFor(name, letters) });
  }
  return looks;
}

function letterFor(name, taken) {
  const signs = [...name].filter(sign => /[\p{L}\p{N}]/u.test(sign));
  const first = (signs[0] ?? "?").toUpperCase();
  const tries = [first, ...signs.slice(1).map(sign => first + sign.toLowerCase())];
  for (let n = 2; n < 100; n++) tries.push(`${first}${n}`);
  const letter = tries.find(one => !taken.has(one)) ?? first;
  taken.add(letter);
  return letter;
}

/** Black or white, whichever is read more easily on a colour. */
export function inkOn(colour) {
  const [r, g, b] = [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));
  return 0.299 * r + 0.587 * g + 0.114 * b > 140 ? "#000" : "#fff";
}

/** A fill for a canvas: the pattern of a look, its colour underneath so strongly (0 to 1). */
export function patternOf(context, look, strength, ratio = 1) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = Math.round(TILE * ratio);
  const on = tile.getContext("2d");
  on.scale(tile.width / TILE, tile.height / TILE);
  on.globalAlpha = strength;
  on.fillStyle = look.colour;
  on.fillRect(0, 0, TILE, TILE);
  on.globalAlpha = Math.min(1, strength + 0.3);
  on.strokeStyle = on.fillStyle = look.colour;
  on.lineWidth = 1.5;
  const stroke = points => {
    on.beginPath();
    points.forEach(([x, y], i) => (i % 2 ? on.lineTo(x, y) : on.moveTo(x, y)));
    on.stroke();
  };
  const dot = (x, y, r, hollow) => {
    on.beginPath();
    on.arc(x, y, r, 0, 7);
    hollow ? on.stroke() : on.fill();
  };
  const T = TILE, rising = [[-2, 9], [9, -2], [-2, 16], [16, -2], [5, 16], [16, 5]];
  if (look.pattern === "rising" || look.pattern === "crossed") stroke(rising);
  if (look.pattern === "falling" || look.pattern === "crossed") stroke(rising.map(([x, y]) => [T - x, y]));
  if (look.pattern === "level" || look.pattern === "grid") stroke([[0, T / 4], [T, T / 4], [0, (3 * T) / 4], [T, (3 * T) / 4]]);
  if (look.pattern === "upright" || look.pattern === "grid") stroke([[T / 4, 0], [T / 4, T], [(3 * T) / 4, 0], [(3 * T) / 4, T]]);
  if (look.pattern === "dots") [[3.5, 3.5], [10.5, 10.5]].forEach(([x, y]) => dot(x, y, 2.2));
  if (look.pattern === "rings") dot(T / 2, T / 2, 4, true);
  return context.createPattern(tile, "repeat");
}

/** A little picture of a look for the legend; `kind`: terrain, level, features, hexsides or lines. */
export function swatch(look, kind) {
  const canvas = document.createElement("canvas"), ratio = Math.max(1, window.devicePixelRatio || 1);
  canvas.className = "bd-swatch";
  canvas.width = 44 * ratio;
  canvas.height = 32 * ratio;
  canvas.setAttribute("aria-hidden", "true");
  const on = canvas.getContext("2d");
  on.fillStyle = "#fff";
  on.fillRect(0, 0, canvas.width, canvas.height);
  if (kind === "terrain") {
    on.fillStyle = patternOf(on, look, 0.4, ratio);
    on.fillRect(0, 0, canvas.width, canvas.height);
  }
  on.scale(ratio, ratio);
  if (kind === "hexsides" || kind === "lines") {
    on.lineCap = "round";
    for (const [colour, width] of [["#fff", 12], ["#000", 9], [look.colour, 6]]) {
      on.strokeStyle = colour;
      on.lineWidth = width;
      on.setLineDash(kind === "lines" && colour === look.colour ? dashOf(look) : []);
      on.beginPath();
      on.moveTo(6, 26);
      on.lineTo(38, 26);
      on.stroke();
    }
    on.setLineDash([]);
  }
  badge(on, look, 22, kind === "terrain" ? 16 : 11, kind === "terrain" ? 17 : 15);
  return canvas;
}

/** The dashes of a line. */
export function dashOf(look) {
  const at = PATTERNS.indexOf(look.pattern) % 4;
  return [[], [9, 6], [3, 6], [12, 5, 3, 5]][at];
}

/** A look's letters, readable on any ground. */
export function badge(on, look, x, y, size) {
  on.font = `700 ${size}px system-ui, sans-serif`;
  on.textAlign = "center";
  on.textBaseline = "middle";
  on.lineWidth = Math.max(3, size / 4);
  on.lineJoin = "round";
  on.strokeStyle = "#fff";
  on.strokeText(look.letter, x, y);
  on.fillStyle = "#111";
  on.fillText(look.letter, x, y);
}
