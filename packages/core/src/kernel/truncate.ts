/** Returns a text on one line of at most `max` characters, with an ellipsis where it was cut. */
export function truncateLine(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  // A character is at most 2 UTF-16 units, so the rest of a long text need not be split.
  const characters = [...line.slice(0, 2 * max + 2)]
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join('')}…`
}
