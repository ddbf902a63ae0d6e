/** Asks before signing out if judgements wait in this browser. */

import { query } from "../dom.js";
import { forgetCount } from "./break-reminder.js";
import { openStore } from "./store.js";

const form = document.querySelector("form[data-sign-out]");
const warning = document.getElementById("sign-out-warning");

if (form instanceof HTMLFormElement && warning) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const waiting = await (await openStore()).all(Number(form.dataset.signOut));
    if (waiting.length) ask(warning, waiting.length);
    else signOut(form);
  });
  query(warning, "[data-confirm]", HTMLButtonElement).addEventListener("click", () => signOut(form));
  query(warning, "[data-cancel]", HTMLButtonElement).addEventListener("click", () => {
    warning.hidden = true;
    query(form, "button", HTMLButtonElement).focus();
  });
}

/**
 * @param {HTMLElement} warning
 * @param {number} count
 */
function ask(warning, count) {
  const [judgements, they, are] =
    count === 1 ? ["1 judgement is", "it", "is"] : [`${count} judgements are`, "they", "are"];
  query(warning, "span", HTMLElement).textContent =
    `${judgements} not sent yet. ` +
    `If you sign out, ${they} ${are} kept in this browser and sent when you sign in here again.`;
  warning.hidden = false;
  query(warning, "button", HTMLButtonElement).focus();
}

/** @param {HTMLFormElement} form */
function signOut(form) {
  forgetCount();
  form.submit();
}
