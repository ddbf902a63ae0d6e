/** The assessor's own pace, and about how long the rest takes at that pace. */

import { byId } from "../dom.js";

const RECENT = 20; // judgements; the server sends as many
const ENOUGH = 5; // with fewer, the pace would jump
const MINUTE = 60_000;
const NBSP = "\u00a0"; // a number and its unit stay on one line

export class Pace {
  #times;

  /** @param {number[] | null} times active ms of the last judgements, oldest first; null if the pace is not shown */
  constructor(times) {
    this.#times = times;
  }

  /** @param {number} activeMs */
  add(activeMs) {
    if (this.#times) this.#times = [...this.#times, activeMs].slice(-RECENT);
  }

  /** @param {{left: number, to_claim: number}} progress in all topics */
  show({ left, to_claim: toClaim }) {
    const element = byId("pace");
    element.hidden = !this.#times || this.#times.length < ENOUGH;
    if (!this.#times || element.hidden) return;
    const mean = this.#times.reduce((sum, time) => sum + time, 0) / this.#times.length;
    const rest = left && !toClaim ? `, ${formatRest(left * mean)} left` : ""; // nobody knows how many one will claim
    element.textContent = `${formatPace(mean)} a document${rest}`;
  }
}

/** @param {number} ms */
function formatPace(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds}${NBSP}s` : `${Math.round(seconds / 60)}${NBSP}min`;
}

/**
 * "about 40 minutes": rounded to 5 minutes from 20 on.
 *
 * @param {number} ms
 */
export function formatRest(ms) {
  const exact = ms / MINUTE;
  const minutes = exact < 20 ? Math.max(1, Math.round(exact)) : Math.round(exact / 5) * 5;
  if (minutes < 60) return `about ${minutes}${NBSP}minute${minutes === 1 ? "" : "s"}`;
  return `about ${Math.floor(minutes / 60)}${NBSP}h${minutes % 60 ? ` ${minutes % 60}${NBSP}min` : ""}`;
}
