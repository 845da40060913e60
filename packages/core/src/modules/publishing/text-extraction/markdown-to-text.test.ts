import { expect, it } from 'vitest'
import { markdownToText } from './markdown-to-text.ts'

it.each([
  ['# Title\n\nA *soft*\n**line** with `co_de`.', 'Title\n\nA soft\nline with co_de.\n'],
  ['- one\n- two\n  - nested\n\n3. three\n4. four', '- one\n- two\n  - nested\n\n3. three\n4. four\n'],
  ['| a | b |\n|---|---|\n| 1 | x \\| y |', 'a\tb\n1\tx | y\n'],
  ['```js\nlet *a* = 1\n\n  # b\n```', 'let *a* = 1\n\n  # b\n'],
  ['> [label](https://example.com) ![alt](x.png)\n\n---\n\nend\\_of', 'label alt\n\nend_of\n'],
  ['', ''],
])('returns %j without Markdown syntax', (markdown, text) => {
  expect(markdownToText(markdown)).toBe(text)
})
