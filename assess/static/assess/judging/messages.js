/** Sentences about what the server answered. */

import * as screen from "./screen.js";

const NAMED = 3; // of many refused together, the first few are named

const nameOf = (card) => `“${card.title || card.doc_id || "Document"}”`;

/** That something was replaced which the page had not seen, or nothing. */
export function overwritten(card, receipt) {
  if (!receipt.overwrote?.state) return "";
  return `${nameOf(card)}: on another page you had ${did(receipt.overwrote)} meanwhile; ${counting(receipt)} is what counts now. Both are in the ledger.`;
}

function did({ state, relevance }) {
  if (state === "judged") return `judged this document ${relevance}`;
  if (state === "cannot_judge") return "said that this document cannot be judged";
  return state === "later" ? "put this document off for later" : "taken your judgement of this document back";
}

function counting({ state, relevance }) {
  if (state === "judged") return String(relevance);
  if (state === "cannot_judge") return "that it cannot be judged";
  return state === "later" ? "that it comes later" : "that it is not judged";
}

export const refused = (card, refusal) => `Not saved: ${nameOf(card)}: ${refusal.error}`;

/** Refusals for one and the same cause are told in one sentence, with their number. */
export class Refusals {
  #told = new Map(); // cause -> the sentence on the page, and the documents it is about

  tell(card, refusal) {
    const before = this.#told.get(refusal.error);
    const cards = before?.item.isConnected ? [...before.cards, card] : [card];
    const sentence = cards.length === 1 ? refused(card, refusal) : together(cards, refusal);
    this.#told.set(refusal.error, { cards, item: screen.tell(sentence, before?.item) });
  }
}

function together(cards, { error }) {
  const more = cards.length > NAMED ? ` and ${cards.length - NAMED} more` : "";
  return `Not saved: ${cards.length} documents (${cards.slice(0, NAMED).map(nameOf).join(", ")}${more}), of each: ${error}`;
}
