/**
 * SHA-256 (FIPS 180-4), computed here: pages over plain HTTP have no `crypto.subtle`. Meant for a worker; a phone does
 * some tens of megabytes a second.
 */

const roundCount = 64;
const blockBytes = 64;

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2). */
const constants = new Int32Array(roundCount);
/** The same of the square roots of the first eight (section 5.3.3). */
const start = new Int32Array(8);
fillTables();

/** One hash, fed piece by piece. */
export class Sha256 {
  #state = Int32Array.from(start);
  #schedule = new Int32Array(roundCount);
  #rest = new Uint8Array(blockBytes);
  #restBytes = 0;
  #allBytes = 0;
  #isFinished = false;

  /**
   * Adds bytes.
   * @param {Uint8Array} bytes
   * @returns {this}
   */
  update(bytes) {
    if (this.#isFinished) throw new Error("This hash is finished.");
    this.#allBytes += bytes.length;
    let offset = 0;
    if (this.#restBytes > 0) {
      offset = Math.min(blockBytes - this.#restBytes, bytes.length);
      this.#rest.set(bytes.subarray(0, offset), this.#restBytes);
      this.#restBytes += offset;
      if (this.#restBytes < blockBytes) return this;
      this.#compress(this.#rest, 0, 1);
      this.#restBytes = 0;
    }
    const blocks = Math.floor((bytes.length - offset) / blockBytes);
    this.#compress(bytes, offset, blocks);
    offset += blocks * blockBytes;
    this.#rest.set(bytes.subarray(offset));
    this.#restBytes = bytes.length - offset;
    return this;
  }

  /**
   * Ends the hash.
   * @returns {string} 64 hex digits
   */
  hex() {
    this.#finish();
    return Array.from(this.#state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  }

  /**
   * Ends the hash.
   * @returns {Uint8Array} 32 bytes
   */
  digest() {
    this.#finish();
    const bytes = new Uint8Array(32);
    const view = new DataView(bytes.buffer);
    this.#state.forEach((word, index) => view.setInt32(index * 4, word));
    return bytes;
  }

  /** Section 5.1.1: a one, zeros, and the length in bits as 64 bits. */
  #finish() {
    if (this.#isFinished) return;
    const tail = new Uint8Array(this.#restBytes < 56 ? blockBytes : 2 * blockBytes);
    tail.set(this.#rest.subarray(0, this.#restBytes));
    tail[this.#restBytes] = 0x80;
    const view = new DataView(tail.buffer);
    view.setUint32(tail.length - 8, Math.floor(this.#allBytes / 0x20000000));
    view.setUint32(tail.length - 4, (this.#allBytes * 8) >>> 0);
    this.#compress(tail, 0, tail.length / blockBytes);
    this.#isFinished = true;
  }

  /** Section 6.2.2, over whole blocks. The state stays in local variables: engines keep those in registers. */
  #compress(bytes, from, blocks) {
    const words = this.#schedule;
    const state = this.#state;
    let h0 = state[0], h1 = state[1], h2 = state[2], h3 = state[3];
    let h4 = state[4], h5 = state[5], h6 = state[6], h7 = state[7];
    let offset = from;
    for (let block = 0; block < blocks; block += 1) {
      for (let index = 0; index < 16; index += 1, offset += 4) {
        words[index] = (bytes[offset] << 24) | (bytes[offset + 1] << 16) | (bytes[offset + 2] << 8) | bytes[offset + 3];
      }
      for (let index = 16; index < roundCount; index += 1) {
        const near = words[index - 2];
        const far = words[index - 15];
        const s1 = ((near >>> 17) | (near << 15)) ^ ((near >>> 19) | (near << 13)) ^ (near >>> 10);
        const s0 = ((far >>> 7) | (far << 25)) ^ ((far >>> 18) | (far << 14)) ^ (far >>> 3);
        words[index] = (s1 + words[index - 7] + s0 + words[index - 16]) | 0;
      }
      let a = h0, b = h1, c = h2, d = h3, e = h4, f = h5, g = h6, h = h7;
      for (let index = 0; index < roundCount; index += 1) {
        const sum1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
        const t1 = (h + sum1 + ((e & f) ^ (~e & g)) + constants[index] + words[index]) | 0;
        const sum0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
        const t2 = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        h = g;
        g = f;
        f = e;
        e = (d + t1) | 0;
        d = c;
        c = b;
        b = a;
        a = (t1 + t2) | 0;
      }
      h0 = (h0 + a) | 0;
      h1 = (h1 + b) | 0;
      h2 = (h2 + c) | 0;
      h3 = (h3 + d) | 0;
      h4 = (h4 + e) | 0;
      h5 = (h5 + f) | 0;
      h6 = (h6 + g) | 0;
      h7 = (h7 + h) | 0;
    }
    state.set([h0, h1, h2, h3, h4, h5, h6, h7]);
  }
}

/** Roots of small primes have more than enough digits in a double: 52 bits, of which 34 are used at most. */
function fillTables() {
  let found = 0;
  for (let number = 2; found < roundCount; number += 1) {
    if (!isPrime(number)) continue;
    constants[found] = fraction(Math.cbrt(number));
    if (found < 8) start[found] = fraction(Math.sqrt(number));
    found += 1;
  }
}

function fraction(value) {
  return ((value - Math.floor(value)) * 0x100000000) | 0;
}

function isPrime(number) {
  for (let divisor = 2; divisor * divisor <= number; divisor += 1) {
    if (number % divisor === 0) return false;
  }
  return true;
}
