// Draws the hexes around a finding: the map's own picture below, counters, the path and what was paid.

import { seen, shape as make } from "./kit.js";

/** An `svg` of a picture as the studio tells it. `fetchPicture(path)` gives addresses of pictures; `goTo(hex)` opens
 * one. With `over`, what the pack holds is laid over the map's picture, to compare both; the hexes of `picture.look`
 * have their terrain in words and a thicker outline. */
export function drawing(picture, { fetchPicture, goTo, label, over = false }) {
  const [x, y, width, height] = picture.box;
  const { reach } = picture;
  const svg = make("svg", { viewBox: `${x} ${y} ${width} ${height}`, class: "crop", role: "img", "aria-label": label });
  const ground = make("g", { class: "ground" });
  for (const cell of picture.cells) ground.append(make("path", { d: cell.d, fill: cell.colour }));
  for (const line of picture.lines) {
    ground.append(make("path", {
      d: line.d, fill: "none", stroke: line.colour, "stroke-width": line.width, ...(line.dashes ? { "stroke-dasharray": line.dashes } : {}),
    }));
  }
  const tiles = make("g", { class: "tiles" });
  const grid = make("g", { class: "grid", fill: "none", "stroke-width": reach * 0.03 });
  const names = make("g", { class: "names", "font-size": reach * 0.26, "text-anchor": "middle" });
  for (const cell of picture.cells) {
    const hex = make("path", { d: cell.d, "data-hex": cell.name, class: "hex" }, make("title", {}, seen(cell.told)));
    hex.addEventListener("click", () => goTo(cell.name));
    grid.append(hex);
    names.append(make("text", { x: cell.x, y: cell.y - reach * 0.6 }, seen(cell.name)));
  }
  const counters = make("g", { class: "counters" });
  for (const counter of picture.counters) counters.append(piece(counter, reach, fetchPicture));
  const paths = make("g", { class: "paths" });
  for (const path of picture.paths) paths.append(...way(path, reach));
  if (over) {
    const look = new Set(picture.look);
    for (const cell of picture.cells.filter((one) => look.has(one.name))) {
      const text = seen(cell.told.replace(`${cell.name}: `, "").replace(cell.name, "").trim());
      names.append(make("text", { x: cell.x, y: cell.y + reach * 0.15 }, text));
    }
    for (const hex of grid.children) hex.classList.toggle("asked", look.has(hex.dataset.hex));
    svg.classList.add("over");
    svg.append(tiles, ground, grid, names);
  } else svg.append(ground, tiles, grid, names, counters, paths);
  if (picture.tiles) lay(tiles, picture, fetchPicture).then((laid) => laid && svg.classList.add("pictured"));
  return svg;
}

function piece(counter, reach, fetchPicture) {
  const half = reach * 0.5;
  const told = make("title", {}, seen(counter.side ? `${counter.name} (${counter.side})` : counter.name));
  const text = make("text", { y: half / 6, "font-size": half * 0.42, "text-anchor": "middle", fill: "#fff" }, seen(counter.name).slice(0, 12));
  const box = make("rect", { x: -half, y: -half, width: 2 * half, height: 2 * half, rx: half / 6, fill: counter.colour });
  const made = make("g", { transform: `translate(${counter.x} ${counter.y})` }, told, box, text);
  fetchPicture(`/api/counter/${encodeURIComponent(counter.id)}`).then((address) => {
    const image = make("image", { x: -half, y: -half, width: 2 * half, height: 2 * half, href: address });
    box.replaceWith(image);
    text.remove();
  }).catch(() => {});
  return made;
}

function* way(path, reach) {
  const kind = path.verdict.replaceAll(" ", "-");
  yield make("path", { d: path.d, class: `way ${kind}`, fill: "none", "stroke-width": reach * 0.13 });
  const points = path.d.slice(1).split("L").map((point) => point.split(" ").map(Number));
  if (points.length > 1) {
    const [[ax, ay], [bx, by]] = points.slice(-2);
    const turn = (Math.atan2(by - ay, bx - ax) * 180) / Math.PI;
    const size = reach * 0.3;
    yield make("path", {
      class: `head ${kind}`, d: `M0 0L${-size} ${-size / 2}L${-size * 0.7} 0L${-size} ${size / 2}Z`,
      transform: `translate(${bx} ${by}) rotate(${turn})`,
    });
  }
  for (const paid of path.paid) {
    const text = make("text", { "font-size": reach * 0.36, "text-anchor": "middle", "dominant-baseline": "central" }, paid.amount);
    yield make("g", { class: "paid", transform: `translate(${paid.x} ${paid.y + reach * 0.5})` },
      make("title", {}, seen(`${paid.hex}: ${paid.for.join("; ")}`)),
      make("circle", { r: reach * 0.28 }), text);
  }
}

/** Puts the tiles of the map's picture below; whether there are any. */
async function lay(group, picture, fetchPicture) {
  const { tiles: told, box: [x, y, width, height] } = picture;
  const wanted = 900 / Math.max(width, height);
  let zoom = told.levels - 1;
  while (zoom > 0 && 2 ** (zoom - 1 - (told.levels - 1)) >= wanted) zoom -= 1;
  const side = told.side * 2 ** (told.levels - 1 - zoom);
  const jobs = [];
  for (let row = Math.max(0, Math.floor(y / side)); row * side < Math.min(y + height, told.height); row += 1) {
    for (let column = Math.max(0, Math.floor(x / side)); column * side < Math.min(x + width, told.width); column += 1) {
      if (jobs.length > 60) break;
      jobs.push(fetchPicture(`${told.url}/${zoom}/${column}/${row}`).then((address) => {
        group.append(make("image", { x: column * side, y: row * side, width: side * 1.002, height: side * 1.002, href: address, preserveAspectRatio: "none" }));
      }));
    }
  }
  const done = await Promise.allSettled(jobs);
  return done.some((one) => one.status === "fulfilled");
}
