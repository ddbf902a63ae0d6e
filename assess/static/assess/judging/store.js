/**
 * Keeps judgements in IndexedDB until the server has saved them, so that they survive closing the page or the browser.
 *
 * An entry belongs to the user whose id it carries, and is removed as soon as the server has acknowledged it. If the
 * browser has no IndexedDB or refuses to write, entries wait in memory and `isDurable` is false.
 *
 * Entries written by an earlier release may wait here: do not rename the database, the object store or the fields of an
 * entry.
 */

/** @typedef {import("./types.js").Entry} Entry */

const DATABASE = "assay";
const UNSENT = "unsent";
const OPEN_TIMEOUT_MS = 3000; // if the database is not open by then, work without it

export async function openStore() {
  const timeout = new Promise((_, reject) => setTimeout(reject, OPEN_TIMEOUT_MS, new Error("no database")));
  try {
    return new Store(/** @type {IDBDatabase} */ (await Promise.race([connect(), timeout])));
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
  return new Promise((resolve, reject) => {
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
}

export class Store {
  /** @type {IDBDatabase | null} */
  #database;
  /** @type {Entry[]} entries that could not be written, newest last */
  #memory = [];
  #memoryIds = 0;

  /** @param {IDBDatabase | null} database */
  constructor(database) {
    this.#database = database;
  }

  get isDurable() {
    return this.#database !== null && this.#memory.length === 0;
  }

  /**
   * Add an entry after all others. Resolve once it is on the disk, or at least in memory.
   *
   * @param {Entry} entry
   */
  async add(entry) {
    // If an entry is in memory only, later entries must be there too: otherwise they would be sent before it.
    if (!this.isDurable || !(await this.#put(entry)))
      this.#memory.push({ ...entry, id: `memory ${++this.#memoryIds}` });
  }

  /**
   * All entries of a user, oldest first.
   *
   * @param {number} user
   * @returns {Promise<Entry[]>}
   */
  async all(user) {
    const written = (await this.#run("readonly", (entries) => entries.index("user").getAll(user))) ?? [];
    return [...written, ...this.#memory.filter((entry) => entry.user === user)];
  }

  /** @param {Entry} entry */
  async replace(entry) {
    const index = this.#memory.findIndex((other) => other.id === entry.id);
    if (index >= 0) this.#memory[index] = entry;
    else await this.#put(entry);
  }

  /** @param {Entry} entry */
  async remove(entry) {
    const { id } = entry;
    this.#memory = this.#memory.filter((other) => other.id !== id);
    if (typeof id === "number") await this.#run("readwrite", (entries) => entries.delete(id));
  }

  /** @param {Entry} entry */
  #put(entry) {
    return this.#run("readwrite", (entries) => entries.put(entry));
  }

  /**
   * The result of a request once its transaction is durable, or undefined if the database fails.
   *
   * @template T
   * @param {IDBTransactionMode} mode
   * @param {(entries: IDBObjectStore) => IDBRequest<T>} operation
   * @returns {Promise<T | undefined>}
   */
  async #run(mode, operation) {
    if (!this.#database) return undefined;
    try {
      const transaction = this.#database.transaction(UNSENT, mode, { durability: "strict" });
      const request = operation(transaction.objectStore(UNSENT));
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
