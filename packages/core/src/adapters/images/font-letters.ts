/** A range of characters that a font has. */
interface Range {
  readonly from: number
  readonly to: number
}

/** The offset of a table of a TrueType font; undefined when the font lacks it. */
function tableAt(font: Buffer, wanted: string): number | undefined {
  const count = font.readUInt16BE(4)
  for (let at = 12; at < 12 + count * 16; at += 16) {
    if (font.toString('latin1', at, at + 4) === wanted) return font.readUInt32BE(at + 8)
  }
  return undefined
}

const SEGMENTS = 4
const GROUPS = 12

/** The characters of a subtable of `cmap`, in its two formats for Unicode. */
function rangesOf(font: Buffer, table: number): readonly Range[] {
  const format = font.readUInt16BE(table)
  if (format === GROUPS) {
    return Array.from({ length: font.readUInt32BE(table + 12) }, (_, index) => {
      const group = table + 16 + index * 12
      return { from: font.readUInt32BE(group), to: font.readUInt32BE(group + 4) }
    })
  }
  if (format !== SEGMENTS) return []
  const bytes = font.readUInt16BE(table + 6)
  const [ends, starts, deltas, offsets] = [0, 1, 2, 3].map((part) => table + 14 + part * bytes + (part > 0 ? 2 : 0))
  const ranges: Range[] = []
  for (let at = 0; at < bytes; at += 2) {
    const [from, to] = [font.readUInt16BE((starts ?? 0) + at), font.readUInt16BE((ends ?? 0) + at)]
    const [delta, offset] = [font.readUInt16BE((deltas ?? 0) + at), font.readUInt16BE((offsets ?? 0) + at)]
    for (let code = from; code <= to && code < 0xffff; code += 1) {
      const glyphAt = (offsets ?? 0) + at + offset + (code - from) * 2
      const glyph = offset === 0 ? (code + delta) & 0xffff : font.readUInt16BE(glyphAt)
      if (glyph !== 0) ranges.push({ from: code, to: code })
    }
  }
  return ranges
}

const UNICODE = 0
const WINDOWS = 3
const WINDOWS_UNICODE = [1, 10]

/**
 * Returns a function that checks whether a TrueType font has every letter of a text.
 *
 * @throws Error when it has no table of characters
 */
export function createLetterCheck(font: Buffer): (text: string) => boolean {
  const cmap = tableAt(font, 'cmap')
  if (cmap === undefined) throw new Error('The font has no table of characters')
  const known = new Set<number>()
  const groups: Range[] = []
  for (let index = 0; index < font.readUInt16BE(cmap + 2); index += 1) {
    const entry = cmap + 4 + index * 8
    const [platform, encoding] = [font.readUInt16BE(entry), font.readUInt16BE(entry + 2)]
    if (platform !== UNICODE && !(platform === WINDOWS && WINDOWS_UNICODE.includes(encoding))) continue
    for (const range of rangesOf(font, cmap + font.readUInt32BE(entry + 4))) {
      if (range.from === range.to) known.add(range.from)
      else groups.push(range)
    }
  }
  return (text) =>
    Array.from(text).every((character) => {
      const code = character.codePointAt(0) ?? 0
      return known.has(code) || groups.some(({ from, to }) => code >= from && code <= to)
    })
}
