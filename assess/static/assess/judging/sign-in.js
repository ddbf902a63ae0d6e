/** The panel that asks for the password, and a code if needed, so that waiting judgements can be sent. */

import { query } from "../dom.js";

/** @typedef {import("./server.js").Server} Server */

/** @param {number} count */
const judgements = (count) => (count === 1 ? "1 judgement" : `${count} judgements`);

export class SignIn {
  #reason = "";
  #needsCode = false;

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
    if (!isNeeded) return this.#askFor("password");
    const cause =
      reason === "signed-out"
        ? "You are signed out."
        : "Another user has signed in with this browser. Signing in again signs them out.";
    const text = `${cause} Sign in as ${this.name} to ${count ? `send ${judgements(count)}` : "continue"}.`;
    const element = query(this.form, "#sign-in-reason", HTMLElement);
    if (element.textContent !== text) element.textContent = text; // a live region: announce each text once
    if (reason !== this.#reason) {
      this.#showError("");
      this.#askFor("password");
    }
    this.#reason = reason;
  }

  async #submit() {
    const field = this.#field(this.#needsCode ? "code" : "password");
    const button = query(this.form, "button", HTMLButtonElement);
    const label = button.textContent;
    button.disabled = true;
    button.textContent = "Checking …";
    this.#showError(this.#needsCode ? "Checking the code …" : "Checking the password …");
    const { error, needsCode } = this.#needsCode
      ? await this.server.sendCode(field.value)
      : await this.server.signIn(this.name, field.value);
    button.disabled = false;
    button.textContent = label;
    field.value = "";
    this.#showError(error);
    if (error) return void field.focus();
    if (needsCode) {
      this.#askFor("code");
      return void this.#field("code").focus();
    }
    this.form.hidden = true;
    this.#reason = "";
    this.#askFor("password");
    this.onDone();
  }

  /**
   * Show one of the two fields. A seat has neither.
   *
   * @param {"password" | "code"} name
   */
  #askFor(name) {
    this.#needsCode = name === "code";
    for (const each of ["password", "code"]) {
      const field = this.form.querySelector(`[name=${each}]`);
      if (field instanceof HTMLInputElement) field.hidden = field.disabled = each !== name;
    }
  }

  /**
   * @param {string} name
   * @returns {HTMLInputElement}
   */
  #field(name) {
    return query(this.form, `[name=${name}]`, HTMLInputElement);
  }

  /** @param {string} error */
  #showError(error) {
    query(this.form, "#sign-in-error", HTMLElement).textContent = error;
  }
}
