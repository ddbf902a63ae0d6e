/** Messages about the server's answers. */

import * as status from "./status.js";

/**
 * @typedef {import("./types.js").Card} Card
 * @typedef {import("./types.js").Receipt} Receipt
 * @typedef {import("./types.js").Refusal} Refusal
 */

const MAX_TITLES = 3; // titles listed in a message about several documents

/** @param {Card} card */
const titleOf = (card) => `“${card.title || card.doc_id || "Document"}”`;

/**
 * A message if the judgement replaced one that this page had not seen, or "".
 *
 * @param {Card} card
 * @param {Receipt} receipt
 */
export function overwriteMessage(card, receipt) {
  if (!receipt.overwrote?.state) return "";
  const earlier = describeEarlier(receipt.overwrote);
  return `${titleOf(card)}: ${earlier} on another page. Now ${describeCurrent(receipt)}. Both are recorded.`;
}

/**
 * A notice if near-duplicates were judged or undone together with this document, or "".
 *
 * @param {Receipt} receipt
 */
export function groupNotice({ state, by_group: byGroup = [] }) {
  if (!byGroup.length) return "";
  const number = byGroup.length === 1 ? "1 near-duplicate" : `${byGroup.length} near-duplicates`;
  return state === "judged" ? `Also applied to ${number}.` : `Also undone for ${number}.`;
}

/** @param {{state: string, relevance: number | null}} judgement */
function describeEarlier({ state, relevance }) {
  if (state === "judged") return `you graded this document ${relevance}`;
  if (state === "cannot_judge") return "you marked this document as “cannot judge”";
  return state === "later" ? "you postponed this document" : "you undid your judgement of this document";
}

/** @param {{state: string, relevance: number | null}} judgement */
function describeCurrent({ state, relevance }) {
  if (state === "judged") return `its grade is ${relevance}`;
  if (state === "cannot_judge") return "it is marked as “cannot judge”";
  return state === "later" ? "it is postponed" : "it is not judged";
}

/**
 * @param {Card} card
 * @param {Refusal} refusal
 */
export const refusalMessage = (card, refusal) => `Not saved: ${titleOf(card)}: ${refusal.error}`;

/** Shows refusals. Refusals with the same error share one message that counts them. */
export class RefusalMessages {
  /** @type {Map<string, {cards: Card[], item: HTMLElement}>} */
  #shown = new Map(); // by error: the documents, and their message on the page

  /**
   * @param {Card} card
   * @param {Refusal} refusal
   */
  show(card, refusal) {
    const existing = this.#shown.get(refusal.error);
    const cards = existing?.item.isConnected ? [...existing.cards, card] : [card];
    const text = cards.length === 1 ? refusalMessage(card, refusal) : combinedMessage(cards, refusal);
    this.#shown.set(refusal.error, { cards, item: status.showMessage(text, existing?.item) });
  }
}

/**
 * @param {Card[]} cards
 * @param {Refusal} refusal
 */
function combinedMessage(cards, { error }) {
  const more = cards.length > MAX_TITLES ? ` and ${cards.length - MAX_TITLES} more` : "";
  const titles = cards.slice(0, MAX_TITLES).map(titleOf).join(", ");
  return `Not saved: ${cards.length} documents (${titles}${more}). For each: ${error}`;
}
