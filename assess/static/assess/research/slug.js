// @ts-check
/** Derives the name in addresses from the name until the user edits it. Without this script, the server does it. */

import { query } from "../dom.js";

const name = query(document, "input[name=name]", HTMLInputElement);
const slug = query(document, "input[name=slug]", HTMLInputElement);

/** @param {string} text */
function slugOf(text) {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain
    .replace(/[^a-z0-9_]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 74);
}

let derived = slugOf(name.value);
name.addEventListener("input", () => {
  const isEdited = slug.value !== derived;
  derived = slugOf(name.value);
  if (!isEdited) slug.value = derived;
});
