/** What opens and closes around the document, and where the keys go then. */

const find = (id) => document.getElementById(id);
const FOLDED = ["cannot", "legend", "guidelines"];

export const focusDocument = () => find("document").focus({ preventScroll: true });

/** After a deed in a panel that closes, in a frame that goes, or on a button that is disabled now, keys would go nowhere. */
export function backToDocument() {
  const focused = document.activeElement;
  if (!focused || focused === document.body || focused.closest(".panel, iframe")) focusDocument();
}

export function toggle(id) {
  const details = find(id);
  if (!details) return;
  details.open = !details.open;
  if (details.open) details.scrollIntoView({ block: "nearest" });
}

export function closeAll() {
  for (const id of FOLDED) if (find(id)?.open) find(id).open = false;
  backToDocument();
}

/** Closed by a click, a panel gives the keys back to the document; closed by a key, its summary keeps its place. */
export function giveKeysBack(wasByKey) {
  find("cannot").addEventListener("toggle", ({ target }) => {
    const within = target.contains(document.activeElement);
    if (!target.open && within && !(wasByKey() && document.activeElement.matches("summary"))) focusDocument();
  });
}
