// Texts of editors that were not saved, kept on this device until they are saved or the person signs out.

const PREFIX = 'eep-text:'

/**
 * A text as it was written, and what it was written over.
 *
 * @typedef {{ texts: Record<string, string>, tag: string }} KeptText
 */

/**
 * The texts of one editor of one account. A browser that keeps nothing behaves as if none was kept.
 *
 * @param {string} account
 */
export function keptTexts(account) {
  const key = `${PREFIX}${account}:${location.pathname}`
  return {
    /** @param {KeptText} text */
    keep(text) {
      try {
        localStorage.setItem(key, JSON.stringify(text))
      } catch {
        // Full, or not allowed. The page still has the text.
      }
    },
    /** @returns {KeptText | undefined} */
    read() {
      try {
        return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined
      } catch {
        return undefined
      }
    },
    forget() {
      try {
        localStorage.removeItem(key)
      } catch {}
    },
  }
}

/** Forgets the texts of all editors, when the person has signed out. */
export function forgetTexts() {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key)
  } catch {}
}
