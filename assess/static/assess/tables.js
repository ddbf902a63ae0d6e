/** Tables of class `sortable` sort by a click on a column's head; `data-value` goes before the cell's text. */

const valueOf = (row, column) => {
  const cell = row.cells[column];
  const text = (cell.dataset.value ?? cell.textContent).trim().replace("−", "-");
  const number = Number.parseFloat(text);
  return Number.isNaN(number) ? text.toLowerCase() : number;
};

const compare = (a, b) => {
  if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
  return typeof a === "number" ? -1 : 1; // words, such as "undefined", after all numbers
};

function sortBy(table, column, head) {
  const ascending = head.ariaSort !== "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.ariaSort = ascending ? "ascending" : "descending";
  const rows = [...table.tBodies[0].rows];
  rows.sort((a, b) => (ascending ? 1 : -1) * compare(valueOf(a, column), valueOf(b, column)));
  table.tBodies[0].append(...rows);
}

for (const table of document.querySelectorAll("table.sortable")) {
  for (const [column, head] of [...table.tHead.rows[0].cells].entries()) {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sortBy(table, column, head));
  }
}
