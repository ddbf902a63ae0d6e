/**
 * Where sayings wait until the server has them: IndexedDB, so that they outlive the page and the browser.
 *
 * An entry belongs to the user whose id it carries, and leaves as soon as it is acknowledged. Where the browser has no
 * IndexedDB or refuses to write, entries wait in memory and `lasting` is false.
 */

const DATABASE = "assay";
const UNSENT = "unsent";
const OPENING_MS = 3000; // a database that does not open by then is as good as none

export async function openStore() {
  const tooLate = new Promise((_, reject) => setTimeout(reject, OPENING_MS, new Error("no database")));
  try {
    return new Store(await Promise.race([connect(), tooLate]));
  } catch {
    return new Store(null);
  }
}

function connect() {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => {
    const entries = opening.result.createObjectStore(UNSENT, { keyPath: "id", autoIncrement: true });
    entries.createIndex("user", "user");
  };
  return result(opening);
}

function result(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

class Store {
  #database;
  #memory = []; // what could not be written, newest last
  #written = 0;

  constructor(database) {
    this.#database = database;
  }

  get lasting() {
    return this.#database !== null && this.#memory.length === 0;
  }

  /** Keeps an entry behind all others; resolves once it is on the disk, or at least in memory. */
  async add(entry) {
    // Behind one that is in memory only, the next must be there too, or it would overtake.
    if (!this.lasting || !(await this.#put(entry))) this.#memory.push({ ...entry, id: `memory ${++this.#written}` });
  }

  /** All entries of a user, oldest first. */
  async all(user) {
    const written = (await this.#try("readonly", (entries) => entries.index("user").getAll(user))) ?? [];
    return [...written, ...this.#memory.filter((entry) => entry.user === user)];
  }

  async replace(entry) {
    const at = this.#memory.findIndex((other) => other.id === entry.id);
    if (at >= 0) this.#memory[at] = entry;
    else await this.#put(entry);
  }

  async remove(entry) {
    this.#memory = this.#memory.filter((other) => other.id !== entry.id);
    if (typeof entry.id === "number") await this.#try("readwrite", (entries) => entries.delete(entry.id));
  }

  #put(entry) {
    return this.#try("readwrite", (entries) => entries.put(entry));
  }

  /** What the deed gives once its transaction is durable; undefined where the database does not play along. */
  async #try(mode, deed) {
    if (!this.#database) return undefined;
    try {
      const transaction = this.#database.transaction(UNSENT, mode, { durability: "strict" });
      const request = deed(transaction.objectStore(UNSENT));
      await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
      });
      return request.result;
    } catch {
      return undefined;
    }
  }
}
