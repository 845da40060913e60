/** Shorter words have too many neighbours. */
const MIN_CORRECTED = 4
const MAX_CORRECTED = 32
const LETTERS = /^\p{L}+$/u

/** Whether a word can be corrected, or can correct another one. */
export const isCorrectable = (word: string): boolean =>
  word.length >= MIN_CORRECTED && word.length <= MAX_CORRECTED && LETTERS.test(word)

/**
 * Returns a word, and the word without each one of its characters. Two words that are one edit apart have one of these
 * in common, so similarly spelled words are found by equality.
 */
export function deletionsOf(word: string): readonly string[] {
  const characters = [...word]
  const left = characters.map((_, index) => characters.filter((__, other) => other !== index).join(''))
  return [...new Set([word, ...left])]
}

/** The edit distance of two words: insertions, deletions, replacements and swaps of neighbours, counted up to 3. */
function editsBetween(one: string, other: string): number {
  const [left, right] = [[...one], [...other]]
  if (Math.abs(left.length - right.length) > 2) return 3
  let before: number[] = []
  let previous = right.map((_, index) => index + 1)
  previous.unshift(0)
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1]
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
      )
      const isSwap = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (isSwap) cost = Math.min(cost, (before[column - 2] ?? 0) + 1)
      current.push(cost)
    }
    before = previous
    previous = current
  }
  return Math.min(3, previous[right.length] ?? 3)
}

/** A word of the index. */
export interface KnownWord {
  readonly word: string
  /** How many documents have it. */
  readonly documents: number
}

/** The maximum number of corrections of a word. More would find unintended words. */
const KEPT = 3
/** From this length on, two edits are more likely a misspelling than another word. */
const LONG = 8

/** The possible corrections of a misspelled word, the most likely first. */
export function correctionsOf(word: string, known: readonly KnownWord[]): readonly string[] {
  const allowed = word.length >= LONG ? 2 : 1
  return known
    .map((each) => ({ ...each, edits: editsBetween(word, each.word), first: each.word[0] === word[0] ? 0 : 1 }))
    .filter(({ edits }) => edits > 0 && edits <= allowed)
    .sort((left, right) => left.edits - right.edits || left.first - right.first || right.documents - left.documents)
    .slice(0, KEPT)
    .map((each) => each.word)
}
