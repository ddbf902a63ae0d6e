/** Colours behind words without touching the document: the CSS Custom Highlight API. */

export const CAN_PAINT = Boolean(globalThis.CSS?.highlights && globalThis.Highlight);

// One sheet for the page and for the frame. An underline goes with each colour, for those who do not see the colour.
const LOOK = `
  ::highlight(query) { background-color: var(--g1); color: var(--ink); text-decoration: underline var(--accent) 1px; }
  ::highlight(passage) { background-color: var(--gold-wash); color: var(--ink); text-decoration: underline var(--gold) 3px; }
  ::highlight(found) { background-color: light-dark(#e3d7f0, #43345a); color: var(--ink); text-decoration: underline dotted 2px; }
  ::highlight(current) { background-color: var(--ink); color: light-dark(#ffffff, #16181c); text-decoration: underline 2px; }
`;
const LAYERS = ["passage", "query", "found", "current"]; // the last one lies on top
const dressed = new WeakSet();

/** Paint these ranges, which are all in one document, and nothing else on that layer. */
export function paint(layer, view, ranges) {
  if (!CAN_PAINT) return;
  dress(view);
  const highlight = new view.Highlight(...ranges.slice(0, 1));
  for (const range of ranges.slice(1)) highlight.add(range); // as arguments, thousands would be too many
  highlight.priority = LAYERS.indexOf(layer);
  view.CSS.highlights.set(layer, highlight);
}

export function wipe(layer, view) {
  if (CAN_PAINT) view?.CSS?.highlights.delete(layer);
}

export function wipeAll(view) {
  for (const layer of LAYERS) wipe(layer, view);
}

function dress(view) {
  if (dressed.has(view.document)) return;
  dressed.add(view.document);
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(LOOK);
  view.document.adoptedStyleSheets = [...view.document.adoptedStyleSheets, sheet];
}
