import { isolated, splitAtIsolates, withNeededIsolates } from '../../kernel/isolation.ts'

/** Control characters, line separators, and characters that change the direction of the text after them. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu
const MAX_SUBJECT = 78

/** One line of text, whatever a name or a title contains. Texts that are read in another direction stay isolated. */
export const oneLine = (text: string): string =>
  splitAtIsolates(withNeededIsolates(text))
    .map((part) => part.replaceAll(UNSAFE, ' '))
    .map((part, index) => (index % 2 === 1 ? isolated(part) : part))
    .join('')
    .replaceAll(/ {2,}/g, ' ')
    .trim()

/** A subject that no mailer has to fold, and that cannot add a header: one line of at most 78 characters. */
export function subjectLine(text: string): string {
  const line = oneLine(text)
  if (line.length <= MAX_SUBJECT) return line
  let [short, isOpen] = ['', false]
  for (const character of line) {
    isOpen = character === '\u2068' || (isOpen && character !== '\u2069')
    // There is room for the ellipsis, and for the end of what is isolated.
    if (short.length + character.length > MAX_SUBJECT - (isOpen ? 2 : 1)) break
    short += character
  }
  const end = short.lastIndexOf('\u2068') > short.lastIndexOf('\u2069') ? '…\u2069' : '…'
  return `${short.trimEnd()}${end}`
}
