/** Control characters, line separators, and characters that change the direction of the text after them. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu
const MAX_SUBJECT = 78

/** One line of text, whatever a name or a title contains. */
export const oneLine = (text: string): string => text.replaceAll(UNSAFE, ' ').replaceAll(/ {2,}/g, ' ').trim()

/** A subject that no mailer has to fold, and that cannot add a header: one line of at most 78 characters. */
export function subjectLine(text: string): string {
  const line = oneLine(text)
  if (line.length <= MAX_SUBJECT) return line
  let short = ''
  for (const character of line) {
    if (short.length + character.length > MAX_SUBJECT - 1) break
    short += character
  }
  return `${short.trimEnd()}…`
}
