// @ts-check
/** SHA-256 (FIPS 180-4) of data that arrives in pieces. The browser's own function needs the whole file in memory. */

const ROUNDS = 64;
const BLOCK = 64; // bytes

/** The first 32 bits of the fractional part of a number. @param {number} x */
const fraction = (x) => ((x - Math.floor(x)) * 2 ** 32) | 0;

/** @type {number[]} */
const PRIMES = [];
for (let n = 2; PRIMES.length < ROUNDS; n++) {
  if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
}
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const K = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));

/** @param {number} x @param {number} n */
const rotate = (x, n) => (x >>> n) | (x << (32 - n));

export class Sha256 {
  #state = Int32Array.from(START);
  #words = new Int32Array(ROUNDS);
  #rest = new Uint8Array(BLOCK);
  #restLength = 0;
  #length = 0;

  /** @param {Uint8Array} bytes */
  update(bytes) {
    this.#length += bytes.length;
    let at = 0;
    if (this.#restLength) {
      at = Math.min(BLOCK - this.#restLength, bytes.length);
      this.#rest.set(bytes.subarray(0, at), this.#restLength);
      this.#restLength += at;
      if (this.#restLength < BLOCK) return;
      this.#compress(this.#rest, 0);
    }
    for (; at + BLOCK <= bytes.length; at += BLOCK) this.#compress(bytes, at);
    this.#rest.set(bytes.subarray(at));
    this.#restLength = bytes.length - at;
  }

  /** The checksum in hexadecimal. Nothing can be added afterwards. */
  hex() {
    const length = this.#length;
    const zeros = (2 * BLOCK - 9 - (length % BLOCK)) % BLOCK;
    const end = new Uint8Array(1 + zeros + 8);
    end[0] = 0x80;
    const view = new DataView(end.buffer);
    view.setUint32(end.length - 8, Math.floor((length * 8) / 2 ** 32));
    view.setUint32(end.length - 4, (length * 8) >>> 0);
    this.update(end);
    return Array.from(this.#state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  }

  /** @param {Uint8Array} bytes @param {number} at */
  #compress(bytes, at) {
    const w = this.#words;
    for (let i = 0; i < 16; i++, at += 4) {
      w[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
    }
    for (let i = 16; i < ROUNDS; i++) {
      const x = w[i - 15];
      const y = w[i - 2];
      const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
      const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
      w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
    }
    let [a, b, c, d, e, f, g, h] = this.#state;
    for (let i = 0; i < ROUNDS; i++) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    const state = this.#state;
    [a, b, c, d, e, f, g, h].forEach((value, i) => {
      state[i] = (state[i] + value) | 0;
    });
  }
}
