/** Before signing out: what is not sent yet waits in this browser, and its user is told so, once. */

import { forgetJudged } from "./pause.js";
import { openStore } from "./store.js";

const form = document.querySelector("form[data-sign-out]");
const question = document.getElementById("unsent");

async function ask(event) {
  event.preventDefault();
  const waiting = await (await openStore()).all(Number(form.dataset.signOut));
  if (!waiting.length) return leave();
  const what = waiting.length === 1 ? "1 judgement is" : `${waiting.length} judgements are`;
  question.querySelector("span").textContent =
    `${what} not sent yet. Signed out, they wait in this browser and are sent when you sign in here again.`;
  question.hidden = false;
  question.querySelector("button").focus();
}

function leave() {
  forgetJudged();
  form.submit();
}

form?.addEventListener("submit", ask);
question?.querySelector("[data-confirm]").addEventListener("click", leave);
question?.querySelector("[data-cancel]").addEventListener("click", () => {
  question.hidden = true;
  form.querySelector("button").focus();
});
