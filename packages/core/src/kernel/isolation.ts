/**
 * Isolates of Unicode: the text between them is read in the direction of its first letter, and does not move the words around it.
 * Messages put them around each text that they take; pages write them as `<bdi>`.
 */
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ['\u2068', '\u2069']
const ISOLATES = /[\u2066-\u2069]/g
const ISOLATED = /\u2068([^\u2066-\u2069]*)\u2069/g

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\u061C\u200F]/u
const LEFT_TO_RIGHT =
  /(?![\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}])\p{L}/u

/** Removes isolates. */
export const withoutIsolates = (text: string): string => text.replaceAll(ISOLATES, '')

/** Isolates a text from the sentence that it becomes part of. An empty text stays empty. */
export const isolated = (text: string): string =>
  text === '' ? '' : `${FIRST_STRONG_ISOLATE}${withoutIsolates(text)}${POP_ISOLATE}`

/** Splits a text into its parts; those at odd places were isolated. Isolates that are not in pairs are removed. */
export const splitAtIsolates = (text: string): readonly string[] => text.split(ISOLATED).map(withoutIsolates)

/**
 * Removes the isolates around texts that are read in the direction of their sentence, where they change nothing. For plain text:
 * subjects and texts of emails, titles of pages and of notifications.
 */
export function withNeededIsolates(text: string): string {
  const parts = splitAtIsolates(text)
  const around = parts.filter((_, index) => index % 2 === 0).join('')
  const isOther = RIGHT_TO_LEFT.test(around)
    ? (part: string) => LEFT_TO_RIGHT.test(part)
    : (part: string) => RIGHT_TO_LEFT.test(part)
  return parts.map((part, index) => (index % 2 === 1 && isOther(part) ? isolated(part) : part)).join('')
}

/** Whether a text is the address of a page. */
export const isAddress = (text: string): boolean => /^https?:\/\//.test(text)
