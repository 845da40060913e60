// What pages say about what happens, in their language.

/** A problem of which nothing was charged, by the name of its text. */
export class Problem extends Error {}

/**
 * Returns a function that shows the status in the texts of the page.
 *
 * @param {string} selector
 * @param {Record<string, string>} texts
 */
export function statusAt(selector, texts) {
  const status = /** @type {HTMLElement} */ (document.querySelector(selector))
  /** @param {string} name */
  return (name) => {
    status.textContent = texts[name] ?? ''
    status.dataset.state = name
    status.hidden = false
    status.scrollIntoView({ block: 'nearest' })
  }
}
