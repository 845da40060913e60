import { expect, it } from 'vitest'
import { markdownPieces } from './markdown-pieces.ts'
import { markdownToText, stripMarks } from './markdown-to-text.ts'

const paragraph = 'The *analytical* engine has [no pretensions](https://mill.example/) to originate anything.\n\n'
/** Is divided into two pieces. Added text belongs to the second one. */
const long = paragraph.repeat(300)

it('leaves a short text in one piece, and divides a long one between its blocks', () => {
  expect(markdownPieces(paragraph)).toEqual([paragraph])
  const longer = paragraph.repeat(3_000)
  const pieces = markdownPieces(longer)
  expect(pieces.length).toBeGreaterThan(10)
  expect(pieces.every((piece) => piece.startsWith('The *'))).toBe(true)
  expect(pieces.join('\n')).toBe(longer)
})

it('returns the same text of a long document as of its parts', () => {
  const part = markdownToText(paragraph)
  expect(markdownToText(long)).toBe(Array(300).fill(part).join('\n'))
})

it('divides neither code nor lists at a blank line', () => {
  const code = `\`\`\`\n${'let *a* = 1\n\nlet b = [2](x)\n\n'.repeat(600)}\`\`\`\n`
  const text = markdownToText(`${long}${code}`)
  expect(text.split('let *a* = 1')).toHaveLength(601)
  const list = '1. *One*\n\n'.repeat(1_800)
  expect(markdownToText(list)).toContain('\n1800. One\n')
})

it('divides a block that does not end, and keeps its code as code', () => {
  const code = `~~~\n${'a *b* c\n'.repeat(18_000)}~~~\n\nThe *end*.`
  expect(markdownPieces(code).length).toBeGreaterThan(1)
  const text = markdownToText(code)
  expect(text.split('a *b* c')).toHaveLength(18_001)
  expect(text).toMatch(/\nThe end\.\n$/)
})

it('resolves links whose definition is in another piece', () => {
  const text = markdownToText(`See [the mill][mill].\n\n${long}\n\n[Mill]: https://mill.example/\n`)
  expect(text).toMatch(/^See the mill\.\n/)
  expect(text).not.toContain('https://')
})

it('removes marks from what is nested too deeply to be parsed', () => {
  expect(markdownToText(`${'>'.repeat(10_000)} **Deep** [down](x)`)).not.toMatch(/\*\*|\]\(/)
  expect(stripMarks('## A *soft* **line** with [a link](https://mill.example/)\n> `code`')).toBe(
    'A soft line with a link\ncode',
  )
})
