/**
 * Makes figures answer: what the pointer or the focus is on shows its numbers, and everything on the page that shows the
 * same system, judge or topic is marked with it. Arrow keys move within a figure, Enter or a click opens the source of
 * a mark, or pins a mark without one, and Escape ends it.
 */

const KINDS = ["system", "judge", "topic", "gold"];
const STEPS = new Map([
  ["ArrowRight", 1],
  ["ArrowDown", 1],
  ["ArrowLeft", -1],
  ["ArrowUp", -1],
]);
const GAP = 12; // pixels between a mark and its tooltip

const tooltip = document.createElement("div");
tooltip.className = "tooltip";
tooltip.setAttribute("role", "status");
tooltip.hidden = true;
document.body.append(tooltip);

/** @type {SVGElement | undefined} */
let current;
let isSecondTap = false;

/** @param {EventTarget | null} target */
function markAt(target) {
  const mark = target instanceof Element ? target.closest("svg .mark") : null;
  return mark instanceof SVGElement ? mark : undefined;
}

/** @param {Element} part @param {string} kind */
const namesOf = (part, kind) => [
  ...(part.getAttribute(`data-${kind}`)?.split("\n") ?? []),
  ...(part.getAttribute(`data-${kind}s`)?.split("\n") ?? []),
];

/** @param {Element} row */
const rowNames = (row) => [row.querySelector('th[scope="row"]')?.textContent?.trim() ?? ""];

/**
 * What a mark or a table row names, as "kind name"; a row names whatever a figure shows under its heading.
 *
 * @param {EventTarget | null} target
 */
function namedAt(target) {
  const mark = markAt(target);
  if (mark) return KINDS.flatMap((kind) => namesOf(mark, kind).map((name) => `${kind} ${name}`));
  const row = target instanceof Element ? target.closest("tbody tr") : null;
  if (!row) return [];
  const tagged = [...row.querySelectorAll("[data-system], [data-judge], [data-topic]")];
  const named = tagged.flatMap((cell) => KINDS.flatMap((kind) => namesOf(cell, kind).map((name) => `${kind} ${name}`)));
  return named.length ? named.slice(0, 2) : rowNames(row).flatMap((name) => KINDS.map((kind) => `${kind} ${name}`));
}

/** @param {string[]} chosen "kind name" each */
export function highlight(chosen) {
  for (const each of document.querySelectorAll(".chosen:not(.pinned)")) each.classList.remove("chosen");
  const figures = [...document.querySelectorAll("svg")];
  for (const figure of figures) figure.classList.toggle("has-chosen", figure.querySelector(".pinned") !== null);
  if (!chosen.length) return;
  const names = new Set(chosen);
  const isNamed = /** @param {Element} part */ (part) =>
    KINDS.some((kind) => namesOf(part, kind).some((name) => names.has(`${kind} ${name}`)));
  const marks = [...document.querySelectorAll("svg .mark")].filter(isNamed);
  for (const mark of marks) {
    mark.classList.add("chosen");
    mark.closest("svg")?.classList.add("has-chosen");
  }
  if (!marks.length) return;
  for (const head of document.querySelectorAll('tbody th[scope="row"]')) {
    const name = head.textContent?.trim();
    const tagged = [...head.querySelectorAll("[data-system], [data-judge], [data-topic]")];
    const isSame = tagged.length ? tagged.some(isNamed) : KINDS.some((kind) => names.has(`${kind} ${name}`));
    if (isSame || isNamed(head)) head.closest("tr")?.classList.add("chosen");
  }
}

/** @param {SVGElement | undefined} mark */
function show(mark) {
  current = mark;
  const title = mark?.querySelector("title");
  if (mark && title) {
    mark.setAttribute("aria-label", title.textContent ?? "");
    title.remove(); // the browser's own tooltip would come on top
  }
  tooltip.hidden = !mark?.ariaLabel;
  if (!mark?.ariaLabel) return;
  tooltip.textContent = mark.ariaLabel;
  const box = mark.getBoundingClientRect();
  const own = tooltip.getBoundingClientRect();
  const above = box.top - own.height - GAP;
  const left = Math.min(
    box.left + box.width / 2 - own.width / 2,
    document.documentElement.clientWidth - own.width - GAP,
  );
  tooltip.style.left = `${Math.max(left, GAP)}px`;
  tooltip.style.top = `${above > 0 ? above : box.bottom + GAP}px`;
}

/** @param {Event} event */
function answer(event) {
  const mark = markAt(event.target);
  if (event instanceof PointerEvent) isSecondTap = event.pointerType !== "touch" || mark === current;
  if (mark === current && mark) return;
  show(mark);
  highlight(namedAt(event.target));
}

/** @param {SVGElement} mark */
function open(mark) {
  if (mark.dataset.href) window.location.assign(mark.dataset.href);
  else mark.classList.toggle("chosen", mark.classList.toggle("pinned"));
}

/** @param {number} step @param {Element} figure */
function move(step, figure) {
  const marks = [...figure.querySelectorAll("svg .mark")].filter((mark) => mark.getClientRects().length);
  const at = current ? marks.indexOf(current) : -1;
  const next = marks[at < 0 ? (step > 0 ? 0 : marks.length - 1) : (at + step + marks.length) % marks.length];
  if (next instanceof SVGElement) next.focus();
}

function clear() {
  for (const each of document.querySelectorAll(".pinned")) each.classList.remove("pinned", "chosen");
  show(undefined);
  highlight([]);
}

document.addEventListener("pointerover", answer);
document.addEventListener("focusin", answer);
document.addEventListener("focusout", () => show(undefined));
document.addEventListener("scroll", () => show(undefined), { capture: true, passive: true });
document.addEventListener("click", (event) => {
  const mark = markAt(event.target);
  if (mark && isSecondTap) open(mark); // the first tap shows the numbers
});
document.addEventListener("keydown", (event) => {
  const figure = event.target instanceof Element ? event.target.closest("figure, .figure-part") : null;
  const step = STEPS.get(event.key);
  if (event.key === "Escape") clear();
  if (!figure || event.ctrlKey || event.altKey || event.metaKey) return;
  const mark = markAt(event.target);
  if (event.key === "Enter" && mark) open(mark);
  if (step === undefined || !figure.querySelector("svg .mark")) return;
  move(step, figure);
  event.preventDefault();
});
