/** Keys of the frame: `/` goes to the search box, `g` and a letter to a page of the sidebar, `?` lists the keys. */

const PATIENCE_MS = 1500; // within which the letter follows `g`
let waiting = 0;

/** @param {EventTarget | null} target */
const isTyping = (target) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, select, textarea"));

/** @param {string} key */
const withKey = (key) =>
  [...document.querySelectorAll("[data-key]")].find((each) => each instanceof HTMLElement && each.dataset.key === key);

/** @param {string} key */
function follow(key) {
  const target = withKey(key);
  if (target instanceof HTMLInputElement) target.focus();
  else if (target instanceof HTMLElement) target.click();
  return target !== undefined;
}

function toggleKeys() {
  const list = document.getElementById("keys");
  if (!(list instanceof HTMLDetailsElement)) return;
  list.open = !list.open;
  list.scrollIntoView({ block: "nearest" }); // it is below the other entries of the sidebar
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || isTyping(event.target)) return;
  const isSecond = Date.now() < waiting;
  waiting = 0;
  if (isSecond && follow(`g ${event.key}`)) event.preventDefault();
  else if (event.key === "g") waiting = Date.now() + PATIENCE_MS;
  else if (event.key === "?") toggleKeys();
  else if (event.key === "/" && follow("/")) event.preventDefault();
});

/** On a phone the tabs of an area scroll sideways: show the present one. */
function showTab() {
  const tab = document.querySelector("nav.fields [aria-current]");
  const tabs = tab?.parentElement;
  if (!tab || !tabs) return;
  const room = tabs.clientWidth - tab.clientWidth;
  tabs.scrollLeft += tab.getBoundingClientRect().left - tabs.getBoundingClientRect().left - room / 2;
}

showTab();
document.addEventListener("htmx:afterSettle", showTab);

/** A page that loads itself again asks for nothing more: the answer would be computed in vain. */
let isLeaving = false;

/** @param {Event} event */
function leave(event) {
  if (!(event instanceof CustomEvent)) return;
  isLeaving ||= event.detail.xhr.getResponseHeader("HX-Refresh") === "true";
}

document.addEventListener("htmx:beforeOnLoad", leave);
document.addEventListener("htmx:beforeRequest", (event) => isLeaving && event.preventDefault());
