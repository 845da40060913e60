import { postgresStorage } from '@eep/adapters-postgres'
import { pgliteStorage } from '@eep/adapters-postgres/pglite'
import { decode } from '@toon-format/toon'
import fc from 'fast-check'
import type { Nodes } from 'mdast'
import { Pool } from 'pg'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createMigratedDatabase, createTestApp, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter } from '../support/content.ts'
import { onPglite } from '../support/database.ts'
import { expectHarmless, SEARCH_PAGE } from '../support/harmless-html.ts'
import { HOSTILE_TEXTS, nameOf } from '../support/hostile-texts.ts'
import { PATIENT } from '../support/patient-search.ts'
import { find } from '../support/search.ts'
import { SEED } from '../support/seed.ts'

/** How many queries are sent. CI sends 10,000. */
const QUERIES = 1_000 * Number(process.env.SEARCH_THOUSANDS ?? 0.25)
/** Queries in one run of a property. */
const TOGETHER = 10
/** The server ends a statement that takes longer. It is there for statements that hang; it does not judge speed. */
const STATEMENT_MS = 30_000

let app: TestApp
const closers: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

async function openGuarded() {
  if (onPglite()) return pgliteStorage()
  const database = await createMigratedDatabase()
  const pool = new Pool({ connectionString: database.connectionString, statement_timeout: STATEMENT_MS })
  closers.push(database.drop, () => pool.end())
  return postgresStorage({ pool, schema: process.env.TEST_SCHEMA })
}

/** What a field of one line takes of a text. */
const lineOf = (text: string) => nameOf(text, 200)

const WORDS = ['script', 'alert', 'evil', 'onerror', 'heading', 'table', 'köln', '東京', 'ſpecial', "o'neill"]

beforeAll(async () => {
  const storage = await openGuarded()
  closers.push(() => storage.close())
  const test = await createTestApp({ storage, search: { index: storage.search(PATIENT) } })
  app = test.app
  closers.push(test.close)
  const writer = await createWriter(app, 'mallory')
  for (const [index, text] of HOSTILE_TEXTS.entries()) {
    const prose = text.replaceAll('\0', '')
    const title = index % 2 === 0 ? lineOf(text) : `${WORDS[index % WORDS.length]} ${index}`
    await writer.newPage({ title, excerpt: index % 3 === 0 ? prose : null, body: `${prose}\n\n${WORDS.join(' ')}` })
  }
  await find(app, 'script')
})

const SYNTAX = [
  ...[
    "'",
    "''",
    '"',
    '\\',
    '&',
    '|',
    '!',
    '(',
    ')',
    '<->',
    '<2>',
    ':*',
    ':A',
    ':*A',
    '*',
    '%',
    '_',
    '$1',
    '$$',
    ';--',
    '/*',
  ],
  ...[
    ' OR ',
    ' OR',
    ' AND ',
    ' NOT ',
    '-',
    '--',
    '- ',
    '"-',
    ' -"',
    '(a|a)*',
    '(?=',
    '[',
    ']',
    '{1,9}',
    '^',
    '$',
    '.*',
  ],
  ...['author:', 'author:u/', 'author:u/mallory', 'type:', 'type:page', 'tag:', 'tag:#', 'tag:a,b', 'updated:>'],
  ...['updated:2026-01-01', 'updated:<=9999-12-31', 'updated:2026-02-31', 'updated:>-2026-01-01', 'title:', 'q:'],
  ...['<', '>', '<b>', '&lt;', '&amp;', '%00', '%ff', '+', '#', '?', '=', '\n', '\t', '\u0001', '\u0085', '\u2028'],
  ...[
    '\u202E',
    '\u200B',
    '\uFEFF',
    '\u0301',
    '\u0345',
    '\u1160',
    'İ',
    'ß',
    'ﬃ',
    'ﷺ',
    '𝔘',
    '𠮷',
    '👩‍💻',
    '中',
    'あ',
    'ไทย',
  ],
  ...['null', 'undefined', '__proto__', 'constructor', "'; drop table accounts; --", "' or 1=1", 'pg_sleep(9)'],
  ...WORDS,
]
const ASKED = 256
const shortened = (text: string) => text.slice(0, ASKED).toWellFormed()

const texts = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.array(fc.constantFrom(...SYNTAX), { minLength: 1, maxLength: 60 }).map((parts) => parts.join('')),
  },
  {
    weight: 2,
    arbitrary: fc.array(fc.constantFrom(...SYNTAX), { minLength: 1, maxLength: 12 }).map((parts) => parts.join(' ')),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }) },
  { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...SYNTAX), fc.integer({ min: 2, max: 256 }))
      .map(([part, times]) => part.repeat(times)),
  },
)

const FORMATS = ['application/json', 'text/html', 'text/markdown', 'text/toon', 'suggest'] as const
const OPTIONS = [
  '',
  '&scope=pages',
  '&facets=kind,tag,profile_type',
  '&limit=1',
  '&mode=hybrid',
  '&profile_type=person',
]

const queries = fc.record({
  text: texts.map(shortened),
  format: fc.constantFrom(...FORMATS),
  options: fc.constantFrom(...OPTIONS),
})

const markdown = unified().use(remarkParse).use(remarkGfm)
const nodesIn = (node: Nodes): Nodes[] => [node, ...('children' in node ? node.children.flatMap(nodesIn) : [])]
const OURS = new Set(['root', 'heading', 'paragraph', 'text', 'link'])

const markedHits = z.object({
  data: z.array(
    z.object({
      title: z.string(),
      snippet: z.string(),
      highlights: z.array(z.object({ field: z.string(), ranges: z.array(z.array(z.number())) })),
    }),
  ),
})

/** Checks that ranges are within their text, in order, and do not overlap. */
function expectMarked(answer: unknown) {
  for (const hit of markedHits.parse(answer).data) {
    for (const { field, ranges } of hit.highlights) {
      const text = field === 'title' ? hit.title : hit.snippet
      let last = 0
      for (const [start = -1, end = -1] of ranges) {
        expect(start).toBeGreaterThanOrEqual(last)
        expect(end).toBeGreaterThan(start)
        last = end
      }
      expect(last, `${field}: ${JSON.stringify(text)}`).toBeLessThanOrEqual(text.length)
    }
  }
}

/** Checks that Markdown is built of what the service writes, and leads to hits only. */
function expectOurs(body: string, url: string) {
  for (const node of nodesIn(markdown.parse(body))) {
    expect(OURS, `${url}: ${JSON.stringify(node)}`).toContain(node.type)
    if (node.type === 'link') expect(node.url, url).toMatch(/^https?:\/\/|^mailto:/)
    if (node.type === 'heading') expect(node.depth, url).toBeLessThan(3)
  }
}

async function ask({ text, format, options }: { text: string; format: (typeof FORMATS)[number]; options: string }) {
  const isSuggestion = format === 'suggest'
  const url = `${isSuggestion ? '/search/suggest' : '/search'}?q=${encodeURIComponent(text)}${isSuggestion ? '' : options}`
  const response = await client(app).get(url, { accept: isSuggestion ? 'application/json' : format })
  const { statusCode, body } = response
  if (statusCode !== 200) {
    expect(statusCode, `${url} ${body}`).toBe(400)
    if (format === 'text/html') return expectHarmless(body, url)
    expect(response.json().error.code, url).toMatch(/^(?:invalid_search_query|validation_failed)$/)
    return
  }
  switch (format) {
    case 'application/json':
      return expectMarked(response.json())
    case 'text/html':
      return expectHarmless(body, url, SEARCH_PAGE)
    case 'text/markdown':
      return expectOurs(body, url)
    case 'text/toon':
      return expectMarked(decode(body))
    case 'suggest':
      return expect(response.json().data.length).toBeLessThanOrEqual(8)
  }
}

describe('a query', () => {
  it(`is answered or refused whatever it is, and is only text in every format: RANDOM_SEED=${SEED}`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(queries, { minLength: TOGETHER, maxLength: TOGETHER }), async (asked) => {
        await Promise.all(asked.map(ask))
      }),
      { numRuns: QUERIES / TOGETHER, seed: SEED },
    )
  }, 1_200_000)
})
