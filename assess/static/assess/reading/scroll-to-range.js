/** Scrolls a range of the document into view, at a third of the height, unless it is visible already. */

const MARGIN = 60; // pixels at top and bottom that do not count as visible
/** @type {Range | null} */
let latest = null;

/**
 * @param {Range} range
 * @param {HTMLIFrameElement | null} frame
 */
export function scrollToRange(range, frame) {
  latest = range;
  if (!scrollOnce(range, frame)) return;
  // Blocks that were not laid out before get their real height only now, so the range may have moved.
  requestAnimationFrame(() => requestAnimationFrame(() => latest === range && scrollOnce(range, frame)));
}

/**
 * Return whether scrolling was necessary.
 *
 * @param {Range} range
 * @param {HTMLIFrameElement | null} frame
 */
function scrollOnce(range, frame) {
  const view = frame?.contentWindow;
  const article = /** @type {HTMLElement} */ (document.getElementById("document"));
  const visible = view ? { top: 0, height: view.innerHeight } : article.getBoundingClientRect();
  let box = range.getBoundingClientRect();
  if (!box.width && !box.height) box = range.startContainer.parentElement?.getBoundingClientRect() ?? box;
  const top = box.top - visible.top;
  if (top >= MARGIN && top + box.height <= visible.height - MARGIN) return false;
  (view ?? article).scrollBy(0, top - visible.height / 3);
  return true;
}
