/** Which key is meant for the page, and what it does. */

const TYPED_INTO = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])";
const OWN_KEYS = "dialog, [role=dialog], details.panel[open], form.panel, search, [role=search]"; // not the document

export class Keys {
  /** `deeds`: name -> function; `keys`: name -> key; `grades`: key -> grade, which `judge(grade)` gives. */
  constructor({ areOn, deeds, keys, grades, judge, escape }) {
    this.escape = escape;
    this.actions = new Map();
    if (!areOn) return;
    for (const [name, deed] of Object.entries(deeds)) this.actions.set(keys[name], deed);
    for (const [key, grade] of Object.entries(grades)) this.actions.set(key, () => judge(grade));
  }

  /** Takes a key pressed on the page or in the document's frame. */
  handle(event) {
    // Enter held down on a button would press it again and again.
    if (event.repeat && event.key === "Enter" && event.target.closest?.("button")) event.preventDefault();
    if (event.key === "Escape" && !event.defaultPrevented) return void this.escape();
    const action = this.isForThePage(event) && this.actions.get(plain(event));
    if (!action) return;
    event.preventDefault();
    action();
  }

  isForThePage(event) {
    if (event.defaultPrevented || event.repeat || event.isComposing) return false;
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    return !event.target.closest?.(`${TYPED_INTO}, ${OWN_KEYS}`);
  }
}

/** With Caps Lock on, letters are meant as they stand on the keys. */
const plain = (event) => (event.getModifierState?.("CapsLock") ? event.key.toLowerCase() : event.key);
