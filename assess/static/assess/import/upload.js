// @ts-check
/** Files that are chosen or dropped are sent one after the other, each with its progress; then the import page opens. */
import { byId, query } from "../dom.js";
import { RefusedError, sendFile } from "./send-file.js";

const zone = byId("drop");
const chooser = query(document, "input#files", HTMLInputElement);
const list = byId("uploading");
const state = byId("upload-state");
const address = zone.dataset.create ?? "";
const chunkBytes = Number(zone.dataset.chunkBytes);

/** @type {{file: File, row: Row}[]} */
const waiting = [];
let isSending = false;
let refused = 0;

/** One file in the list. */
class Row {
  #bar = document.createElement("progress");
  #text = document.createElement("span");

  /** @param {File} file */
  constructor(file) {
    const item = document.createElement("li");
    const name = document.createElement("span");
    name.className = "name";
    name.textContent = file.name;
    this.#bar.className = "progress";
    this.#bar.max = Math.max(file.size, 1);
    this.#bar.value = 0;
    this.#bar.setAttribute("aria-label", `Progress of ${file.name}`);
    this.#text.className = "quiet";
    this.show(0, "waits");
    item.append(name, this.#bar, this.#text);
    list.append(item);
    list.hidden = false;
  }

  /**
   * @param {number} sent
   * @param {string} text
   */
  show(sent, text) {
    this.#bar.value = sent;
    this.#text.textContent = text;
  }

  /** @param {string} problem */
  refuse(problem) {
    this.#bar.hidden = true;
    this.#text.className = "refused-file";
    this.#text.textContent = problem;
  }
}

/** @param {FileList | null} files */
function add(files) {
  for (const file of files ?? []) waiting.push({ file, row: new Row(file) });
  if (!isSending) void sendAll();
}

async function sendAll() {
  isSending = true;
  let sent = 0;
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    state.textContent = `Uploading. ${waiting.length + 1} to go.`;
    if (await send(next.file, next.row)) sent++;
  }
  isSending = false;
  if (refused) {
    state.textContent = `${refused} of the files could not be uploaded.`;
    if (sent) state.append(" ", link());
  } else if (sent) {
    state.textContent = "All files have arrived.";
    location.assign(zone.dataset.then ?? location.href);
  }
}

/** A link that shows the files that have arrived. */
function link() {
  const anchor = document.createElement("a");
  anchor.href = zone.dataset.then ?? location.pathname;
  anchor.textContent = "Show the others";
  return anchor;
}

/**
 * Send one file. Returns whether it has arrived.
 *
 * @param {File} file
 * @param {Row} row
 */
async function send(file, row) {
  const words = { waiting: "no connection; trying again", checking: "checking", sending: "" };
  try {
    const result = await sendFile(file, address, chunkBytes, (sent, step) => {
      row.show(sent, words[step] || `${Math.floor((100 * sent) / Math.max(file.size, 1))}%`);
    });
    row.show(file.size, result.label || result.error);
    return true;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    refused++;
    row.refuse(error.message);
    return false;
  }
}

function addChosen() {
  add(chooser.files);
  chooser.value = "";
}

chooser.addEventListener("change", addChosen);
if (chooser.files?.length) addChosen(); // chosen before this script was loaded
for (const name of ["dragover", "dragleave", "drop"]) {
  zone.addEventListener(name, (event) => {
    event.preventDefault();
    zone.classList.toggle("over", name === "dragover");
  });
}
zone.addEventListener("drop", (event) => add(event.dataTransfer?.files ?? null));
addEventListener("beforeunload", (event) => {
  if (isSending) event.preventDefault();
});
