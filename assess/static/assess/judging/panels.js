/** Opens and closes the panels around the document, and keeps the keyboard focus where keys work. */

import { byId } from "../dom.js";

const PANELS = ["cannot", "comment-panel", "legend", "guidelines"];

/** @param {string} id */
const details = (id) => /** @type {HTMLDetailsElement | null} */ (document.getElementById(id));

export const focusDocument = () => byId("document").focus({ preventScroll: true });

/** Focus the document if the focused element is about to disappear, is disabled, or is inside a panel. */
export function returnToDocument() {
  const focused = document.activeElement;
  if (!focused || focused === document.body || focused.closest(".panel, iframe")) focusDocument();
}

/** @param {string} id */
export function togglePanel(id) {
  const panel = details(id);
  if (!panel) return;
  panel.open = !panel.open;
  if (panel.open) panel.scrollIntoView({ block: "nearest" });
}

export function closePanels() {
  for (const id of PANELS) {
    const panel = details(id);
    if (panel?.open) panel.open = false;
  }
  returnToDocument();
}

/**
 * When the panel is closed by a click, focus the document. When it is closed by a key, its summary keeps the focus.
 *
 * @param {() => boolean} lastInputWasKey
 */
export function focusDocumentOnClose(lastInputWasKey) {
  for (const id of ["cannot", "comment-panel"]) {
    const panel = /** @type {HTMLDetailsElement} */ (byId(id));
    panel.addEventListener("toggle", () => {
      const focused = document.activeElement;
      if (panel.open || !panel.contains(focused)) return;
      if (!(lastInputWasKey() && focused?.matches("summary"))) focusDocument();
    });
  }
}
