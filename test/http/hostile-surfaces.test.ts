import { decode } from '@toon-format/toon'
import { DOMParser } from '@xmldom/xmldom'
import type { LightMyRequestResponse } from 'fastify'
import type { Nodes } from 'mdast'
import { type DefaultTreeAdapterMap, defaultTreeAdapter, parseFragment } from 'parse5'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PUBLIC_URL } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { newPost, OPEN_FEED } from '../support/feed.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { HOSTILE_TEXTS, nameOf } from '../support/hostile-texts.ts'
import { createCashApp } from '../support/shop.ts'

type Service = Awaited<ReturnType<typeof createCashApp>>

/** What other formats than HTML might take for their own syntax. */
const TEXTS = [
  ...HOSTILE_TEXTS,
  'x\r\nSet-Cookie: evil=1\r\n\r\n<script>alert(1)</script>',
  'x\nevent: purchase\ndata: {}\n\n',
  '=HYPERLINK("https://evil.example")',
  'x;=HYPERLINK("https://evil.example")',
  ']]></content><script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>',
  '&xxe; <!ENTITY xxe SYSTEM "file:///etc/passwd">',
  'a", realm="evil", method="evil',
  'a; filename="evil.html"; filename*=UTF-8\'\'evil.html',
  '\u{1F469}\u200D\u{1F4BB} ünïcödé 日本語',
]

const lineOf = (text: string) => nameOf(text, 64)
const proseOf = (text: string) => text.replaceAll('\0', '')
const postOf = (text: string) => text.replaceAll(/[^\P{Cc}\n\t]/gu, '')

const MARKUP = new Set('#document-fragment a p br strong em code pre blockquote ul ol li h2 h3 h4 del span'.split(' '))

/** Checks HTML that readers of feeds show. */
function expectHarmlessMarkup(markup: string, where: string) {
  const walk = (node: DefaultTreeAdapterMap['node']) => {
    if (defaultTreeAdapter.isElementNode(node)) {
      expect([where, node.tagName, MARKUP.has(node.tagName)]).toEqual([where, node.tagName, true])
      for (const { name, value } of node.attrs) {
        expect([where, name, ['href', 'rel', 'dir', 'class'].includes(name)]).toEqual([where, name, true])
        if (name === 'href') expect(value, where).toMatch(/^(https?:\/\/|mailto:)/)
      }
    }
    if ('childNodes' in node) node.childNodes.forEach(walk)
  }
  walk(parseFragment(markup))
}

function xmlOf(text: string, where: string) {
  const parser = new DOMParser({
    onError: (level, message) => {
      throw new Error(`${where}: ${level} ${message}`)
    },
  })
  return parser.parseFromString(text, 'text/xml')
}

const markdown = unified().use(remarkParse).use(remarkGfm)
const nodesIn = (node: Nodes): Nodes[] => [node, ...('children' in node ? node.children.flatMap(nodesIn) : [])]

const textOf = (node: Nodes): string =>
  nodesIn(node)
    .map((each) => ('value' in each ? each.value : ''))
    .join('')
const bare = (address: string) => address.replace(/^(https?:\/\/|mailto:)/, '')

/** The headings of a document, and where its links lead. */
function outlineOf(text: string) {
  const nodes = nodesIn(markdown.parse(text))
  return {
    headings: nodes.filter(({ type }) => type === 'heading').length,
    // An address in plain text links to itself.
    foreign: nodes.flatMap((node) => {
      const isOurs = node.type !== 'link' || node.url.startsWith(PUBLIC_URL) || bare(node.url) === bare(textOf(node))
      return isOurs ? [] : [node.url]
    }),
    markup: nodes.filter(({ type }) => type === 'html' || type === 'image').length,
  }
}

/** Checks that no header was added, ended or made of bytes that are not ASCII. */
function expectSoundHeaders({ headers }: LightMyRequestResponse, where: string) {
  for (const [name, value] of Object.entries(headers)) {
    expect([where, name, /^[\t\x20-\x7e]*$/.test(String(value))]).toEqual([where, name, true])
    expect([where, name, /evil/i.test(name)]).toEqual([where, name, false])
  }
  expect([where, headers['set-cookie'] ?? []]).toEqual([where, []])
}

describe('a hostile text of another account', () => {
  let now = new Date()
  let service: Service
  let writer: Writer
  let page: { readonly id: number; readonly path: string }
  let files: readonly { readonly id: number }[] = []
  let outline: Awaited<ReturnType<typeof outlines>>

  const get = (url: string, accept = '*/*') => client(service.app).get(url, { accept })
  const did = () => service.app.eep.profiles.didOf({ type: 'person', username: 'mallory' }).replaceAll('%', '%25')

  beforeAll(async () => {
    service = await createCashApp({ ...OPEN_FEED, clock: () => now })
    writer = await createWriter(service.app, 'mallory')
    page = await writer.newPage({ title: 'Page', slug: 'page' })
    await write('plain')
    outline = await outlines()
  })
  afterAll(() => service.close())

  async function write(text: string) {
    const [line, prose] = [lineOf(text), proseOf(text)]
    const requirement = { type: 'payment', amount: 1, currency: 'usdc', per: 'day' }
    const tier = { label: line, description: prose, requirements: [requirement], access: ['content.page'] }
    const open = { requirements: [], access: ['*'] }
    const answers = [
      await writer.put('/profiles/u/mallory', { full_name: line, bio: prose, skills: [line], keywords: [line] }),
      await writer.putPage(page.id, { title: line, excerpt: prose, body: prose }),
      await writer.put(`/eep/gates/${did()}`, { default_tier: 'public', tiers: { public: open, reader: tier } }),
      await upload(
        service.app,
        [field('username', 'mallory'), fileOf(text, `${lineOf(text).replaceAll('"', "'")}.txt`)],
        writer.headers,
      ),
    ]
    for (const { statusCode, body } of answers) expect(statusCode, body).toBe(200)
    files = answers.slice(-1).map((answer) => answer.json())
    await newPost(writer, postOf(text))
    now = new Date(now.getTime() + 61_000)
  }

  async function outlines() {
    const texts = await Promise.all(
      ['/llms.txt', '/u/mallory/agent-card.json'].map(async (url) => (await get(url)).body),
    )
    return outlineOf(texts[0] ?? '')
  }

  it.each(TEXTS.map((text) => [text]))(
    'stays text in feeds, badges, lists, TOON, offers and headers: %j',
    async (text) => {
      await write(text)
      for (const path of ['/feed', '/feed/u/mallory']) {
        const atom = await get(`${path}.atom`)
        expectSoundHeaders(atom, path)
        const document = xmlOf(atom.body, path)
        const names = new Set(Array.from(document.getElementsByTagName('*'), ({ nodeName }) => nodeName))
        expect([...names].filter((name) => /script|xhtml/.test(name))).toEqual([])
        for (const content of document.getElementsByTagName('content'))
          expectHarmlessMarkup(content.textContent ?? '', path)
        const feed = JSON.parse((await get(`${path}.json`)).body)
        for (const item of feed.items) expectHarmlessMarkup(item.content_html, path)
      }
      const badge = await get('/u/mallory/badge.svg')
      expectSoundHeaders(badge, 'badge')
      const drawn = Array.from(xmlOf(badge.body, 'badge').getElementsByTagName('*'), ({ nodeName }) => nodeName)
      expect(new Set(drawn)).toEqual(new Set(['svg', 'title', 'rect', 'g', 'text']))
      const [json, toon] = [await get('/u/mallory', 'application/json'), await get('/u/mallory?format=toon')]
      expect(decode(toon.body)).toEqual(json.json())
      expect(await outlines()).toEqual(outline)
      xmlOf((await get('/sitemap.xml')).body, 'sitemap')
      for (const accept of ['text/html', 'application/json', 'text/markdown']) {
        const answer = await get(page.path, accept)
        expect(answer.statusCode).toBe(402)
        expectSoundHeaders(answer, `offer as ${accept}`)
      }
      for (const { id } of files) {
        const answer = await get(`/files/${id}`)
        expectSoundHeaders(answer, 'file')
        expect(String(answer.headers['content-disposition'])).toMatch(
          /^(inline|attachment); filename=("(\\.|[^"\\])*"|[\w.!#$%&'*+^`|~-]+)(; filename\*=UTF-8''[\w.!#$&+^`|~%-]+)?$/,
        )
        expect(answer.headers['content-type']).toMatch(/^(text\/plain; charset=utf-8|application\/octet-stream)$/)
        expect((await writer.delete(`/files/${id}`)).statusCode).toBe(200)
      }
    },
  )
})
