/** Counts what is done in each topic and in all, including judgements that the server does not have yet. */

/**
 * @typedef {import("./types.js").Entry} Entry
 * @typedef {import("./types.js").Progress} Progress
 */

/** @param {string} state */
const isDone = (state) => Number(state === "judged" || state === "cannot_judge");

/** @param {string} state */
const isLater = (state) => Number(state === "later");

/** @type {Progress} */
const NOTHING = { done: 0, left: 0, total: 0, later: 0, to_claim: 0 };

export class ProgressCounter {
  #initialAll;
  #initial;
  #saved;

  /**
   * @param {{all: Progress, topics: Record<string, Progress>}} progress what the server counted when the page was
   *   loaded: in all topics together, and in each topic of the page, by its address
   */
  constructor({ all, topics }) {
    this.#initialAll = all;
    this.#initial = topics;
    this.#saved = { ...topics };
  }

  /**
   * Whether the documents of this topic are on this page.
   *
   * @param {string} topic
   */
  knows(topic) {
    return Object.hasOwn(this.#saved, topic);
  }

  /**
   * @param {string} topic
   * @param {Progress} progress what the server counts now
   */
  receive(topic, progress) {
    this.#saved[topic] = progress;
  }

  /**
   * The progress in a topic and in all, with the judgements that wait.
   *
   * @param {string} topic
   * @param {Entry[]} waiting
   */
  count(topic, waiting) {
    const own = waiting.filter((entry) => this.knows(entry.topic));
    const saved = Object.entries(this.#saved);
    const all = saved.reduce((sum, [name, now]) => add(sum, now, this.#initial[name] ?? NOTHING), this.#initialAll);
    return {
      topic: withWaiting(
        this.#saved[topic] ?? NOTHING,
        own.filter((entry) => entry.topic === topic),
      ),
      all: withWaiting(all, own),
    };
  }
}

/**
 * @param {Progress} sum
 * @param {Progress} now
 * @param {Progress} before
 * @returns {Progress}
 */
function add(sum, now, before) {
  return {
    done: sum.done + now.done - before.done,
    left: sum.left + now.left - before.left,
    total: sum.total + now.total - before.total,
    later: sum.later + now.later - before.later,
    to_claim: sum.to_claim + now.to_claim - before.to_claim,
  };
}

/**
 * @param {Progress} progress
 * @param {Entry[]} entries
 */
function withWaiting(progress, entries) {
  const result = { ...progress };
  for (const { card, fields } of entries) {
    const before = card.stateBefore ?? "";
    const done = isDone(fields.state) - isDone(before);
    result.done += done;
    result.left -= done;
    result.later += isLater(fields.state) - isLater(before);
  }
  return result;
}
