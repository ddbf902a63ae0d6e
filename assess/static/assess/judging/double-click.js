/**
 * Refuses the second half of a double click or double tap. It would judge the next document, which has only just
 * appeared.
 */

/** Minimum time before a document that replaced another after a pointer press may be judged: a finger may bounce. */
export const AFTER_POINTER_MS = 300;

/**
 * @param {HTMLFormElement} form
 * @param {() => void} onRefused called instead of the second click
 */
export function refuseDoubleClick(form, onRefused) {
  form.addEventListener("click", (event) => {
    if (event.detail < 2 || !(event.target instanceof Element && event.target.closest("button"))) return;
    event.preventDefault();
    onRefused();
  });
}
