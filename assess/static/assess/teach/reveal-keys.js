/** Keys of the reveal: the arrow keys, and those of presentation remotes (Page Up, Page Down). */

const TEXT_FIELDS = "input, select, textarea, [contenteditable]";

const form = document.querySelector("form[data-steps]");
if (form instanceof HTMLFormElement) {
  document.addEventListener("keydown", (event) => handleKey(event, form));
  form.dataset.keys = "on"; // for tests: keys pressed earlier have no effect
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLFormElement} form
 */
function handleKey(event, form) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.repeat) return;
  // Arrow keys move the cursor in a field, and scroll a region that is wider than the page.
  const target = /** @type {Element} */ (event.target);
  if (target.closest(TEXT_FIELDS) || target.closest("[tabindex='0']")) return;
  const direction = directionOf(event.key);
  const button = direction && form.querySelector(`[data-go="${direction}"]`);
  if (!(button instanceof HTMLButtonElement) || button.disabled) return;
  event.preventDefault();
  form.requestSubmit(button);
}

/** @param {string} key */
function directionOf(key) {
  if (key === "ArrowRight" || (key === "PageDown" && isAtEnd())) return "next";
  if (key === "ArrowLeft" || (key === "PageUp" && window.scrollY < 1)) return "back";
  return null;
}

/** A page longer than the screen is scrolled to its end first. */
function isAtEnd() {
  const page = document.documentElement;
  return window.scrollY + page.clientHeight > page.scrollHeight - 2;
}
