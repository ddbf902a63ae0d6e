// Keys of the reveal: arrows, and what a presenter in the hand sends (Page up, Page down).

const WRITES = "input, select, textarea, [contenteditable]";

const steps = document.querySelector("[data-steps]");
if (steps) {
  document.addEventListener("keydown", onKey);
  steps.dataset.keys = "on"; // a key pressed before this is lost
}

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.repeat) return;
  // In a field the key is text; in a region that scrolls sideways the arrow scrolls it.
  if (event.target.closest(WRITES) || event.target.closest("[tabindex='0']")) return;
  const go = direction(event.key);
  const button = go && steps.querySelector(`[data-go="${go}"]`);
  if (!button || button.disabled) return;
  event.preventDefault();
  steps.requestSubmit(button);
}

function direction(key) {
  if (key === "ArrowRight" || (key === "PageDown" && atEnd())) return "next";
  if (key === "ArrowLeft" || (key === "PageUp" && window.scrollY < 1)) return "back";
  return null;
}

// A page that is longer than the screen is scrolled through first.
function atEnd() {
  const page = document.documentElement;
  return window.scrollY + page.clientHeight > page.scrollHeight - 2;
}
