/**
 * Shows an HTML document in a sandboxed frame that runs no script, submits no form and loads nothing. The page reads
 * the frame and listens to its keys.
 */

import { byId } from "../dom.js";
import { DisplayedText } from "./displayed-text.js";

const LONG = 200_000; // characters from which the browser lays out only the visible part
const TOKENS = [
  "--ink",
  "--on-ink",
  "--quiet",
  "--line",
  "--edge",
  "--accent",
  "--sheet",
  "--gold",
  "--gold-wash",
  "--g1",
  "--g2",
  "--found",
];
/** @type {Record<string, number>} */
const LINE_KEYS = { ArrowDown: 48, ArrowUp: -48 }; // pixels
/** @type {Record<string, number>} */
const PAGE_KEYS = { PageDown: 0.9, PageUp: -0.9, " ": 0.9 }; // share of the visible height

/**
 * Show the HTML in `body`. Resolve with its frame as soon as something is visible.
 *
 * @param {HTMLElement} body
 * @param {string} html
 * @param {AbortSignal} signal
 */
export async function showHtml(body, html, signal) {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-same-origin");
  frame.title = "Text of the document";
  frame.srcdoc = frameDocument(html, body);
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  body.replaceChildren(frame);
  await Promise.race([loaded, firstScreen(frame, signal)]);
  return { frame, text: loaded.then(() => DisplayedText.within(contentOf(frame).body)) };
}

/**
 * The frame's document. It is always accessible: the frame has the page's origin.
 *
 * @param {HTMLIFrameElement} frame
 */
export const contentOf = (frame) => /** @type {Document} */ (frame.contentDocument);

/**
 * The frame's source: the same head as without script, and the page's current colours and text size.
 *
 * @param {string} html
 * @param {HTMLElement} body
 */
function frameDocument(html, body) {
  const root = getComputedStyle(document.documentElement);
  const tokens = TOKENS.map((name) => `${name}: ${root.getPropertyValue(name)};`).join(" ");
  const { fontSize, fontFamily } = getComputedStyle(body);
  const font = `font-size: ${fontSize}; font-family: ${fontFamily};`;
  const style = `:root { color-scheme: ${root.colorScheme}; ${tokens} ${font} }`;
  const head = `${byId("frame-head").innerHTML}<style>${style}</style>`;
  const className = html.length > LONG ? ' class="long"' : "";
  return `<!doctype html><html${className}><head>${head}</head><body dir="auto">${html}`;
}

/**
 * Resolve when the first screen of the document is there: the beginning of a long document arrives long before its end.
 *
 * @param {HTMLIFrameElement} frame
 * @param {AbortSignal} signal
 */
async function firstScreen(frame, signal) {
  for (;;) {
    await new Promise(requestAnimationFrame);
    const content = frame.contentDocument;
    if (signal.aborted || !frame.isConnected) return;
    if (content?.URL === "about:srcdoc" && content.body?.scrollHeight > frame.clientHeight) return;
  }
}

/**
 * Report keys and other activity within the frame.
 *
 * @param {HTMLIFrameElement} frame
 * @param {{onKey: (event: KeyboardEvent) => void, onActivity: () => void}} listeners
 */
export function listenTo(frame, { onKey, onActivity }) {
  const content = contentOf(frame);
  content.addEventListener("keydown", onKey);
  for (const type of ["pointerdown", "pointermove", "wheel", "touchstart", "scroll"]) {
    content.addEventListener(type, onActivity, { passive: true, capture: true });
  }
  // The sandbox blocks links anyway; this avoids an error in the console.
  content.addEventListener("click", (event) => {
    if (/** @type {Element} */ (event.target).closest?.("a")) event.preventDefault();
  });
}

/**
 * Scroll the frame if the key, pressed outside it, is a scroll key. Return whether it is one.
 *
 * @param {HTMLIFrameElement} frame
 * @param {KeyboardEvent} event
 */
export function scrollByKey(frame, { key, shiftKey }) {
  const view = /** @type {Window} */ (frame.contentWindow);
  const page = view.innerHeight * (PAGE_KEYS[key] ?? 0) * (key === " " && shiftKey ? -1 : 1);
  if (key === "Home" || key === "End") view.scrollTo(0, key === "Home" ? 0 : view.document.body.scrollHeight);
  else if (LINE_KEYS[key] || page) view.scrollBy(0, LINE_KEYS[key] ?? page);
  else return false;
  return true;
}
