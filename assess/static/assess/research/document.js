/** The page of a judged document: keys for the previous and the next one, and passages marked in HTML. */

import { paint } from "../reading/highlight-layers.js";
import { contentOf, listenTo, showHtml } from "../reading/html-frame.js";

const BODY_TAG = "<body dir=auto>";
const TEXT_FIELDS = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])";
/** @type {Record<string, string>} the id of the link for each key */
const ARROWS = { ArrowRight: "next", ArrowLeft: "previous" };
/** @type {Record<string, string>} only if the user's settings have single keys on */
const LETTERS = document.querySelector("nav[data-keys]") ? { j: "next", k: "previous" } : {};

/** @param {KeyboardEvent} event */
function follow(event) {
  if (event.defaultPrevented || event.repeat || event.isComposing) return;
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  const target = /** @type {Element} */ (event.target);
  if (target.closest?.(TEXT_FIELDS)) return;
  // An arrow scrolls a wide table that has the focus.
  const id = LETTERS[event.key] ?? (target.closest?.(".sheet") ? undefined : ARROWS[event.key]);
  const link = document.getElementById(id ?? "");
  if (!(link instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  link.click();
}

/**
 * Show the HTML in a frame that this page can read, with the passages marked.
 *
 * @param {HTMLElement} body contains the frame of the page without script
 * @param {HTMLIFrameElement} plain
 */
async function showMarked(body, plain) {
  const html = plain.srcdoc.slice(plain.srcdoc.indexOf(BODY_TAG) + BODY_TAG.length);
  const { frame, text } = await showHtml(body, html, new AbortController().signal);
  listenTo(frame, { onKey: follow, onActivity: () => {} });
  const displayed = await text;
  /** @type {import("../reading/displayed-text.js").Range[]} */
  const spans = JSON.parse(document.getElementById("passages")?.textContent ?? "[]");
  const ranges = spans.map(([start, end]) =>
    displayed.staticRange(displayed.fromCharacters(start), displayed.fromCharacters(end)),
  );
  const view = /** @type {import("../reading/highlight-layers.js").View} */ (contentOf(frame).defaultView);
  frame.style.height = `min(70vh, ${contentOf(frame).body.scrollHeight + 8}px)`;
  if (displayed.text) paint("passage", view, ranges);
}

document.addEventListener("keydown", follow);
const body = document.getElementById("doc-body");
const plain = body?.querySelector("iframe");
if (body && plain) showMarked(body, plain);
