/** The end of a topic: what was done, and the link to what comes next, which has the focus. */

import { byId } from "../dom.js";
import { showLocalTimes } from "../local-time.js";
import { focusDocument } from "./panels.js";

const TIMEOUT_MS = 10_000;

/**
 * Replace the end of the topic by the server's current version.
 *
 * @param {string} address of the topic
 */
export async function refreshEnd(address) {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`${address}?end=1`, { headers: { Accept: "text/html" }, redirect: "error", signal });
    const parsed = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("finished");
    if (parsed && !parsed.hidden) replaceEnd(byId("finished"), parsed);
    showLocalTimes(byId("finished"));
  } catch {
    // The existing text is still correct.
  }
}

/** Move the focus to what comes next, so that Enter continues, unless the assessor is writing the feedback. */
export function focusNext() {
  const end = byId("finished");
  const link = end.querySelector("[data-continue]");
  if (end.hidden || end.contains(document.activeElement)) return;
  if (link instanceof HTMLElement) link.focus();
  else focusDocument();
}

/**
 * Keep a feedback form that is already on the page, with its text and focus. It only needs the new form's token,
 * because the user may have signed in again.
 *
 * @param {HTMLElement} end
 * @param {HTMLElement} fresh
 */
function replaceEnd(end, fresh) {
  const [form, freshForm] = [end, fresh].map((one) => one.querySelector(":scope > form.topic-feedback"));
  if (!form || !freshForm) return end.replaceChildren(...fresh.childNodes);
  const [token, freshToken] = [form, freshForm].map((one) => one.querySelector("[name=csrfmiddlewaretoken]"));
  if (token instanceof HTMLInputElement && freshToken instanceof HTMLInputElement) token.value = freshToken.value;
  for (const old of [...end.childNodes]) if (old !== form) old.remove();
  const nodes = [...fresh.childNodes];
  form.before(...nodes.slice(0, nodes.indexOf(freshForm)));
  form.after(...nodes.slice(nodes.indexOf(freshForm) + 1));
}
