/** The form below the document: reads what the assessor entered, and shows an earlier judgement. */

import { query } from "../dom.js";

/**
 * Whether a document can be graded: an imported text that is not empty.
 *
 * @param {Card} card
 */
export const hasText = (card) => !card.lacking && !card.empty;

/**
 * @typedef {import("./types.js").Card} Card
 * @typedef {import("./types.js").Judgement} Judgement
 * @typedef {import("./types.js").PageData} PageData
 */

export class JudgementForm {
  /** Whether a document is shown. */
  isOpen = false;
  #shownComment = "";

  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    this.comment = query(form, "#comment", HTMLTextAreaElement);
    this.reasons = query(form, "#cannot", HTMLDetailsElement);
    this.commentPanel = query(form, "#comment-panel", HTMLDetailsElement);
    /** @type {HTMLInputElement[]} */
    this.confidences = [...form.querySelectorAll("input")].filter(({ name }) => name === "confidence");
    this.buttons = [...form.querySelectorAll("button")].filter(({ name }) => name);
  }

  /** @param {Card | undefined} card */
  show(card) {
    this.isOpen = Boolean(card);
    for (const button of this.buttons) {
      const isGrade = button.name === "relevance";
      button.disabled = !card || (isGrade && !hasText(card));
      if (isGrade) button.ariaPressed = String(Number(button.value) === card?.relevance);
    }
    query(this.form, "#no-grades", HTMLElement).hidden = !card || hasText(card);
    this.comment.value = card?.comment ?? "";
    this.#shownComment = this.comment.value.trim();
    this.reasons.open = this.commentPanel.open = false;
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
    this.#open(this.reasons, query(this.reasons, "button", HTMLButtonElement));
  }

  openComment() {
    this.#open(this.commentPanel, this.comment);
  }

  /**
   * @param {HTMLDetailsElement} panel
   * @param {HTMLElement} focusOn
   */
  #open(panel, focusOn) {
    panel.open = true;
    focusOn.focus();
  }

  /**
   * The judgement in words, as on its button.
   *
   * @param {Judgement} judgement
   */
  describe({ state, relevance }) {
    if (state === "cannot_judge") return "cannot judge";
    if (state !== "judged") return state === "later" ? "later" : "";
    const button = this.buttons.find(({ name, value }) => name === "relevance" && Number(value) === relevance);
    return button?.textContent?.trim().replace(/\s+/g, " ") ?? String(relevance);
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
