/** What is told of a document beside its text: title, doc_id and metadata. */

const find = (id) => document.getElementById(id);
const LONGEST = 500; // characters of one value

/** Where a collection hides doc_ids, a document without a title is just a document. */
export function describe(card) {
  find("doc-title").textContent = card ? card.title || card.doc_id || "Document" : "";
  find("doc-meta").textContent = card?.doc_id ?? "";
  const facts = Object.entries(card?.metadata ?? {}).filter(([, value]) => value !== null && value !== "");
  find("doc-facts").hidden = !facts.length;
  find("doc-facts").replaceChildren(...facts.map(fact));
}

function fact([name, value]) {
  const pair = document.createElement("div");
  const term = document.createElement("dt");
  const told = document.createElement("dd");
  term.textContent = name;
  told.textContent = shortened(asText(value));
  told.dir = "auto";
  pair.append(term, told);
  return pair;
}

function asText(value) {
  if (Array.isArray(value)) return value.map(asText).join(", ");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

const shortened = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
