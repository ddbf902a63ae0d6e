/** Buttons that copy the value of a field: `<button data-copy="ID" hidden>`. `ID-status` says whether it worked. */

/** @param {Element | Document} part */
function prepareAll(part) {
  for (const button of part.querySelectorAll("button[data-copy]")) {
    if (button instanceof HTMLButtonElement) prepare(button);
  }
}

prepareAll(document);
document.addEventListener("htmx:load", (event) => {
  if (event.target instanceof Element) prepareAll(event.target); // a part of the page that a choice replaced
});

/** @param {HTMLButtonElement} button */
function prepare(button) {
  const id = button.dataset.copy ?? "";
  const field = document.getElementById(id);
  const status = document.getElementById(`${id}-status`);
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) || !status) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    status.textContent = (await copied(field.value)) ? "Copied." : "Press Ctrl+C to copy the selected text.";
  });
}

/**
 * A page without TLS has no clipboard.
 *
 * @param {string} text
 */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
