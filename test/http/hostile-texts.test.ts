import type { Nodes, Root } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { createTestApp, PUBLIC_URL, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { newPost, OPEN_FEED } from '../support/feed.ts'
import { expectHarmless } from '../support/harmless-html.ts'
import { HOSTILE_TEXTS, nameOf } from '../support/hostile-texts.ts'

let app: TestApp
let close: () => Promise<void>
let writer: Writer
let page: { id: number }
let category: { id: number }
let post: { id: number }

beforeAll(async () => {
  ;({ app, close } = await createTestApp(OPEN_FEED))
  writer = await createWriter(app, 'mallory')
  category = await writer.newCategory({ name: 'Shelf', slug: 'shelf' })
  page = await writer.newPage({ title: 'Page', slug: 'page', category_id: category.id })
  post = await newPost(writer)
})
afterAll(() => close())

const PROFILE = '/u/mallory'
const PAGE = `${PROFILE}/content/shelf/page`
const PATHS = [PROFILE, `${PROFILE}/content`, `${PROFILE}/content/shelf`, PAGE, `${PROFILE}/changelog`]

/** What a field of one line takes of a text. */
const lineOf = (text: string) => nameOf(text, 64)
/** What a post takes of a text. */
const postOf = (text: string) => text.replaceAll(/[^\P{Cc}\n\t]/gu, '')
const proseOf = (text: string) => text.replaceAll('\0', '')

/** Writes a text into every field that takes any. */
async function write(text: string) {
  const [line, prose] = [lineOf(text), proseOf(text)]
  const answers = [
    await writer.put(`/profiles${PROFILE}`, {
      full_name: line,
      bio: prose,
      skills: [line],
      keywords: [line],
      agent_instructions: prose,
      agent_rules: prose,
      custom_fields: { [`a ${prose}`]: prose, list: [prose, { [`b ${prose}`]: [prose] }] },
      type_data: { headline: line, location: line, languages: [line.slice(0, 35).toWellFormed()], availability: line },
    }),
    await writer.putCategory(category.id, { name: line, description: prose, icon: line }),
    await writer.putPage(page.id, { title: line, excerpt: prose, body: prose }),
  ]
  answers.push(await writer.delete(`/feed/${post.id}`))
  for (const { statusCode, body } of answers) expect(statusCode, body).toBe(200)
  post = await newPost(writer, postOf(text))
}

const read = async (url: string, accept: string) => (await client(app).get(url, { accept })).body

const markdown = unified().use(remarkParse).use(remarkGfm)

/** The parts of a document of ours: its front matter, and its tree. */
function readMarkdown(text: string): { head: Record<string, unknown>; tree: Root } {
  const [, head, body = text] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(text) ?? []
  return { head: head === undefined ? {} : parseYaml(head), tree: markdown.parse(body) }
}

const nodesIn = (node: Nodes): Nodes[] => [node, ...('children' in node ? node.children.flatMap(nodesIn) : [])]
const textOf = (node: Nodes): string =>
  nodesIn(node)
    .map((each) => ('value' in each ? each.value : ''))
    .join('')

const OURS = new Set(['root', 'heading', 'paragraph', 'text', 'list', 'listItem', 'link', 'code', 'inlineCode'])

/** What a document of ours is built of, its paragraphs aside. */
function skeletonOf({ head, tree }: ReturnType<typeof readMarkdown>) {
  const parts = tree.children
    .filter(({ type }) => type !== 'paragraph')
    .map((node) => {
      if (node.type === 'heading') return node.depth === 1 ? 'title' : `${node.depth} ${textOf(node)}`
      return node.type === 'list' ? `list of ${node.children.length}` : node.type
    })
  return [Object.keys(head).join(), ...parts]
}

function expectOurs({ tree }: ReturnType<typeof readMarkdown>, path: string) {
  const nodes = nodesIn(tree)
  expect(
    nodes.filter(({ type }) => !OURS.has(type)),
    path,
  ).toEqual([])
  for (const node of nodes) {
    // An address in plain text links to itself.
    if (node.type !== 'link' || node.url.startsWith(`${PUBLIC_URL}/`)) continue
    expect(node.url.replace(/^(https?:\/\/|mailto:)/, ''), path).toBe(
      textOf(node).replace(/^(https?:\/\/|mailto:)/, ''),
    )
    expect(node.url, path).toMatch(/^(https?:|mailto:)/)
  }
}

/** The documents that are ours to the last line; the body of a page is its author's. */
const OUR_PATHS = PATHS.filter((path) => path !== PAGE)
let plain: Map<string, string[]>

describe('a hostile text in every field', () => {
  beforeAll(async () => {
    await write('plain')
    const skeletons = OUR_PATHS.map(
      async (path) => [path, skeletonOf(readMarkdown(await read(path, 'text/markdown')))] as const,
    )
    plain = new Map(await Promise.all(skeletons))
  })

  it.each(HOSTILE_TEXTS.map((text) => [text]))(
    'does not let a hostile text run or inject anything: %j',
    async (text) => {
      await write(text)
      for (const path of PATHS) expectHarmless(await read(path, 'text/html'), path)
      for (const path of OUR_PATHS) {
        const document = readMarkdown(await read(path, 'text/markdown'))
        expectOurs(document, path)
        if (!path.endsWith('/changelog')) expect(skeletonOf(document), path).toEqual(plain.get(path))
      }
      const document = await read(PAGE, 'text/markdown')
      const [, above = ''] = document.split(/\n---\n\n/)
      const { head, tree } = readMarkdown(document.slice(0, -proseOf(text).length || undefined))
      expect(Object.keys(head)).toEqual(['title', 'url', 'did', 'updated_at', 'version'])
      expect(above).toMatch(/^# /)
      expect(tree.children.map(({ type }) => type)).toEqual(['heading'])
    },
  )

  it('keeps hostile texts readable', async () => {
    const text = '<b>Tom</b> & "Jerry" *friends*'
    await write(text)
    const page = await read(PROFILE, 'text/html')
    expect(page).toContain('<h1 dir="ltr"><bdi>&lt;b&gt;Tom&lt;/b&gt; &amp; &quot;Jerry&quot; *friends*</bdi></h1>')
  })
})
