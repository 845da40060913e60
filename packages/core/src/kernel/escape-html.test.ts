import { expect, it } from 'vitest'
import { escapeHtml } from './escape-html.ts'

it.each([
  ['nothing', '', ''],
  ['text without special characters', 'Ada Lovelace, 1815–1852 🙂', 'Ada Lovelace, 1815–1852 🙂'],
  [
    'all special characters',
    `<a href="x">Tom & Jerry's</a>`,
    '&lt;a href=&quot;x&quot;&gt;Tom &amp; Jerry&#39;s&lt;/a&gt;',
  ],
  ['special characters at both ends', '<b>', '&lt;b&gt;'],
  ['an entity', '&amp;', '&amp;amp;'],
  ['half a surrogate pair', '\ud83d<', '\ud83d&lt;'],
])('escapes %s', (_, text, escaped) => {
  expect(escapeHtml(text)).toBe(escaped)
})
