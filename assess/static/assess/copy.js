/** Buttons that copy the value of a field: `<button data-copy="ID" hidden>`. `ID-status` says whether it worked. */

for (const button of document.querySelectorAll("button[data-copy]")) {
  if (button instanceof HTMLButtonElement) prepare(button);
}

/** @param {HTMLButtonElement} button */
function prepare(button) {
  const id = button.dataset.copy ?? "";
  const field = document.getElementById(id);
  const status = document.getElementById(`${id}-status`);
  if (!(field instanceof HTMLInputElement) || !status) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    status.textContent = (await copied(field.value)) ? "Copied." : "Press Ctrl+C to copy the selected link.";
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
