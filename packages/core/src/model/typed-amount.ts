const AMOUNT = /^\d{1,12}(?:\.\d{1,6}|,\d{1,2})?$/
/** `1.000` is one in some languages, and a thousand in others. */
const AMBIGUOUS = /^[1-9]\d{0,2}[.,]\d{3}$/

/** Writes an amount as {@link typedAmount} reads it; undefined as an empty text. */
export function shownAmount(amount: number | undefined): string {
  const text = String(amount ?? '')
  return AMBIGUOUS.test(text) ? `${text}0` : text
}

/** The amount that a person typed, with a point or a comma before the decimals; undefined for a text that is not clearly one. */
export const typedAmount = (text: string): number | undefined =>
  AMOUNT.test(text) && !AMBIGUOUS.test(text) ? Number(text.replace(',', '.')) : undefined
