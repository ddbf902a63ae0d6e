/**
 * A double click or a double tap was meant once; its second half would judge the next document, which had been there
 * for a moment.
 */

export const AFTER_POINTER_MS = 300; // what a pointer judged gives place to may be judged no sooner, as a finger may bounce

/** `refuse()` is called instead of the second click. */
export function refuseDouble(form, refuse) {
  form.addEventListener("click", (event) => {
    if (event.detail < 2 || !event.target.closest("button")) return;
    event.preventDefault();
    refuse();
  });
}
