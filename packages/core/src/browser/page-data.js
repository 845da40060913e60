// What a page gives its scripts.

/**
 * Returns the data that the page has for a part of its scripts; null when it has none.
 *
 * @param {string} id
 */
export const dataOf = (id) => JSON.parse(document.getElementById(id)?.textContent ?? 'null')
