/** The panel that asks for the password on the judging page, so that waiting judgements can be sent. */

import { query } from "../dom.js";

/** @typedef {import("./server.js").Server} Server */

/** @param {number} count */
const judgements = (count) => (count === 1 ? "1 judgement" : `${count} judgements`);

export class SignIn {
  #reason = "";

  /**
   * @param {object} options
   * @param {HTMLFormElement} options.form
   * @param {string} options.name the user name, which cannot be changed here
   * @param {Server} options.server
   * @param {() => void} options.onDone
   */
  constructor({ form, name, server, onDone }) {
    this.form = form;
    this.name = name;
    this.server = server;
    this.onDone = onDone;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
  }

  /**
   * Show the panel if `reason` is "signed-out" or "somebody-else". Hide it otherwise.
   *
   * @param {string} reason
   * @param {number} count judgements that wait
   */
  show(reason, count) {
    const isNeeded = reason === "signed-out" || reason === "somebody-else";
    this.form.hidden = !isNeeded;
    if (!isNeeded) return;
    const cause =
      reason === "signed-out"
        ? "You are signed out."
        : "Another user has signed in with this browser. Signing in again signs them out.";
    const text = `${cause} Sign in as ${this.name} to ${count ? `send ${judgements(count)}` : "continue"}.`;
    const element = query(this.form, "#sign-in-reason", HTMLElement);
    if (element.textContent !== text) element.textContent = text; // a live region: announce each text once
    if (reason !== this.#reason) this.#showError("");
    this.#reason = reason;
  }

  async #submit() {
    const password = query(this.form, "[name=password]", HTMLInputElement);
    const button = query(this.form, "button", HTMLButtonElement);
    button.disabled = true;
    const error = await this.server.signIn(this.name, password.value);
    button.disabled = false;
    password.value = "";
    this.#showError(error);
    if (error) return void password.focus();
    this.form.hidden = true;
    this.#reason = "";
    this.onDone();
  }

  /** @param {string} error */
  #showError(error) {
    query(this.form, "#sign-in-error", HTMLElement).textContent = error;
  }
}
