/** All talk with the server. Answers are plain objects; nothing here throws. */

const PATIENCE_MS = 20_000; // a request that hangs is given up and sent again, which changes nothing
const LONG_PATIENCE_MS = 300_000; // the text of a large document may take long on a slow line, once it has begun

export class Server {
  constructor({ user, signInAddress, patience = PATIENCE_MS }) {
    Object.assign(this, { user, signInAddress, patience });
  }

  /**
   * One saying. `{receipt}` when it is in the ledger, `{refusal}` when it never will be, and `{wait}` with the cause
   * when it is to be sent again: "offline", "trouble", "paused", "signed-out" or "somebody-else".
   */
  async post(entry, isSecond = false) {
    const response = await this.#fetch(entry.address, { method: "POST", body: formData(entry.fields) });
    if (!response) return { wait: "offline" };
    if (isTrouble(response)) return { wait: "trouble" };
    const answer = await response.json().catch(() => null);
    if (response.ok) return answer ? { receipt: answer } : { wait: "trouble" };
    if (answer?.later) return { wait: "paused" };
    if (answer?.error && !answer.wait) return { refusal: answer };
    // Whoever else is signed in gets such an answer too: it is final only if it comes to the right person twice.
    const wait = await this.whatIsWrong();
    if (wait) return { wait };
    if (!isSecond) return this.post(entry, true);
    if (response.type === "opaqueredirect") return { wait: "trouble" };
    return { refusal: { error: answer?.error ?? `The server has no such task for you (${response.status}).`, drop: true } };
  }

  /** `{data}` from an address, `{wait}` as above, or `{missing: true}`. What is long may take its time. */
  async get(address, isLong = false) {
    const response = await this.#fetch(address, isLong ? { bodyPatience: LONG_PATIENCE_MS } : {});
    if (!response) return { wait: "offline" };
    if (isTrouble(response)) return { wait: "trouble" };
    const data = await response.json().catch(() => null);
    if (response.ok) return data ? { data } : { wait: "trouble" };
    const wait = await this.whatIsWrong();
    return wait ? { wait } : { missing: true };
  }

  /** Why the server does not take us for who we are; empty if it does. */
  async whatIsWrong() {
    const who = await this.#who();
    if (!who) return "offline";
    if (who.user === this.user) return "";
    return who.user === null ? "signed-out" : "somebody-else";
  }

  /** Sign in from within the page; the sentence that is wrong, or nothing. */
  async signIn(username, password) {
    const who = await this.#who(); // also brings a fresh token, whose cookie may have gone with the session
    if (!who) return "There is no connection to the server; try again when it is back.";
    const response = await this.#fetch(this.signInAddress, { method: "POST", body: formData({ username, password }) }, who.csrf);
    if (!response) return "There is no connection to the server; try again when it is back.";
    if (response.status === 429) {
      return "Too many wrong passwords: sign-in with this name is closed from here for a quarter of an hour.";
    }
    if (response.ok) return "";
    const answer = await response.json().catch(() => null);
    return answer?.error ?? `The server answered ${response.status}; try again.`;
  }

  async #who() {
    const response = await this.#fetch(this.signInAddress);
    return response?.ok ? response.json().catch(() => null) : null;
  }

  async #fetch(address, { bodyPatience = this.patience, ...options } = {}, token = csrfToken()) {
    const headers = { Accept: "application/json" };
    if (options.method === "POST") headers["X-CSRFToken"] = token;
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), this.patience);
    try {
      const { signal } = waiting;
      const response = await fetch(address, { ...options, headers, signal, redirect: "manual", cache: "no-store" });
      setTimeout(() => waiting.abort(), bodyPatience); // changes nothing once all is there
      return response;
    } catch {
      return null;
    } finally {
      clearTimeout(timer);
    }
  }
}

const isTrouble = (response) => response.status >= 500 || response.status === 429 || response.status === 408;

/** Encoded as an address is: the server reads it faster than a form in parts. */
function formData(fields) {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null || value === "") continue;
    form.set(name, Array.isArray(value) ? JSON.stringify(value) : value);
  }
  return form;
}

/** The cookie's token if it can be read: after signing in again it is newer than the page's. */
function csrfToken() {
  const cookie = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/);
  return cookie ? cookie[1] : document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
}
