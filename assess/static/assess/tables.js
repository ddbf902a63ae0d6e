/**
 * Sorts tables of class `sortable` by a click on a column heading. A cell's `data-value` overrides its text.
 *
 * A longer table is filtered, sorted and cut by the server: this script keeps the address short, and keeps in it what
 * other tables of the page were asked for. A table with boxes gets one more in its heading for all of its rows.
 */

/**
 * @param {HTMLTableRowElement} row
 * @param {number} column
 */
function sortValue(row, column) {
  const cell = row.cells[column];
  const text = (cell.dataset.value ?? cell.textContent ?? "").trim().replace("−", "-");
  if (/^\d{4}-\d\d-\d\d/.test(text)) return text; // a date
  const number = Number.parseFloat(text.replace(/(\d),(?=\d{3})/g, "$1")); // 1,204 has a thousands separator
  return Number.isNaN(number) ? text.toLowerCase() : number;
}

/**
 * Numbers come before words, such as "undefined".
 *
 * @param {number | string} a
 * @param {number | string} b
 */
function compare(a, b) {
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * @param {HTMLTableElement} table
 * @param {HTMLTableSectionElement} head
 * @param {number} column
 */
function sortBy(table, head, column) {
  const heading = head.rows[0].cells[column];
  const isAscending = heading.ariaSort !== "ascending";
  for (const other of head.rows[0].cells) other.removeAttribute("aria-sort");
  heading.ariaSort = isAscending ? "ascending" : "descending";
  const rows = [...table.tBodies[0].rows];
  rows.sort((a, b) => (isAscending ? 1 : -1) * compare(sortValue(a, column), sortValue(b, column)));
  table.tBodies[0].append(...rows);
}

/** @param {Element | Document} part */
function addButtons(part) {
  for (const table of part.querySelectorAll("table")) {
    const head = table.tHead;
    if (!head || !table.classList.contains("sortable") || head.querySelector("button")) continue;
    for (const [column, heading] of [...head.rows[0].cells].entries()) {
      if (heading.querySelector(".visually-hidden")) continue; // a column of buttons or boxes
      const button = document.createElement("button");
      button.type = "button"; // the table may be in a form
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => sortBy(table, head, column));
    }
  }
}

/** @param {HTMLTableElement} table */
function boxesOf(table) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const boxes = table.querySelectorAll('tbody input[type="checkbox"]');
  return [...boxes];
}

/** @param {Element | Document} part */
function addBoxes(part) {
  for (const table of part.querySelectorAll("table")) {
    const heading = table.tHead?.rows[0]?.cells[0];
    if (!heading || boxesOf(table).length < 2 || heading.querySelector("input")) continue;
    const all = document.createElement("input");
    all.type = "checkbox";
    all.title = "All rows of the page";
    all.ariaLabel = all.title;
    all.addEventListener("change", () => {
      for (const box of boxesOf(table)) box.checked = all.checked;
    });
    heading.prepend(all, " ");
  }
}

const PARTS = ["find", "sort", "rows", "show"];

/**
 * @param {string} name - of the table
 * @param {URLSearchParams} asked - what a link or the form of the table asks for
 */
function addressOf(name, asked) {
  const address = new URLSearchParams(window.location.search);
  for (const part of PARTS) {
    const key = `${part}-${name}`;
    const hasAll =
      part === "show" && !document.querySelector(`[name="${CSS.escape(key)}"]:not(:checked, [type="hidden"])`);
    address.delete(key);
    for (const value of asked.getAll(key)) if (value && !hasAll) address.append(key, value);
  }
  return address;
}

/** @param {Event} event */
function shortenAddress(event) {
  if (!(event instanceof CustomEvent) || !(event.target instanceof Element)) return;
  const part = event.target.closest("[data-arranged]");
  if (!(part instanceof HTMLElement)) return;
  const url = new URL(event.detail.path, window.location.href);
  for (const [key, value] of event.detail.formData) url.searchParams.append(key, value);
  const address = addressOf(part.dataset.arranged ?? "", url.searchParams);
  event.detail.parameters = {};
  event.detail.path = address.size ? `${url.pathname}?${address}` : url.pathname;
}

/** @param {Element | Document} part */
function enhance(part) {
  addButtons(part);
  addBoxes(part);
}

enhance(document);
document.addEventListener("htmx:configRequest", shortenAddress);
document.addEventListener("htmx:load", (event) => {
  if (event.target instanceof Element) enhance(event.target); // a part of the page that a filter replaced
});
