/** A search box over a figure with many systems, judges or topics, whose names have no room: it marks what it finds. */

import { highlight } from "./highlight.js";

const MANY = 25;
const KINDS = ["system", "judge", "topic"];

/** @param {Element} figure @param {string} kind */
const namesIn = (figure, kind) => [
  ...new Set(
    [...figure.querySelectorAll(`svg .mark[data-${kind}]`)].map((mark) => mark.getAttribute(`data-${kind}`) ?? ""),
  ),
];

/** @param {Element} figure */
function addBox(figure) {
  const kind = KINDS.find((each) => namesIn(figure, each).length > MANY);
  if (!kind || figure.querySelector("input")) return;
  const box = document.createElement("input");
  box.type = "search";
  box.placeholder = `Find a ${kind}`;
  box.ariaLabel = box.placeholder;
  box.addEventListener("input", () => {
    const text = box.value.trim().toLowerCase();
    const found = text ? namesIn(figure, kind).filter((name) => name.toLowerCase().includes(text)) : [];
    highlight(found.map((name) => `${kind} ${name}`));
  });
  figure.prepend(box);
}

/** @param {Element | Document} part */
function addBoxes(part) {
  for (const figure of part.querySelectorAll("figure.chart")) addBox(figure);
}

addBoxes(document);
document.addEventListener("htmx:load", (event) => {
  if (event.target instanceof Element) addBoxes(event.target);
});
