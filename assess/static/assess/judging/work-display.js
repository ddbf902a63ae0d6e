/** Shows where the assessor is in the work: the topic of the document, progress, pace, and what is loaded. */

import { Pace } from "./pace.js";
import { ProgressCounter } from "./progress.js";
import * as status from "./status.js";
import { TopicPanel } from "./topic-panel.js";

/**
 * @typedef {import("./types.js").Card} Card
 * @typedef {import("./types.js").PageData} PageData
 * @typedef {import("./types.js").Progress} Progress
 * @typedef {import("./types.js").Wait} Wait
 */

export class WorkDisplay {
  /** @type {Wait | ""} */
  #cannotLoad = ""; // why no more documents could be fetched
  #hasReturned = false; // whether the last document had been postponed before

  /**
   * @param {object} options
   * @param {PageData} options.pageData
   * @param {import("./outbox.js").Outbox} options.outbox
   * @param {(topic: number, title: string) => void} options.onTopic called when a document of another topic is shown
   */
  constructor({ pageData, outbox, onTopic }) {
    this.pageData = pageData;
    this.outbox = outbox;
    this.onTopic = onTopic;
    this.panel = new TopicPanel(pageData.topic);
    this.pace = new Pace(pageData.pace);
    this.progress = new ProgressCounter(pageData.progress);
  }

  /**
   * Show the topic of a document, and that it returns. Return a sentence if the topic has changed, or if the postponed
   * documents begin.
   *
   * @param {Card} card
   * @param {string} topic the topic's address
   */
  change(card, topic) {
    const sentence = this.#newTopic(card) || this.#firstReturned(card, topic);
    this.#hasReturned = Boolean(card.returned);
    if (sentence) status.notice(sentence);
    return sentence;
  }

  /** @param {Card} card */
  #newTopic({ topic }) {
    if (!this.panel.show(topic) || !topic) return "";
    this.onTopic(topic.pk, topic.title);
    return `New topic: ${topic.title}.`;
  }

  /**
   * @param {Card} card
   * @param {string} topic
   */
  #firstReturned({ returned }, topic) {
    if (!returned || this.#hasReturned || this.pageData.back) return "";
    const progress = this.#count(topic);
    const [count, where] = this.pageData.continuous
      ? [progress.all.later, ""]
      : [progress.topic.later, " of this topic"];
    const documents = count === 1 ? "1 postponed document comes" : `${count} postponed documents come`;
    return `All other documents${where} are judged. Now ${documents}.`;
  }

  /** @param {string} topic */
  #count(topic) {
    return this.progress.count(topic, this.outbox.waiting);
  }

  /** @param {Wait | ""} wait why no more documents could be fetched, or "" */
  setCannotLoad(wait) {
    this.#cannotLoad = wait;
  }

  /**
   * @param {string} topic
   * @param {number} loaded documents on the page
   */
  showCounts(topic, loaded) {
    const counts = this.#count(topic);
    status.showProgress(counts);
    this.pace.show(counts.all);
    status.showLoaded(this.outbox.trouble || this.#cannotLoad || (navigator.onLine ? "" : "offline"), loaded);
  }
}
