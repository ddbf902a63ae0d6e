/** Requests to the server. Results are plain objects; no method throws. */

import { csrfToken } from "../dom.js";

/**
 * @typedef {import("./types.js").Entry} Entry
 * @typedef {import("./types.js").Receipt} Receipt
 * @typedef {import("./types.js").Refusal} Refusal
 * @typedef {import("./types.js").Wait} Wait
 * @typedef {{receipt?: Receipt, refusal?: Refusal, wait?: Wait, retryAfterMs?: number}} Answer
 */

const TIMEOUT_MS = 20_000; // a repeated request changes nothing, so a request that hangs can be sent again
const LONG_TIMEOUT_MS = 300_000; // the text of a large document may take long on a slow connection
const MAX_RETRY_AFTER_MS = 60_000; // a proxy may ask for hours, but a person waits
const NO_CONNECTION = "There is no connection to the server. Try again later.";
const SERVER_TROUBLE = "The server has a problem. Try again later.";

export class Server {
  /** @type {Set<AbortController>} */
  #posts = new Set();

  /**
   * @param {object} options
   * @param {number} options.user
   * @param {string} options.signInAddress
   * @param {number} [options.timeout] in ms
   */
  constructor({ user, signInAddress, timeout = TIMEOUT_MS }) {
    this.user = user;
    this.signInAddress = signInAddress;
    this.timeout = timeout;
  }

  /** End the running posts as if there were no connection. */
  abortPosts() {
    for (const controller of this.#posts) controller.abort();
  }

  /**
   * Post a judgement. The answer has a `receipt` if the judgement is saved, a `refusal` if it never will be, or the
   * reason to `wait` and send it again, with the time that the server asks to wait.
   *
   * @param {Entry} entry
   * @returns {Promise<Answer>}
   */
  async post(entry, isSecondAttempt = false) {
    const response = await this.#fetch(entry.address, { method: "POST", body: encodeFields(entry.fields) });
    if (!response) return { wait: "offline" };
    if (isServerTrouble(response)) return { wait: "trouble", retryAfterMs: retryAfterMs(response) };
    const answer = await response.json().catch(() => null);
    if (response.ok) return answer ? { receipt: answer } : { wait: "trouble" };
    if (answer?.later) return { wait: answer.closed ? "closed" : "paused" };
    if (answer?.error && !answer.wait) return { refusal: answer };
    // Another signed-in user gets such an answer too. It is final only if the right user gets it twice.
    const wait = await this.#checkUser();
    if (wait) return { wait };
    if (!isSecondAttempt) return this.post(entry, true);
    if (response.type === "opaqueredirect") return { wait: "trouble" };
    return {
      refusal: {
        error:
          answer?.error ?? `This task is not yours any more, or its text was replaced (status ${response.status}).`,
        drop: true,
      },
    };
  }

  /**
   * Get JSON `data`. If there is none, `wait` says why and `retryAfterMs` how long, or `missing` is true.
   *
   * @param {string} address
   * @param {boolean} [isLong] allow more time for the body
   * @returns {Promise<{data?: any, wait?: Wait, retryAfterMs?: number, missing?: true}>}
   */
  async get(address, isLong = false) {
    const response = await this.#fetch(address, {}, isLong ? LONG_TIMEOUT_MS : this.timeout);
    if (!response) return { wait: "offline" };
    if (isServerTrouble(response)) return { wait: "trouble", retryAfterMs: retryAfterMs(response) };
    const data = await response.json().catch(() => null);
    if (response.ok) return data ? { data } : { wait: "trouble" };
    const wait = await this.#checkUser();
    return wait ? { wait } : { missing: true };
  }

  /**
   * Sign in from within the page. The `error` is "" if the password was right; the account may then need a code too.
   *
   * @param {string} username
   * @param {string} password
   * @returns {Promise<{error: string, needsCode: boolean}>}
   */
  signIn(username, password) {
    return this.#sendSecret(this.signInAddress, { username, password });
  }

  /**
   * Finish signing in with a code of the authenticator app, or a recovery code.
   *
   * @param {string} code
   * @returns {Promise<{error: string, needsCode: boolean}>}
   */
  sendCode(code) {
    return this.#sendSecret(`${this.signInAddress}code/`, { code });
  }

  /**
   * @param {string} address
   * @param {Record<string, string>} fields
   * @returns {Promise<{error: string, needsCode: boolean}>}
   */
  async #sendSecret(address, fields) {
    /** @param {string} error */
    const failed = (error) => ({ error, needsCode: false });
    // The session also names a new token: its cookie may be gone with the old session.
    const { session, wait } = await this.#session();
    if (!session) return failed(wait === "offline" ? NO_CONNECTION : SERVER_TROUBLE);
    const options = { method: "POST", body: encodeFields(fields) };
    const response = await this.#fetch(address, options, this.timeout, session.csrf);
    if (!response) return failed(NO_CONNECTION);
    const answer = await response.json().catch(() => null);
    if (response.ok) return { error: "", needsCode: Boolean(answer?.code) };
    return failed(answer?.error ?? `The server answered with status ${response.status}. Try again.`);
  }

  /**
   * Why the server does not recognise this page's user, or "".
   *
   * @returns {Promise<Wait | "">}
   */
  async #checkUser() {
    const { session, wait } = await this.#session();
    if (!session) return wait;
    if (session.user === this.user) return "";
    return session.user === null ? "signed-out" : "somebody-else";
  }

  /**
   * Who is signed in, or null and why this is not known.
   *
   * @returns {Promise<{session: {user: number | null, csrf: string} | null, wait: Wait}>}
   */
  async #session() {
    const response = await this.#fetch(this.signInAddress);
    const session = response?.ok ? await response.json().catch(() => null) : null;
    return { session, wait: response ? "trouble" : "offline" };
  }

  /**
   * @param {string} address
   * @param {{method?: string, body?: URLSearchParams}} [options]
   * @param {number} [bodyTimeout]
   * @param {string} [token]
   * @returns {Promise<Response | null>} null if there is no connection
   */
  async #fetch(address, options = {}, bodyTimeout = this.timeout, token = csrfToken()) {
    /** @type {Record<string, string>} */
    const headers = { Accept: "application/json" };
    if (options.method === "POST") headers["X-CSRFToken"] = token;
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), this.timeout);
    if (options.method === "POST") this.#posts.add(controller);
    try {
      const { signal } = controller;
      const response = await fetch(address, { ...options, headers, signal, redirect: "manual", cache: "no-store" });
      setTimeout(() => controller.abort(), bodyTimeout); // has no effect once the body has arrived
      return response;
    } catch {
      return null;
    } finally {
      this.#posts.delete(controller);
      clearTimeout(timer);
    }
  }
}

/** @param {Response} response */
const isServerTrouble = ({ status }) => status >= 500 || status === 429 || status === 408;

/**
 * How long the server asks to wait, in ms. 0 if it does not say, or names a date.
 *
 * @param {Response} response
 */
function retryAfterMs({ headers }) {
  const seconds = Number(headers.get("Retry-After"));
  return seconds > 0 ? Math.min(seconds * 1000, MAX_RETRY_AFTER_MS) : 0;
}

/**
 * URL-encode the fields: the server parses this faster than multipart form data.
 *
 * @param {Record<string, unknown>} fields
 */
function encodeFields(fields) {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null || value === "") continue;
    form.set(name, Array.isArray(value) ? JSON.stringify(value) : String(value));
  }
  return form;
}
