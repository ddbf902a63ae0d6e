/** The panel that asks for the password in the page, so that what waits can be sent. The name is not to be changed. */

const plural = (count) => (count === 1 ? "1 judgement" : `${count} judgements`);

export class SignIn {
  #why = "";

  constructor({ form, name, server, onDone }) {
    this.form = form;
    Object.assign(this, { name, server, onDone });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
  }

  /** `why`: "signed-out" or "somebody-else", and the panel is shown; anything else, and it is not. */
  show(why, count) {
    const isAsking = why === "signed-out" || why === "somebody-else";
    this.form.hidden = !isAsking;
    if (!isAsking) return;
    const cause = why === "signed-out" ? "You are signed out." : "Somebody else has signed in here, and will be signed out.";
    const purpose = count ? `to send ${plural(count)}` : "to go on";
    const words = `${cause} Sign in as ${this.name} ${purpose}.`;
    const place = this.form.querySelector("#sign-in-why");
    if (place.textContent !== words) place.textContent = words; // a live region: once is enough
    if (why !== this.#why) this.#complain("");
    this.#why = why;
  }

  async #submit() {
    const password = this.form.elements.password;
    const button = this.form.querySelector("button");
    button.disabled = true;
    const wrong = await this.server.signIn(this.name, password.value);
    button.disabled = false;
    password.value = "";
    this.#complain(wrong);
    if (wrong) return void password.focus();
    this.form.hidden = true;
    this.#why = "";
    this.onDone();
  }

  #complain(sentence) {
    this.form.querySelector("#sign-in-wrong").textContent = sentence;
  }
}
