// QR codes (ISO/IEC 18004) of short texts: bytes, error correction level M, versions 1 to 12.

/** For each version: error correction bytes of a block, then the count and data bytes of each group of blocks. */
const BLOCKS = [
  null,
  [10, [1, 16]], [16, [1, 28]], [26, [1, 44]], [18, [2, 32]], [24, [2, 43]], [16, [4, 27]],
  [18, [4, 31]], [22, [2, 38], [2, 39]], [22, [3, 36], [2, 37]], [26, [4, 43], [1, 44]], [30, [1, 50], [4, 51]],
  [22, [6, 36], [2, 37]],
];
/** Centres of the alignment patterns. */
const ALIGNMENTS = [
  null,
  [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50], [6, 30, 54],
  [6, 32, 58],
];
const VERSION_MAX = 12;
/** Modules of light around it. */
const QUIET = 4;

/** The eight masks; a module is turned where the function is true. */
const MASKS = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (row, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

const EXPONENTS = new Uint8Array(512);
const LOGARITHMS = new Uint8Array(256);
fillTables();

/**
 * A text as a square of modules.
 * @param {string} text At most 287 bytes of UTF-8.
 * @returns {boolean[][]} Rows; `true` is dark.
 * @throws {RangeError} where the text is too long.
 */
export function qrModules(text) {
  const bytes = new TextEncoder().encode(text);
  const version = versionFor(bytes.length);
  const size = 17 + 4 * version;
  const grid = Array.from({ length: size }, () => new Array(size).fill(false));
  const isFixed = Array.from({ length: size }, () => new Array(size).fill(false));
  const set = (row, column, isDark) => {
    grid[row][column] = isDark;
    isFixed[row][column] = true;
  };
  drawPatterns(version, size, set, isFixed);
  const free = freeModules(size, isFixed);
  const bits = bitsOf(interleaved(dataBytes(bytes, version), version));
  free.forEach(([row, column], index) => { grid[row][column] = bits[index] ?? false; });
  return bestMasked(grid, free, size);
}

/**
 * A text as a picture, black on white with its quiet zone, as large as its place.
 * @param {string} text
 * @param {string} label What screen readers say.
 * @returns {SVGSVGElement}
 */
export function qrSVG(text, label) {
  const modules = qrModules(text);
  const size = modules.length + 2 * QUIET;
  const make = (name, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const path = modules.map((row, y) => runs(row).map(([x, width]) =>
    `M${x + QUIET} ${y + QUIET}h${width}v1h-${width}z`).join("")).join("");
  const svg = make("svg", {
    viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges", class: "qr",
  });
  svg.append(make("rect", { width: size, height: size, fill: "#fff" }), make("path", { d: path, fill: "#000" }));
  return svg;
}

function runs(row) {
  const found = [];
  for (let start = 0; start < row.length; start += 1) {
    if (!row[start]) continue;
    let end = start;
    while (row[end]) end += 1;
    found.push([start, end - start]);
    start = end;
  }
  return found;
}

// MARK: Bytes

function dataByteCount(version) {
  return BLOCKS[version].slice(1).reduce((sum, [count, size]) => sum + count * size, 0);
}

function versionFor(byteCount) {
  for (let version = 1; version <= VERSION_MAX; version += 1) {
    const headerBitCount = 4 + countBitCount(version);
    if (headerBitCount + 8 * byteCount <= 8 * dataByteCount(version)) return version;
  }
  throw new RangeError("The text is too long for a QR code.");
}

function countBitCount(version) {
  return version < 10 ? 8 : 16;
}

function dataBytes(bytes, version) {
  const bits = [];
  const put = (value, count) => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1);
  };
  const capacity = 8 * dataByteCount(version);
  put(0b0100, 4);
  put(bytes.length, countBitCount(version));
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, capacity - bits.length));
  if (bits.length % 8 !== 0) put(0, 8 - (bits.length % 8));
  for (let isEven = true; bits.length < capacity; isEven = !isEven) put(isEven ? 0xec : 0x11, 8);
  const result = new Uint8Array(capacity / 8);
  bits.forEach((bit, index) => { result[index >> 3] |= bit << (7 - (index & 7)); });
  return result;
}

/** Blocks side by side: first all first bytes, then all second ones; then the error correction likewise. */
function interleaved(data, version) {
  const [correctionCount, ...groups] = BLOCKS[version];
  const blocks = [];
  let at = 0;
  for (const [count, size] of groups) {
    for (let index = 0; index < count; index += 1) {
      blocks.push(data.subarray(at, at + size));
      at += size;
    }
  }
  const corrections = blocks.map((block) => correction(block, correctionCount));
  const result = [];
  for (const list of [blocks, corrections]) {
    const longest = Math.max(...list.map((block) => block.length));
    for (let index = 0; index < longest; index += 1) {
      for (const block of list) if (index < block.length) result.push(block[index]);
    }
  }
  return result;
}

function bitsOf(bytes) {
  return bytes.flatMap((byte) => Array.from({ length: 8 }, (_, bit) => ((byte >> (7 - bit)) & 1) === 1));
}

// MARK: Reed-Solomon over GF(256) with 0x11d

function fillTables() {
  let value = 1;
  for (let power = 0; power < 255; power += 1) {
    EXPONENTS[power] = value;
    EXPONENTS[power + 255] = value;
    LOGARITHMS[value] = power;
    value = value & 0x80 ? (value << 1) ^ 0x11d : value << 1;
  }
}

function product(a, b) {
  return a === 0 || b === 0 ? 0 : EXPONENTS[LOGARITHMS[a] + LOGARITHMS[b]];
}

/** The remainder of the block's polynomial by the generator of this degree. */
function correction(block, degree) {
  let generator = [1];
  for (let power = 0; power < degree; power += 1) {
    const next = new Array(generator.length + 1).fill(0);
    generator.forEach((factor, index) => {
      next[index] ^= factor;
      next[index + 1] ^= product(factor, EXPONENTS[power]);
    });
    generator = next;
  }
  const rest = new Uint8Array(degree);
  for (const byte of block) {
    const factor = byte ^ rest[0];
    rest.copyWithin(0, 1);
    rest[degree - 1] = 0;
    for (let index = 0; index < degree; index += 1) rest[index] ^= product(generator[index + 1], factor);
  }
  return rest;
}

// MARK: Patterns

function drawPatterns(version, size, set, isFixed) {
  for (const [row, column] of [[3, 3], [3, size - 4], [size - 4, 3]]) {
    for (let y = -4; y <= 4; y += 1) {
      for (let x = -4; x <= 4; x += 1) {
        if (row + y < 0 || row + y >= size || column + x < 0 || column + x >= size) continue;
        const ring = Math.max(Math.abs(x), Math.abs(y));
        set(row + y, column + x, ring !== 2 && ring !== 4);
      }
    }
  }
  for (const row of ALIGNMENTS[version]) {
    for (const column of ALIGNMENTS[version]) {
      if (isFixed[row][column]) continue;
      for (let y = -2; y <= 2; y += 1) {
        for (let x = -2; x <= 2; x += 1) set(row + y, column + x, Math.max(Math.abs(x), Math.abs(y)) !== 1);
      }
    }
  }
  for (let index = 8; index < size - 8; index += 1) {
    if (!isFixed[6][index]) set(6, index, index % 2 === 0);
    if (!isFixed[index][6]) set(index, 6, index % 2 === 0);
  }
  if (version >= 7) drawVersion(version, size, set);
  // The format's place; its bits depend on the mask.
  drawFormat(0, size, set);
}

function drawVersion(version, size, set) {
  const bits = (version << 12) | remainder(version << 12, 0x1f25, 12);
  for (let index = 0; index < 18; index += 1) {
    const isDark = ((bits >> index) & 1) === 1;
    const far = size - 11 + (index % 3);
    const near = Math.floor(index / 3);
    set(near, far, isDark);
    set(far, near, isDark);
  }
}

/** Level M is 0 in the format's first two bits. */
function drawFormat(mask, size, set) {
  const bits = ((mask << 10) | remainder(mask << 10, 0x537, 10)) ^ 0x5412;
  const isDark = (index) => ((bits >> index) & 1) === 1;
  for (let index = 0; index < 15; index += 1) {
    const [row, column] = index < 6 ? [index, 8] : index < 8 ? [index + 1, 8] : index < 9 ? [8, 7] : [8, 14 - index];
    set(row, column, isDark(index));
    if (index < 8) set(8, size - 1 - index, isDark(index));
    else set(size - 15 + index, 8, isDark(index));
  }
  set(size - 8, 8, true);
}

/** The remainder of a division of polynomials over GF(2). */
function remainder(value, divisor, degree) {
  let rest = value;
  for (let bit = 31 - Math.clz32(rest); rest >> degree !== 0; bit = 31 - Math.clz32(rest)) {
    rest ^= divisor << (bit - degree);
  }
  return rest;
}

/** Modules for data, in pairs of columns from the right, up and down in turns, past the column of the timing. */
function freeModules(size, isFixed) {
  const free = [];
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right -= 1;
    for (let step = 0; step < size; step += 1) {
      const row = isUp ? size - 1 - step : step;
      for (const column of [right, right - 1]) if (!isFixed[row][column]) free.push([row, column]);
    }
    isUp = !isUp;
  }
  return free;
}

// MARK: Masks

function bestMasked(grid, free, size) {
  let best = null;
  let lowest = Infinity;
  for (let mask = 0; mask < MASKS.length; mask += 1) {
    const masked = grid.map((row) => [...row]);
    for (const [row, column] of free) if (MASKS[mask](row, column)) masked[row][column] = !masked[row][column];
    drawFormat(mask, size, (row, column, isDark) => { masked[row][column] = isDark; });
    const score = penalty(masked, size);
    if (score < lowest) [best, lowest] = [masked, score];
  }
  return best;
}

/** How hard a reader would find it: runs, squares, what looks like a finder, and uneven darkness. */
function penalty(grid, size) {
  let score = 0;
  const lines = [...grid, ...grid.map((_, column) => grid.map((row) => row[column]))];
  for (const line of lines) score += runPenalty(line) + finderPenalty(line);
  let darkCount = 0;
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const isDark = grid[row][column];
      if (isDark) darkCount += 1;
      if (row + 1 < size && column + 1 < size && isDark === grid[row][column + 1]
        && isDark === grid[row + 1][column] && isDark === grid[row + 1][column + 1]) score += 3;
    }
  }
  return score + 10 * Math.floor(Math.abs((100 * darkCount) / (size * size) - 50) / 5);
}

function runPenalty(line) {
  let score = 0;
  let length = 0;
  for (let index = 0; index <= line.length; index += 1) {
    if (index > 0 && index < line.length && line[index] === line[index - 1]) {
      length += 1;
      continue;
    }
    if (length >= 5) score += length - 2;
    length = 1;
  }
  return score;
}

function finderPenalty(line) {
  const text = line.map((isDark) => (isDark ? "1" : "0")).join("");
  let score = 0;
  for (let at = text.indexOf("1011101"); at >= 0; at = text.indexOf("1011101", at + 1)) {
    const isLight = (from, to) => !text.slice(Math.max(0, from), to).includes("1");
    if (isLight(at - 4, at) || isLight(at + 7, at + 11)) score += 40;
  }
  return score;
}
