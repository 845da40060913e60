import { decode } from '@toon-format/toon'
import { DOMParser, type Element } from '@xmldom/xmldom'
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../support/accounts.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { newPost, OPEN_FEED, type Post } from '../support/feed.ts'
import { expectHarmless } from '../support/harmless-html.ts'
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts'

let app: TestApp
let close: () => Promise<void>
let ada: Person
beforeAll(async () => {
  ;({ app, close } = await createTestApp(OPEN_FEED))
  ada = await signUp(app, 'ada')
})
afterAll(() => close())

const FEED = '/feed/u/ada'
const read = (url: string, accept = '*/*') => client(app).get(url, { accept })

/** An Atom feed, parsed by a strict parser. */
function parseAtom(body: string) {
  const errors: string[] = []
  const onError = (_level: string, message: string) => void errors.push(message)
  const root = new DOMParser({ onError }).parseFromString(body, 'application/xml').documentElement
  if (!root) throw new Error('no document')
  expect(errors).toEqual([])
  expect([root.localName, root.namespaceURI]).toEqual(['feed', 'http://www.w3.org/2005/Atom'])
  const all = (element: Element, name: string) => Array.from(element.getElementsByTagName(name))
  const textOf = (element: Element, name: string) => all(element, name)[0]?.textContent ?? ''
  return {
    title: textOf(root, 'title'),
    links: all(root, 'link').map((link) => [link.getAttribute('rel'), link.getAttribute('href')]),
    entries: all(root, 'entry').map((entry) => ({
      id: textOf(entry, 'id'),
      title: textOf(entry, 'title'),
      author: textOf(entry, 'name'),
      content: textOf(entry, 'content'),
      categories: all(entry, 'category').map((category) => category.getAttribute('term')),
    })),
  }
}

/** Checks that the HTML of a post has text, line breaks and links of ours only. */
function expectInert(html: string, url: string) {
  const walk = (nodes: readonly DefaultTreeAdapterMap['node'][]): string =>
    nodes
      .map((node) => {
        if (node.nodeName === '#text') return 'value' in node ? node.value : ''
        expect(['p', 'br', 'a'], `${url}: ${html}`).toContain(node.nodeName)
        if (node.nodeName === 'br') return '\n'
        for (const { name, value } of 'attrs' in node ? node.attrs : []) {
          expect(['href', 'rel'], html).toContain(name)
          if (name === 'href') expect(value, html).toMatch(/^https?:\/\//)
        }
        return 'childNodes' in node ? walk(node.childNodes) : ''
      })
      .join('')
  return walk(parseFragment(html).childNodes)
}

const markdown = unified().use(remarkParse).use(remarkGfm)

describe('the formats of a feed', () => {
  it('lists the same posts in every format', async () => {
    const posts: Post[] = []
    for (const body of ['First #tagged', 'Second\nwith @u/ada & <b>', 'Third https://example.com/?a=1&b=2']) {
      posts.unshift(await newPost(ada, body))
    }
    const json = (await read(FEED, 'application/json')).json()
    expect(json).toEqual({ data: posts, pagination: { total: 3, has_more: false } })
    expect(decode((await read(FEED, 'text/toon')).body)).toEqual(json)
    expect((await read(`${FEED}?format=json`, 'text/html')).json()).toEqual(json)

    const feed = (await read(`${FEED}.json`)).json()
    expect(feed).toEqual((await read(FEED, 'application/feed+json')).json())
    expect(feed).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Posts of ada',
      home_page_url: `https://profiles.example${FEED}`,
      feed_url: `https://profiles.example${FEED}.json`,
    })
    expect(
      feed.items.map((item: Record<string, unknown>) => [item.id, item.url, item.content_text, item.tags]),
    ).toEqual(posts.map(({ url, body, hashtags }) => [url, url, body, hashtags]))
    expect(feed.items[1].content_html).toBe(
      '<p>Second<br>with <a href="https://profiles.example/u/ada">@u/ada</a> &amp; &lt;b&gt;</p>',
    )

    const atom = await read(`${FEED}.atom`)
    expect(atom.headers['content-type']).toBe('application/atom+xml; charset=utf-8')
    const { entries, links } = parseAtom(atom.body)
    expect(entries.map(({ id, author }) => [id, author])).toEqual(posts.map(({ url }) => [url, 'ada']))
    expect(entries.map(({ content }) => content)).toEqual(
      feed.items.map((item: Record<string, unknown>) => item.content_html),
    )
    expect(entries[2]?.categories).toEqual(['tagged'])
    expect(links).toContainEqual(['self', `https://profiles.example${FEED}.atom`])

    const page = await read(FEED, 'text/html')
    expectHarmless(page.body, FEED)
    for (const type of ['application/atom+xml', 'application/feed+json']) {
      expect(page.body).toContain(`<link rel="alternate" type="${type}"`)
    }
    expect((await read(`${FEED}.md`)).body).toContain('# Posts of ada')
  })

  it('links to the next page in the same format', async () => {
    const url = '?limit=1'
    const { next_cursor: cursor } = (await read(`${FEED}${url}`, 'application/json')).json().pagination
    const query = `?limit=1&cursor=${cursor}`
    expect((await read(`${FEED}.json${url}`)).json().next_url).toBe(`https://profiles.example${FEED}.json${query}`)
    expect(parseAtom((await read(`${FEED}.atom${url}`)).body).links).toContainEqual([
      'next',
      `https://profiles.example${FEED}.atom${query}`,
    ])
    expect((await read(`${FEED}${url}`)).headers.link).toContain(`<${FEED}${query}>; rel="next"`)
  })

  it('offers every format for the global feed, hashtags, replies and single posts', async () => {
    const post = await newPost(ada, 'All #formats')
    const reply = await newPost(ada, { body: 'A reply', reply_to: post.id })
    const paths = ['/feed', '/feed/hashtags/formats', `/feed/posts/${post.id}`, `/feed/posts/${post.id}/replies`]
    for (const path of paths) {
      const id = path.endsWith('replies') ? reply.url : post.url
      const ids = (await read(`${path}.json`)).json().items.map((item: { id: string }) => item.id)
      expect(ids, path).toContain(id)
      expect(parseAtom((await read(`${path}.atom`)).body).entries.map((entry) => entry.id)).toEqual(ids)
      expectHarmless((await read(path, 'text/html')).body, path)
      expect((await read(path, 'text/markdown')).headers['content-type']).toBe('text/markdown; charset=utf-8')
    }
    expect(parseAtom((await read('/feed/hashtags/nothing_yet.atom')).body).entries).toEqual([])
  })
})

/** What a post can hold of a text. */
const bodyOf = (text: string) => text.replaceAll(/[^\P{Cc}\n\t]/gu, '').toWellFormed()

describe('hostile text', () => {
  const texts = HOSTILE_TEXTS.map(bodyOf)
  const tricks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g
  const shownOf = (text: string) => text.replaceAll(tricks, '')
  const withoutSpace = (text: string) => text.replaceAll(/\s/g, '')
  // XML has no way to write these characters.
  const inXml = (text: string) => withoutSpace(shownOf(text)).replaceAll(/[\uFFFE\uFFFF]/g, '')
  const LIST = '/feed/u/mallory'
  let mallory: Person
  let posts: readonly Post[]
  beforeAll(async () => {
    mallory = await signUp(app, 'mallory')
    const made: Post[] = []
    for (const text of texts) made.push(await newPost(mallory, text))
    posts = made
  })

  it.each(texts.map((text, at) => [text, at] as const))('is escaped in a post and a name: %j', async (text, at) => {
    const full_name = text.replaceAll(/\s+/g, ' ').slice(0, 60).toWellFormed() || 'Mallory'
    await mallory.put('/profiles/u/mallory', { full_name })
    const url = `/feed/posts/${posts[at]?.id}`
    const { entries } = parseAtom((await read(`${url}.atom`)).body)
    expect(withoutSpace(expectInert(entries[0]?.content ?? '', url))).toBe(inXml(text))
    for (const path of [url, `${LIST}?limit=1`]) expectHarmless((await read(path, 'text/html')).body, path)
    const tree = markdown.parse((await read(url, 'text/markdown')).body)
    const types = tree.children.map(({ type }) => type)
    expect(types[0]).toBe('heading')
    expect(new Set(types.slice(1)), text).toEqual(new Set(['paragraph']))
  })

  it('is the same text in every format of a list', async () => {
    const bodies = texts.toReversed()
    const all = `?limit=${texts.length}`
    const { items } = (await read(`${LIST}.json${all}`)).json()
    const inert = (html: string) => expectInert(html, LIST)
    expect(items.map((item: { content_html: string }) => inert(item.content_html))).toEqual(bodies.map(shownOf))
    const { entries } = parseAtom((await read(`${LIST}.atom${all}`)).body)
    expect(entries.map(({ content }) => withoutSpace(inert(content)))).toEqual(bodies.map(inXml))
    expectHarmless((await read(LIST + all, 'text/html')).body, LIST)
    expect(decode((await read(LIST + all, 'text/toon')).body)).toMatchObject({ data: bodies.map((body) => ({ body })) })
    const json = await read(LIST + all, 'application/json')
    expect(json.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(json.headers['x-content-type-options']).toBe('nosniff')
    expect(json.json().data.map(({ body }: Post) => body)).toEqual(bodies)
  })

  it('is the same text in a single post as JSON and TOON', async () => {
    expect(posts.map(({ body }) => body)).toEqual(texts)
    for (const { id, body } of posts.slice(0, 5)) {
      const url = `/feed/posts/${id}`
      expect((await read(url, 'application/json')).json().body).toBe(body)
      expect(decode((await read(url, 'text/toon')).body)).toMatchObject({ body })
      expect(expectInert((await read(`${url}.json`)).json().items[0].content_html, url)).toBe(shownOf(body))
    }
  })
})
