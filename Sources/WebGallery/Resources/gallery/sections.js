/**
 * The heights of runs, and what of them lies in the view. Heights begin as estimates and become true one by one; the
 * caller learns by how much everything below moved. Pure.
 */

export class Sections {
  #tops;
  #rows;

  /** @param {import("./layout.js").Run[]} runs */
  constructor(runs) {
    this.runs = runs;
    this.#rows = new Array(runs.length).fill(null);
    this.#tops = new Float64Array(runs.length + 1);
    runs.forEach((run, index) => {
      this.#tops[index + 1] = this.#tops[index] + run.estimate;
    });
  }

  /** Height of everything. */
  get height() {
    return this.#tops[this.runs.length];
  }

  /**
   * @param {number} index of a run; the number of runs gives the end
   * @returns {number}
   */
  top(index) {
    return this.#tops[index];
  }

  /**
   * The run at a height.
   * @param {number} y
   * @returns {number} the nearest one where the height is outside; -1 where there are none
   */
  at(y) {
    let low = 0;
    let high = this.runs.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#tops[middle] <= y) low = middle;
      else high = middle - 1;
    }
    return high < 0 ? -1 : low;
  }

  /**
   * The run that holds a photo.
   * @param {number} ordinal
   * @returns {number} -1 where there is none
   */
  of(ordinal) {
    let low = 0;
    let high = this.runs.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.runs[middle].first <= ordinal) low = middle;
      else high = middle - 1;
    }
    const run = this.runs[low];
    return run && ordinal >= run.first && ordinal < run.first + run.count ? low : -1;
  }

  /**
   * The rows of a run.
   * @param {number} index
   * @returns {import("./layout.js").Row[]|null} `null` as long as its photos are not known
   */
  rows(index) {
    return this.#rows[index];
  }

  /**
   * Sets the rows of a run.
   * @param {number} index
   * @param {{rows: import("./layout.js").Row[], height: number}} laid
   * @returns {number} by how much everything below moved down
   */
  settle(index, { rows, height }) {
    const change = height - (this.#tops[index + 1] - this.#tops[index]);
    this.#rows[index] = rows;
    if (change !== 0) {
      for (let below = index + 1; below < this.#tops.length; below += 1) this.#tops[below] += change;
    }
    return change;
  }

  /**
   * The rows that touch a stretch of the album, from top to bottom.
   * @param {number} from
   * @param {number} to
   * @returns {{run: number, top: number, row: import("./layout.js").Row}[]} `top` is the run's
   */
  rowsBetween(from, to) {
    const found = [];
    for (let run = this.at(from); run >= 0 && run < this.runs.length && this.#tops[run] < to; run += 1) {
      const rows = this.#rows[run];
      if (!rows) continue;
      const top = this.#tops[run];
      for (let index = firstBelow(rows, from - top); index < rows.length && top + rows[index].top < to; index += 1) {
        found.push({ run, top, row: rows[index] });
      }
    }
    return found;
  }

  /**
   * The row of a photo.
   * @param {number} ordinal
   * @returns {{top: number, row: import("./layout.js").Row, tile: {ordinal: number, left: number, width: number}}|null}
   */
  place(ordinal) {
    const run = this.of(ordinal);
    const rows = run < 0 ? null : this.#rows[run];
    if (!rows) return null;
    const row = rows.find((candidate) => ordinal < candidate.tiles[0].ordinal + candidate.tiles.length);
    return { top: this.#tops[run], row, tile: row.tiles[ordinal - row.tiles[0].ordinal] };
  }

  /**
   * The photo that a key leads to.
   * @param {number} ordinal
   * @param {string} key as in `KeyboardEvent.key`
   * @returns {number|null} its ordinal; `null` where the key leads nowhere
   */
  neighbour(ordinal, key) {
    const end = this.runs[this.runs.length - 1];
    const last = end.first + end.count - 1;
    switch (key) {
      case "ArrowRight": return Math.min(last, ordinal + 1);
      case "ArrowLeft": return Math.max(0, ordinal - 1);
      case "ArrowDown": return this.#inNextRow(ordinal, 1, last);
      case "ArrowUp": return this.#inNextRow(ordinal, -1, last);
      case "Home": return 0;
      case "End": return last;
      default: return null;
    }
  }

  /** The picture above or below. */
  #inNextRow(ordinal, step, last) {
    const here = this.place(ordinal);
    if (!here) return null;
    const tiles = here.row.tiles;
    const edge = step > 0 ? tiles[tiles.length - 1].ordinal + 1 : tiles[0].ordinal - 1;
    if (edge < 0 || edge > last) return null;
    const there = this.place(edge);
    if (!there) return edge;
    const middle = here.tile.left + here.tile.width / 2;
    const distance = (tile) => Math.abs(tile.left + tile.width / 2 - middle);
    return there.row.tiles.reduce((one, other) => (distance(other) < distance(one) ? other : one)).ordinal;
  }

  /**
   * The photo nearest to a height: of rows where they are known, else by its share of the run.
   * @param {number} y
   * @returns {{ordinal: number, top: number}|null} `top` is that of its row's pictures, or `y` itself
   */
  anchor(y) {
    const run = this.at(y);
    if (run < 0) return null;
    const rows = this.#rows[run];
    if (rows) {
      const row = rows[Math.min(firstBelow(rows, y - this.#tops[run]), rows.length - 1)];
      return { ordinal: row.tiles[0].ordinal, top: this.#tops[run] + row.pictureTop };
    }
    const share = (y - this.#tops[run]) / Math.max(1, this.#tops[run + 1] - this.#tops[run]);
    const { first, count } = this.runs[run];
    return { ordinal: first + Math.min(count - 1, Math.max(0, Math.floor(share * count))), top: y };
  }

  /**
   * Where a photo stands, by estimate where its rows are not known.
   * @param {number} ordinal
   * @returns {number} height of its row's pictures
   */
  heightOf(ordinal) {
    const place = this.place(ordinal);
    if (place) return place.top + place.row.pictureTop;
    const run = this.of(ordinal);
    if (run < 0) return 0;
    const share = (ordinal - this.runs[run].first) / this.runs[run].count;
    return this.#tops[run] + share * (this.#tops[run + 1] - this.#tops[run]);
  }
}

function firstBelow(rows, y) {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle].bottom <= y) low = middle + 1;
    else high = middle;
  }
  return low;
}
