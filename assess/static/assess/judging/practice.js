/** Practice pages: digits give grades, Enter continues, and HTML documents fit their frame. */

import { contentOf, listenTo, showHtml } from "../reading/html-frame.js";

const BODY_TAG = "<body dir=auto>";

/** @param {KeyboardEvent} event */
function handleKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing) return;
  if (!/^[0-9]$/.test(event.key)) return;
  const button = document.querySelector(`form[data-keys] button[name="relevance"][value="${event.key}"]`);
  if (!(button instanceof HTMLButtonElement) || !button.form) return;
  event.preventDefault();
  button.form.requestSubmit(button);
}

/**
 * @param {HTMLElement} body
 * @param {HTMLIFrameElement} plain
 */
async function fitFrame(body, plain) {
  const html = plain.srcdoc.slice(plain.srcdoc.indexOf(BODY_TAG) + BODY_TAG.length);
  const { frame, text } = await showHtml(body, html, new AbortController().signal);
  listenTo(frame, { onKey: handleKey, onActivity: () => {} });
  await text;
  frame.style.height = `min(70vh, ${contentOf(frame).body.scrollHeight + 8}px)`;
}

/** One request only: a second click or key while the page is being sent does nothing. */
function sendOnce() {
  const form = document.querySelector("form.practice");
  form?.addEventListener("submit", (event) => {
    if (form.hasAttribute("data-sent")) event.preventDefault();
    form.setAttribute("data-sent", "");
  });
}

document.addEventListener("keydown", handleKey);
document.getElementById("continue")?.focus();
sendOnce();
const body = document.getElementById("doc-body");
const plain = body?.querySelector("iframe");
if (body && plain) fitFrame(body, plain);
