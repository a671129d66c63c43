/** The map picture in the page: Leaflet lays its tiles; panning and zooming is told it from here. */

import * as L from "../../vendor/leaflet/leaflet-src.esm.js";

const NEAREST = 3; // powers of two beyond full size
const REST = 120; // milliseconds without zooming after which tiles of the new size are fetched

/** Tiles that are fetched with the session's secret; those at the right and bottom edge may be smaller. */
const Tiles = L.GridLayer.extend({
  createTile({ x, y, z }, done) {
    const tile = document.createElement("div"), image = new Image(), { picture, tiles } = this.options;
    const path = tiles.url.replace("{z}", z + tiles.levels - 1).replace("{x}", x).replace("{y}", y);
    tile.fetching = new AbortController();
    image.alt = "";
    tile.append(image);
    picture(path, tile.fetching.signal).then(
      address => {
        image.onload = () => {
          image.style.width = `calc(${(100 * image.naturalWidth) / tiles.side}% + 1px)`; // no seams between tiles
          URL.revokeObjectURL(address);
          done(null, tile);
        };
        image.onerror = () => done(new Error("no picture"), tile);
        image.src = address;
      },
      error => done(error, tile),
    );
    return tile;
  },
});

export class Viewer {
  /** place: the element to fill. picture(path, signal): the address of a picture of the studio. changed(): the
   * view is another one. */
  constructor(place, picture, changed) {
    this.place = place;
    this.picture = picture;
    this.changed = changed;
    this.map = L.map(place, {
      crs: L.CRS.Simple, zoomSnap: 0, zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false,
      inertia: false, attributionControl: false, zoomControl: false, dragging: false, touchZoom: false,
      scrollWheelZoom: false, doubleClickZoom: false, boxZoom: false, keyboard: false, trackResize: false,
    });
    this.map.on("move zoom resize", () => this.changed());
  }

  /** Show the picture of a surface, all of it. */
  open(surface) {
    this.surface = surface;
    const { width, height, tiles } = surface, top = (tiles?.levels ?? 1) - 1;
    this.layer?.remove();
    this.map.options.minZoom = -top - 3;
    this.map.options.maxZoom = NEAREST;
    this.whole();
    if (!tiles?.url) return;
    this.layer = new Tiles({
      tiles, picture: this.picture, tileSize: tiles.side, minNativeZoom: -top, maxNativeZoom: 0, minZoom: -top - 3,
      maxZoom: NEAREST, noWrap: true, bounds: [[-height, 0], [0, width]], keepBuffer: 3, updateWhenZooming: false,
    });
    this.layer.on("tileunload", ({ tile }) => tile.fetching.abort());
    this.layer.addTo(this.map);
  }

  whole() {
    const { width, height } = this.surface, size = this.map.getSize();
    this.unseen = !size.x || !size.y; // not on the page yet: done once it is
    const zoom = Math.log2(Math.min(size.x / width, size.y / height) || 1);
    this.map.setView([-height / 2, width / 2], this.#within(zoom), { animate: false });
    this.fitted = true; // until somebody moves it, it stays so in a window of another size
  }

  /** Pixels of the screen for one of the map. */
  get scale() {
    return 2 ** this.map.getZoom();
  }

  get size() {
    return this.map.getSize();
  }

  /** The pixel of the map at a pixel of the element. */
  at(x, y) {
    const { lat, lng } = this.map.containerPointToLatLng([x, y]);
    return [lng, -lat];
  }

  /** The pixel of the element at a pixel of the map. */
  from(x, y) {
    const point = this.map.latLngToContainerPoint([-y, x]);
    return [point.x, point.y];
  }

  pan(dx, dy) {
    this.fitted = false;
    this.map.panBy([-dx, -dy], { animate: false });
  }

  /** Zoom by a factor, a pixel of the element staying where it is, and pan by so much. */
  zoom(factor, x, y, dx = 0, dy = 0) {
    this.fitted = false;
    const map = this.map, zoom = this.#within(map.getZoom() + Math.log2(factor));
    const [mx, my] = this.at(x, y), by = 2 ** zoom, size = map.getSize();
    const centre = [-(my - (y + dy - size.y / 2) / by), mx - (x + dx - size.x / 2) / by];
    if (!this.resting) {
      this.place.classList.add("bd-zooming");
      map._moveStart(true, true);
    }
    map._move(L.latLng(centre), zoom, { pinch: true }); // as Leaflet's own pinching: the tiles stay while it lasts
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      this.resting = undefined;
      this.place.classList.remove("bd-zooming");
      map._moveEnd(true);
    }, REST);
    this.changed();
  }

  zoomMiddle(factor) {
    const { x, y } = this.map.getSize();
    this.zoom(factor, x / 2, y / 2);
  }

  /** Bring a pixel of the map into view, at least so many pixels from the edge; `scale`: at least this large. */
  show(x, y, margin = 60, scale = 0) {
    if (scale > this.scale) {
      this.fitted = false;
      this.map.setView([-y, x], this.#within(Math.log2(scale)), { animate: false });
      return;
    }
    const [sx, sy] = this.from(x, y), size = this.map.getSize();
    const inside = (at, length) => (length < 2 * margin ? length / 2 : Math.min(Math.max(at, margin), length - margin));
    const dx = inside(sx, size.x) - sx, dy = inside(sy, size.y) - sy;
    if (dx || dy) {
      const far = Math.abs(dx) > size.x || Math.abs(dy) > size.y;
      this.fitted = false;
      if (far) this.map.setView([-y, x], this.map.getZoom(), { animate: false });
      else this.pan(dx, dy);
    }
  }

  resized() {
    this.map.invalidateSize({ animate: false, pan: false });
    if (this.unseen || this.fitted) this.whole();
    this.changed();
  }

  #within(zoom) {
    return Math.max(this.map.options.minZoom, Math.min(this.map.options.maxZoom, zoom));
  }
}
