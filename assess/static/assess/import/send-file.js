// @ts-check
/** Sends one file in chunks, and continues after a lost connection. */
import { csrfToken } from "../dom.js";
import { Sha256 } from "./sha256.js";

const RETRY_MS = 3_000;

/** The server refused the file. The message is for the user. */
export class RefusedError extends Error {}

/**
 * @typedef {{url: string, offset: number, size: number, complete: boolean, label: string, error: string}} State
 * @typedef {(sent: number, state: "sending" | "waiting" | "checking") => void} Report
 */

/**
 * Send a file and return what the server says about it.
 *
 * @param {File} file
 * @param {string} address where uploads are created
 * @param {number} chunkBytes
 * @param {Report} report
 * @returns {Promise<State>}
 */
export async function sendFile(file, address, chunkBytes, report) {
  const retry = () => report(0, "waiting");
  const { answer: begun } = await post(address, fields({ name: file.name, size: String(file.size) }), retry);
  const hash = new Sha256();
  let hashed = 0;
  let offset = begun.offset;
  while (hashed < file.size) {
    const start = Math.min(hashed, offset);
    const end = Math.min(start + chunkBytes, file.size);
    const chunk = await readPart(file, start, end);
    if (start === hashed) {
      hash.update(new Uint8Array(chunk));
      hashed = end;
    }
    if (end <= offset) continue; // the server has it
    report(start, "sending");
    const part = chunk.slice(offset - start);
    const { answer } = await post(`${begun.url}chunk/?offset=${offset}`, part, () => report(start, "waiting"));
    offset = answer.offset;
  }
  while (offset < file.size) {
    const part = await readPart(file, offset, Math.min(offset + chunkBytes, file.size));
    offset = (await post(`${begun.url}chunk/?offset=${offset}`, part, retry)).answer.offset;
  }
  report(file.size, "checking");
  return (await post(`${begun.url}finish/`, fields({ sha256: hash.hex() }), retry)).answer;
}

/**
 * Send a request until the server answers. A chunk at a wrong offset is an answer with the right one.
 *
 * @param {string} address
 * @param {BodyInit} body
 * @param {() => void} onWait called before each pause
 * @returns {Promise<{answer: State}>}
 */
async function post(address, body, onWait) {
  for (;;) {
    const response = await fetch(address, {
      method: "POST",
      headers: { Accept: "application/json", "X-CSRFToken": csrfToken() },
      body,
      redirect: "manual",
    }).catch(() => null);
    if (response?.type === "opaqueredirect") throw new RefusedError("You are signed out. Reload the page to sign in.");
    if (response && response.status < 500) {
      const answer = await response.json().catch(() => ({}));
      if (response.ok || (response.status === 409 && "offset" in answer)) return { answer };
      throw new RefusedError(answer.error ?? `The server refused the file (status ${response.status}).`);
    }
    onWait();
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** @param {Record<string, string>} values */
const fields = (values) => new URLSearchParams(values);

/**
 * @param {File} file
 * @param {number} start
 * @param {number} end
 */
async function readPart(file, start, end) {
  try {
    return await file.slice(start, end).arrayBuffer();
  } catch {
    throw new RefusedError("The file cannot be read any more. Choose it again.");
  }
}
