import { describe, expect, it } from 'vitest'
import { deadLinks, strayMarkup } from './links.ts'

const problemsOf = (text: string) =>
  deadLinks(
    new Map([
      ['docs/page.md', `# A page\n\n## Set-up & tests\n\n${text}\n`],
      ['docs/guides/other.md', '# Other\n\n## `eep keys rotate`\n\n## Twice\n\n## Twice\n'],
    ]),
  )

describe('deadLinks', () => {
  it.each([
    '[a](guides/other.md)',
    '[a](guides/other.md#eep-keys-rotate)',
    '[a](guides/other.md#twice-1 "with a title")',
    '[a](#set-up--tests)',
    '[a](https://example.com/no.md)',
    '`[a](no.md)`',
    '```md\n[a](no.md)\n```',
    '<a href="#a-page">a</a>',
  ])('accepts %j', (text) => {
    expect(problemsOf(text)).toEqual([])
  })

  it.each([
    ['[a](no.md)', 'no.md, which does not exist'],
    ['[a](<no.md>)', 'no.md, which does not exist'],
    ['[a](guides/other.md#no)', 'guides/other.md#no, a heading that does not exist'],
    ['[a](guides/other.md#twice-2 "with a title")', 'guides/other.md#twice-2, a heading that does not exist'],
    ['[a](#no)', '#no, a heading that does not exist'],
    ['[a][b]\n\n[b]: no.md', 'no.md, which does not exist'],
    ['![a](no.png)', 'no.png, which does not exist'],
    ['<img src="no.png">', 'no.png, which does not exist'],
    ['<a href="#no">a</a>', '#no, a heading that does not exist'],
  ])('rejects %j', (text, problem) => {
    expect(problemsOf(text)).toEqual([`docs/page.md links to ${problem}`])
  })
})

describe('strayMarkup', () => {
  const problemsIn = (text: string) => strayMarkup(new Map([['docs/page.md', text]]))

  it.each(['`Map<string>` <br> <https://example.com>', '```ts\nMap<string>\n```', '<!-- a comment -->', 'a < b'])(
    'accepts %j',
    (text) => {
      expect(problemsIn(text)).toEqual([])
    },
  )

  it.each([
    ['a tag', '| `a` | Map<string> |', '<string>'],
    ['a tag after a line break in code', 'a `Map\n<string>`', '<string>'],
    ['double braces', 'a {{ b }}', '{{'],
  ])('rejects %s', (_, text, markup) => {
    expect(problemsIn(text)).toEqual([`docs/page.md has ${markup} outside of code, which the website cannot compile`])
  })
})
