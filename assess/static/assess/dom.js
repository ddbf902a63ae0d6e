/** Access to elements that the template always contains. */

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element with the id ${id}.`);
  return element;
}

/**
 * The first descendant of `root` that matches the selector and is an instance of `type`.
 *
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} type
 * @returns {T}
 */
export function query(root, selector, type) {
  const element = root.querySelector(selector);
  if (!(element instanceof type)) throw new Error(`No ${type.name} matches ${selector}.`);
  return element;
}

/** @param {string} id */
export const formById = (id) => query(document, `form#${id}`, HTMLFormElement);

/** The token from the cookie if it is readable: after a new sign-in it is newer than the page's token. */
export function csrfToken() {
  const cookie = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/);
  const field = document.querySelector("[name=csrfmiddlewaretoken]");
  return cookie?.[1] ?? (field instanceof HTMLInputElement ? field.value : "");
}
