/** Highlights a system in all figures and tables of the page when one of them is pointed at or has the focus. */

/** @param {EventTarget | null} target */
function systemAt(target) {
  if (!(target instanceof Element)) return undefined;
  const figure = target.closest("[data-system]");
  if (figure instanceof SVGElement || figure instanceof HTMLElement) return figure.dataset.system;
  const head = target.closest("tr")?.querySelector('th[scope="row"]');
  return head?.textContent?.trim();
}

/** @param {string | undefined} system */
function choose(system) {
  for (const each of document.querySelectorAll(".chosen")) each.classList.remove("chosen");
  const lines = [...document.querySelectorAll("[data-system]")];
  if (!system || !lines.some((each) => each.getAttribute("data-system") === system)) return;
  for (const each of lines) each.classList.toggle("chosen", each.getAttribute("data-system") === system);
  for (const head of document.querySelectorAll('tbody th[scope="row"]')) {
    if (head.textContent?.trim() === system) head.closest("tr")?.classList.add("chosen");
  }
}

for (const name of ["pointerover", "focusin"]) {
  document.addEventListener(name, (event) => choose(systemAt(event.target)));
}
