/** The form below the document: reads what the assessor entered, and shows an earlier judgement. */

import { query } from "../dom.js";

/**
 * @typedef {import("./types.js").Card} Card
 * @typedef {import("./types.js").Judgement} Judgement
 * @typedef {import("./types.js").PageData} PageData
 */

export class JudgementForm {
  #shownComment = "";

  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    this.comment = query(form, "#comment", HTMLTextAreaElement);
    this.panel = query(form, "#cannot", HTMLDetailsElement);
    /** @type {HTMLInputElement[]} */
    this.confidences = [...form.querySelectorAll("input")].filter(({ name }) => name === "confidence");
    this.buttons = [...form.querySelectorAll("button")].filter(({ name }) => name);
  }

  /** @param {Card | undefined} card */
  show(card) {
    for (const button of this.buttons) {
      button.disabled = !card;
      if (button.name === "relevance") button.ariaPressed = String(Number(button.value) === card?.relevance);
    }
    this.comment.value = card?.comment ?? "";
    this.#shownComment = this.comment.value.trim();
    this.panel.open = false;
    for (const radio of this.confidences) radio.checked = radio.value === String(card?.confidence ?? "");
  }

  /** Whether the comment was changed since the card was shown. */
  get hasDraft() {
    return this.comment.value.trim() !== this.#shownComment;
  }

  read() {
    const chosen = this.confidences.find((radio) => radio.checked && radio.value);
    return { comment: this.comment.value.trim(), confidence: chosen ? Number(chosen.value) : null };
  }

  /**
   * A sentence about the comment or passage that the judgement still needs, or "". If it needs a comment, the field is
   * opened.
   *
   * @param {Judgement} judgement
   * @param {PageData} pageData
   */
  missingInput({ state, relevance, reason, comment, passages }, { grades, passages: rule }) {
    if (reason === "other" && !comment) {
      this.openComment();
      return "Explain in the comment why you cannot judge this document.";
    }
    const isRelevant = state === "judged" && relevance !== Math.min(...grades);
    if (rule !== "required" || !isRelevant || passages?.length) return "";
    return "Mark the passage that decided your judgement first. This collection requires it for relevant documents.";
  }

  openReasons() {
    this.#open(query(this.panel, "button", HTMLButtonElement));
  }

  openComment() {
    this.#open(this.comment);
  }

  /** @param {HTMLElement} focusOn */
  #open(focusOn) {
    this.panel.open = true;
    focusOn.focus();
  }

  /** Select the next confidence, in a cycle, and return its label. */
  nextConfidence() {
    const index = this.confidences.findIndex((radio) => radio.checked);
    const next = this.confidences[(index + 1) % this.confidences.length];
    next.checked = true;
    return next.labels?.[0].textContent?.trim() ?? "";
  }
}

/**
 * The judgement that a button of the form stands for.
 *
 * @param {HTMLButtonElement} button
 * @returns {Judgement}
 */
export function judgementFromButton({ name, value }) {
  if (name === "relevance") return { state: "judged", relevance: Number(value) };
  return name === "reason" ? { state: "cannot_judge", reason: value } : { state: value };
}
