import { describe, expect, it } from 'vitest'
import { pageTextOf } from './page-text.ts'

describe('pageTextOf', () => {
  it('keeps the words of Markdown and leaves out its syntax', () => {
    const { text, headings } = pageTextOf(`# The *first* engine

Read [the notes](https://example.com/secret "Title") and ![a drawing](/files/1).

> A quote with \`code\` and **bold_words**.

- one
2. two

| a | b |
| - | - |
| c | d |

\`\`\`ts
const x = 1
\`\`\`
<div class="hidden">inside</div>
## Second ##`)
    expect(headings).toEqual(['The first engine', 'Second ##'])
    expect(text).toBe(
      'The first engine Read the notes and a drawing. A quote with code and bold_words. one two a b c d const x = 1 inside Second ##',
    )
  })

  it('leaves out comments, also those of several lines, and keeps a text after one that does not end', () => {
    const { text, headings } = pageTextOf('One <!-- two\n# three --> four\n# Five\n<!-- six\n# Seven')
    expect(text).toBe('One four Five <!-- six Seven')
    expect(headings).toEqual(['Five', 'Seven'])
  })

  it('reads hostile texts in linear time', () => {
    for (const end of ['x', '\t', '>', '|']) expect(pageTextOf(`${' \t'.repeat(100_000)}${end}`).headings).toEqual([])
    for (const part of ['[', '![', '<a', '`', '*', '> ', '|', '\\', '<!--', '- ', '#', ']('])
      expect(pageTextOf(part.repeat(100_000)).headings.length).toBeLessThan(2)
  })
})
