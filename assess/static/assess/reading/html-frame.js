/**
 * HTML in a frame of its own, which runs no script, sends no form and loads nothing (see templates/judge/_frame.html).
 * The page stays in charge: it reads the frame, and hears its keys.
 */

import { ShownText } from "./shown_text.js";

const LONG = 200_000; // characters from which on only what is in sight is laid out
const TOKENS = ["--ink", "--quiet", "--line", "--edge", "--accent", "--sheet", "--gold", "--gold-wash", "--g1", "--g2"];
const SCROLLS = { ArrowDown: 48, ArrowUp: -48 }; // pixels
const PAGES = { PageDown: 0.9, PageUp: -0.9, " ": 0.9 }; // of what is in sight

/** Puts the HTML into `body`; resolves with its frame as soon as there is something to look at. */
export async function showFramed(body, html, signal) {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-same-origin");
  frame.title = "Text of the document";
  frame.srcdoc = page(html, body);
  const loaded = new Promise((done) => frame.addEventListener("load", done, { once: true }));
  body.replaceChildren(frame);
  await Promise.race([loaded, somethingToSee(frame, signal)]);
  return { frame, loaded: loaded.then(() => ShownText.within(frame.contentDocument.body)) };
}

/** The frame's document: the same head as without script, then the page's own colours and size of text. */
function page(html, body) {
  const own = getComputedStyle(document.documentElement);
  const tokens = TOKENS.map((name) => `${name}: ${own.getPropertyValue(name)};`).join(" ");
  const { fontSize, fontFamily } = getComputedStyle(body);
  const look = `:root { color-scheme: ${own.colorScheme}; ${tokens} font-size: ${fontSize}; font-family: ${fontFamily}; }`;
  const head = `${document.getElementById("frame-head").innerHTML}<style>${look}</style>`;
  const kind = html.length > LONG ? ' class="long"' : "";
  return `<!doctype html><html${kind}><head>${head}</head><body dir="auto">${html}`;
}

/** Of a long document the beginning is there long before the end. */
async function somethingToSee(frame, signal) {
  for (;;) {
    await new Promise(requestAnimationFrame);
    const inside = frame.contentDocument;
    if (signal.aborted || !frame.isConnected) return;
    if (inside?.URL === "about:srcdoc" && inside.body?.scrollHeight > frame.clientHeight) return;
  }
}

/** Tells the page what is done within the frame. */
export function listenTo(frame, { onKey, onActivity }) {
  const inside = frame.contentDocument;
  inside.addEventListener("keydown", onKey);
  for (const kind of ["pointerdown", "pointermove", "wheel", "touchstart", "scroll"]) {
    inside.addEventListener(kind, onActivity, { passive: true, capture: true });
  }
  // A link would leave the page; the sandbox forbids it, and this keeps the console quiet.
  inside.addEventListener("click", (event) => event.target.closest?.("a") && event.preventDefault());
}

/** Scrolls the frame by a key that was pressed beside it; tells whether it was such a key. */
export function scrollByKey(frame, { key, shiftKey }) {
  const view = frame.contentWindow;
  const page = view.innerHeight * (PAGES[key] ?? 0) * (key === " " && shiftKey ? -1 : 1);
  if (key === "Home" || key === "End") view.scrollTo(0, key === "Home" ? 0 : view.document.body.scrollHeight);
  else if (SCROLLS[key] || page) view.scrollBy(0, SCROLLS[key] ?? page);
  else return false;
  return true;
}
