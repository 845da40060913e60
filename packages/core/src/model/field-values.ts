/** Names and abbreviations that are not spelled like other words. */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  'GitHub GitLab LinkedIn YouTube TikTok WhatsApp SoundCloud WordPress PayPal OpenSea DeviantArt ORCID SKU ISBN ISSN DOI DID URL ID'
    .split(' ')
    .map((name) => [name.toLowerCase(), name]),
)

/** Returns a field name as a label: `opening_hours` becomes `Opening hours`, `github` becomes `GitHub`. */
export const wordsOf = (name: string): string => {
  const known = SPELLINGS.get(name.toLowerCase())
  if (known !== undefined) return known
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Values nested deeper than this are shown as JSON. */
export const MAX_DEPTH = 4

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Formats `{ amount: '2.50', currency: 'eur' }` as `2.50 EUR`. Undefined for any other object. */
export function amountOf({ amount, currency, ...others }: Readonly<Record<string, unknown>>): string | undefined {
  const isNumber = typeof amount === 'string' || typeof amount === 'number'
  if (!isNumber || typeof currency !== 'string' || Object.keys(others).length > 0) return undefined
  return `${amount} ${currency.toUpperCase()}`
}

export const saysNothing = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)
