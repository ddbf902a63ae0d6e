/** Sorts tables of class `sortable` by a click on a column heading. A cell's `data-value` overrides its text. */

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

addButtons(document);
document.addEventListener("htmx:load", (event) => {
  if (event.target instanceof Element) addButtons(event.target); // a part of the page that a filter replaced
});
