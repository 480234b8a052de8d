// Shows that QR codes read back as the text that they were made of: by a reader written here from the standard, which
// takes the mask from the format, checks that every block's Reed-Solomon syndromes are zero, and knows nothing of how
// the code was made. All versions and both lengths of the count are met.

import assert from "node:assert/strict";
import { test } from "node:test";
import { qrModules } from "../../../Sources/WebGallery/Resources/joining/qr.js";

/** Total bytes, bytes of correction in a block, blocks; from table 9 of the standard. */
const TABLE = {
  1: [26, 10, 1], 2: [44, 16, 1], 3: [70, 26, 1], 4: [100, 18, 2], 5: [134, 24, 2], 6: [172, 16, 4], 7: [196, 18, 4],
  8: [242, 22, 4], 9: [292, 22, 5], 10: [346, 26, 5], 11: [404, 30, 5], 12: [466, 22, 8],
};
const CENTRES = {
  1: [], 2: [6, 18], 3: [6, 22], 4: [6, 26], 5: [6, 30], 6: [6, 34], 7: [6, 22, 38], 8: [6, 24, 42], 9: [6, 26, 46],
  10: [6, 28, 50], 11: [6, 30, 54], 12: [6, 32, 58],
};

function isMasked(mask, i, j) {
  return [
    (i + j) % 2, i % 2, j % 3, (i + j) % 3, ((i >> 1) + Math.floor(j / 3)) % 2, ((i * j) % 2) + ((i * j) % 3),
    (((i * j) % 2) + ((i * j) % 3)) % 2, (((i + j) % 2) + ((i * j) % 3)) % 2,
  ][mask] === 0;
}

function isPattern(version, i, j) {
  const size = 17 + 4 * version;
  if (i === 6 || j === 6) return true;
  if ((i < 9 && j < 9) || (i < 9 && j >= size - 8) || (i >= size - 8 && j < 9)) return true;
  if (version >= 7 && ((i < 6 && j >= size - 11) || (j < 6 && i >= size - 11))) return true;
  const centres = CENTRES[version];
  return centres.some((y) => centres.some((x) => {
    const isCorner = (y === 6 && x === 6) || (y === 6 && x === centres.at(-1)) || (x === 6 && y === centres.at(-1));
    return !isCorner && Math.abs(i - y) <= 2 && Math.abs(j - x) <= 2;
  }));
}

/** The format near the first finder, most significant bit first. */
function formatOf(grid) {
  const places = [
    [8, 0], [8, 1], [8, 2], [8, 3], [8, 4], [8, 5], [8, 7], [8, 8], [7, 8], [5, 8], [4, 8], [3, 8], [2, 8], [1, 8], [0, 8],
  ];
  return places.reduce((bits, [i, j]) => (bits << 1) | (grid[i][j] ? 1 : 0), 0) ^ 0b101010000010010;
}

function secondFormatOf(grid) {
  const size = grid.length;
  const places = [...Array(7).keys()].map((index) => [size - 1 - index, 8])
    .concat([...Array(8).keys()].map((index) => [8, size - 8 + index]));
  return places.reduce((bits, [i, j]) => (bits << 1) | (grid[i][j] ? 1 : 0), 0) ^ 0b101010000010010;
}

function multiply(a, b) {
  let result = 0;
  for (let x = a, y = b; y > 0; y >>= 1) {
    if (y & 1) result ^= x;
    x = x & 0x80 ? ((x << 1) ^ 0x11d) & 0xff : x << 1;
  }
  return result;
}

function read(grid) {
  const size = grid.length;
  const version = (size - 17) / 4;
  const format = formatOf(grid);
  assert.equal(format >> 13, 0, "level M");
  assert.equal(secondFormatOf(grid), format, "both copies of the format");
  const mask = (format >> 10) & 7;
  const bits = [];
  let isUp = true;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    for (let step = 0; step < size; step += 1) {
      const i = isUp ? size - 1 - step : step;
      for (const j of [right === 7 ? 5 : right, (right === 7 ? 5 : right) - 1]) {
        if (!isPattern(version, i, j)) bits.push(grid[i][j] !== isMasked(mask, i, j) ? 1 : 0);
      }
    }
    isUp = !isUp;
  }
  const [total, correctionCount, blockCount] = TABLE[version];
  const stream = Array.from({ length: total }, (_, k) => bits.slice(8 * k, 8 * k + 8).reduce((byte, bit) => 2 * byte + bit, 0));
  const dataCount = total - correctionCount * blockCount;
  const shortCount = Math.floor(dataCount / blockCount);
  const longBlocks = dataCount % blockCount;
  const blocks = Array.from({ length: blockCount }, () => []);
  let at = 0;
  for (let k = 0; k <= shortCount; k += 1) {
    for (let b = 0; b < blockCount; b += 1) {
      if (k < shortCount || b >= blockCount - longBlocks) blocks[b].push(stream[at++]);
    }
  }
  const data = blocks.flatMap((block) => [...block]);
  for (let k = 0; k < correctionCount; k += 1) for (const block of blocks) block.push(stream[at++]);
  for (const block of blocks) {
    for (let power = 0, root = 1; power < correctionCount; power += 1, root = multiply(root, 2)) {
      assert.equal(block.reduce((sum, byte) => multiply(sum, root) ^ byte, 0), 0, "syndrome");
    }
  }
  const text = data.map((byte) => byte.toString(2).padStart(8, "0")).join("");
  assert.equal(text.slice(0, 4), "0100");
  const countBits = version < 10 ? 8 : 16;
  const count = parseInt(text.slice(4, 4 + countBits), 2);
  const bytes = Array.from({ length: count }, (_, k) => parseInt(text.substr(4 + countBits + 8 * k, 8), 2));
  return { version, text: new TextDecoder().decode(Uint8Array.from(bytes)) };
}

test("reads back texts of every length that fits", () => {
  const versions = new Set();
  for (let length = 1; length <= 287; length += 3) {
    const text = Array.from({ length }, (_, index) => String.fromCharCode(33 + ((index * 7 + length) % 94))).join("");
    const found = read(qrModules(text));
    assert.equal(found.text, text);
    versions.add(found.version);
  }
  assert.equal(versions.size, 12);
});

test("reads back a link and letters beyond ASCII", () => {
  for (const text of ["http://10.0.0.5:4712/g/#me=q3Zk0c1Hh2mJ9x7PbL4uVw", "WIFI:T:WPA;S:Strandhaus Süd;P:möwe 12;;"]) {
    assert.equal(read(qrModules(text)).text, text);
  }
});

test("draws finders, timing and the dark module", () => {
  const grid = qrModules("http://10.0.0.5:4712/g/");
  const size = grid.length;
  const finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"];
  for (const [top, left] of [[0, 0], [0, size - 7], [size - 7, 0]]) {
    const found = finder.map((_, i) => grid[top + i].slice(left, left + 7).map((dark) => (dark ? "1" : "0")).join(""));
    assert.deepEqual(found, finder);
  }
  for (let index = 8; index < size - 8; index += 1) assert.equal(grid[6][index], index % 2 === 0);
  assert.equal(grid[size - 8][8], true);
});

test("says so where a text is too long", () => {
  assert.equal(qrModules("x".repeat(287)).length, 65);
  assert.throws(() => qrModules("x".repeat(288)), RangeError);
});
