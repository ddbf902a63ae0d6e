/** Shows a document's title, doc_id and metadata. */

import { byId } from "../dom.js";

/** @typedef {import("../judging/types.js").Card} Card */

const MAX_LENGTH = 500; // characters of one value

/**
 * A document without a title has its doc_id alone, or "Document" where the collection hides doc_ids.
 *
 * @param {Card | null} card null clears the fields
 */
export function showMetadata(card) {
  byId("doc-title").textContent = card?.title ?? "";
  byId("doc-title").hidden = !card?.title;
  byId("doc-meta").textContent = card ? card.doc_id || (card.title ? "" : "Document") : "";
  byId("doc-returned").hidden = !card?.returned;
  byId("doc-replaced").hidden = !card?.replaced;
  byId("doc-note").textContent = card?.note ?? "";
  byId("doc-note").hidden = !card?.note;
  byId("doc-suggestion").textContent = card?.suggestion?.text ?? "";
  byId("doc-suggestion").hidden = !card?.suggestion;
  const facts = Object.entries(card?.metadata ?? {}).filter(([, value]) => value !== null && value !== "");
  byId("doc-facts").hidden = !facts.length;
  byId("doc-facts").replaceChildren(...facts.map(createFact));
}

/** @param {[string, unknown]} fact */
function createFact([name, value]) {
  const pair = document.createElement("div");
  const term = document.createElement("dt");
  const description = document.createElement("dd");
  term.textContent = name;
  description.textContent = shorten(asText(value));
  description.dir = "auto";
  pair.append(term, description);
  return pair;
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function asText(value) {
  if (Array.isArray(value)) return value.map(asText).join(", ");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/** @param {string} text */
const shorten = (text) => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);
