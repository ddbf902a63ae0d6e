/** Colours words without changing the document, with the CSS Custom Highlight API. */

/** @typedef {Window & typeof globalThis} View */

export const CAN_HIGHLIGHT = Boolean(globalThis.CSS?.highlights && globalThis.Highlight);

// One style sheet for the page and for the frame. Each colour comes with an underline, for users who cannot see it.
const STYLES = `
  ::highlight(query) {
    background-color: var(--g1); color: var(--ink); text-decoration: underline var(--accent) 1px;
  }
  ::highlight(passage) {
    background-color: var(--gold-wash); color: var(--ink); text-decoration: underline var(--gold) 3px;
  }
  ::highlight(found) {
    background-color: var(--found); color: var(--ink); text-decoration: underline dotted 2px;
  }
  ::highlight(current) {
    background-color: var(--ink); color: var(--on-ink); text-decoration: underline 2px;
  }
`;
const LAYERS = ["passage", "query", "found", "current"]; // from bottom to top
/** @type {WeakSet<Document>} */
const styled = new WeakSet();

/**
 * Replace the highlights of a layer. All ranges are in one document.
 *
 * @param {string} layer
 * @param {View} view
 * @param {AbstractRange[]} ranges
 */
export function paint(layer, view, ranges) {
  if (!CAN_HIGHLIGHT) return;
  addStyles(view);
  const highlight = new view.Highlight(...ranges.slice(0, 1));
  for (const range of ranges.slice(1)) highlight.add(range); // thousands would be too many arguments
  highlight.priority = LAYERS.indexOf(layer);
  view.CSS.highlights.set(layer, highlight);
}

/**
 * @param {string} layer
 * @param {View} view
 */
export function clearLayer(layer, view) {
  if (CAN_HIGHLIGHT) view.CSS?.highlights.delete(layer);
}

/** @param {View} view */
export function clearAllLayers(view) {
  for (const layer of LAYERS) clearLayer(layer, view);
}

/** @param {View} view */
function addStyles(view) {
  if (styled.has(view.document)) return;
  styled.add(view.document);
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(STYLES);
  view.document.adoptedStyleSheets = [...view.document.adoptedStyleSheets, sheet];
}
