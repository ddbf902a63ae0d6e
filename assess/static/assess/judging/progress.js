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
  /** @type {Record<string, number>} */
  #least = {};

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
   * @param {Entry} [recorded] the judgement that it recorded; the count does not go back because a document was settled
   */
  receive(topic, progress, recorded) {
    const isForward = recorded && change(recorded, isDone) > 0;
    this.#least[topic] = isForward ? (this.#saved[topic] ?? NOTHING).done + 1 : 0;
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
    const ofTopic = own.filter((entry) => entry.topic === topic);
    const counted = withWaiting(this.#saved[topic] ?? NOTHING, ofTopic);
    const more = this.#shownEarlier(topic, counted, ofTopic);
    return { topic: forward(counted, more), all: forward(withWaiting(all, own), more) };
  }

  /**
   * How many more documents the page showed as done, before the server had recorded the last one.
   *
   * @param {string} topic
   * @param {Progress} counted
   * @param {Entry[]} waiting
   */
  #shownEarlier(topic, counted, waiting) {
    const goesBack = waiting.some((entry) => change(entry, isDone) < 0);
    return goesBack || counted.left < 2 ? 0 : Math.max(0, (this.#least[topic] ?? 0) - counted.done);
  }
}

/**
 * @param {Entry} entry
 * @param {(state: string) => number} is
 */
function change({ card, fields }, is) {
  return is(fields.state) - is(card.stateBefore ?? "");
}

/**
 * @param {Progress} progress
 * @param {number} more
 */
function forward(progress, more) {
  return { ...progress, done: progress.done + more, left: progress.left - more };
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
  for (const entry of entries) {
    const done = change(entry, isDone);
    result.done += done;
    result.left -= done;
    result.later += change(entry, isLater);
  }
  // A document that comes twice counts once.
  const over = Math.max(0, -result.left);
  return { ...result, done: result.done - over, left: result.left + over };
}
