/** Brings a place of the document into sight, a third down, with as little movement as possible. */

const MARGIN = 60; // pixels at top and bottom that do not count as in sight
let latest = null; // what was asked for last

export function reveal(range, frame) {
  latest = range;
  if (!scrollTo(range, frame)) return;
  // What had not been laid out before has its real height only then, so that the place may have moved.
  requestAnimationFrame(() => requestAnimationFrame(() => latest === range && scrollTo(range, frame)));
}

/** Tells whether it had to scroll. */
function scrollTo(range, frame) {
  const scroller = frame ? frame.contentWindow : document.getElementById("document");
  const seen = frame ? { top: 0, height: scroller.innerHeight } : scroller.getBoundingClientRect();
  let place = range.getBoundingClientRect();
  if (!place.width && !place.height) place = range.startContainer.parentElement.getBoundingClientRect();
  const top = place.top - seen.top;
  if (top >= MARGIN && top + place.height <= seen.height - MARGIN) return false;
  scroller.scrollBy(0, top - seen.height / 3);
  return true;
}
