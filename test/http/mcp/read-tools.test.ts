import { afterAll, describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { newKey } from '../../support/api-keys.ts'
import { createTestApp, PUBLIC_URL } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { createWriter } from '../../support/content.ts'
import { errorCodeOf, mcpClient, publishedClients } from '../../support/mcp.ts'

const { app, close } = await createTestApp({ withSearch: true })
afterAll(close)
const ada = await createWriter(app, 'ada')
const page = await ada.newPage({ title: 'On engines', body: 'The engine weaves **algebraical** patterns.' })
const url = `${PUBLIC_URL}${page.path}`
const anonymous = mcpClient(app)
const { older, newer } = await publishedClients(app)

describe('tools/list', () => {
  it('has reading tools and the one that starts a sign-in for anonymous callers, in at most 24 KiB', async () => {
    const { result, names } = await anonymous.list()
    expect(names).toEqual(
      expect.arrayContaining([
        'search',
        'fetch',
        'read_page',
        'get_profile',
        'list_contents',
        'get_price',
        'get_account',
      ]),
    )
    expect(names).not.toContain('create_post')
    expect(JSON.stringify(result).length).toBeLessThan(24_576)
  })

  it('has for a key the tools of its scopes', async () => {
    const person = await signUp(app)
    const namesFor = async (scopes: string[]) => {
      const key = await newKey(app, person.headers, { scopes })
      return (await mcpClient(app, key.headers).list()).names
    }
    expect(await namesFor(['read:content', 'write:feed'])).toContain('create_post')
    expect(await namesFor(['read:content'])).not.toContain('create_post')
    // Closed to keys on every route.
    expect(await namesFor(['read:content', 'write:content'])).not.toContain('create_page')
  })

  it('leaves out what the host names', async () => {
    const { app, close } = await createTestApp({ mcp: { without: ['get_trust', 'feed'] } })
    const { names } = await mcpClient(app).list()
    expect(names).not.toContain('get_trust')
    expect(names).not.toContain('get_feed')
    expect(names).toContain('get_profile')
    await close()
  })
})

describe('tools that read', () => {
  it('find a page and read it by the id of the result', async () => {
    await expect
      .poll(async () => (await anonymous.call('search', { query: 'algebraical' })).structuredContent?.results)
      .toHaveLength(1)
    const found = await anonymous.call('search', { query: 'algebraical' })
    const [hit] = (found.structuredContent?.results ?? []) as { id: string }[]
    expect(hit).toMatchObject({ id: page.path, url, title: 'On engines' })
    expect(JSON.parse(found.content[0]?.text ?? '')).toEqual(found.structuredContent)

    const fetched = await anonymous.call('fetch', { id: hit?.id })
    expect(fetched.structuredContent).toEqual({
      id: page.path,
      title: 'On engines',
      text: 'The engine weaves **algebraical** patterns.',
      url,
      metadata: { author_did: 'did:web:profiles.example:u:ada', updated_at: expect.any(String) },
    })
  })

  it('read a page by URL, path and URI, as the same bytes as its Markdown', async () => {
    const markdown = (await client(app).get(page.path, { accept: 'text/markdown' })).body
    for (const named of [url, page.path, page.path.slice(1), `eep://profiles.example${page.path}`, `${page.path}.md`]) {
      const { content, _meta } = await anonymous.call('read_page', { url: named })
      expect(content[0]?.text).toBe(markdown)
      expect(_meta?.['dev.eep/source']).toEqual({ url, author_did: 'did:web:profiles.example:u:ada' })
    }
  })

  it('read a long page in parts that join to the whole', async () => {
    const whole = (await anonymous.call('read_page', { url })).content[0]?.text ?? ''
    let text = ''
    for (let offset = 0; offset < whole.length; ) {
      const { content, _meta } = await anonymous.call('read_page', { url, offset, max_chars: 40 })
      const { next_offset: next = whole.length } = (_meta?.['dev.eep/text'] ?? {}) as { next_offset?: number }
      text += content[0]?.text.replace(/\n\n\[\d+ more characters.*\]$/, '')
      offset = next
    }
    expect(text).toBe(whole)
  })

  it('return profiles and contents as their routes do', async () => {
    const json = async (path: string) => (await client(app).get(path, { accept: 'application/json' })).json()
    expect((await anonymous.call('get_profile', { url: '/u/ada' })).structuredContent).toEqual(await json('/u/ada'))
    const contents = await anonymous.call('list_contents', { url: '/u/ada' })
    expect(contents.structuredContent).toEqual(await json('/u/ada/content'))
  })

  it('refuse addresses of other services as invalid parameters', async () => {
    for (const other of [
      'https://elsewhere.example/u/ada',
      'file:///etc/passwd',
      'eep://elsewhere.example/u/ada',
      '//elsewhere.example/u/ada',
    ]) {
      const answer = await anonymous.ask('tools/call', { name: 'read_page', arguments: { url: other } })
      expect(answer.error?.code ?? errorCodeOf(answer.result as never)).toSatisfy(
        (code) => code === -32_602 || code === 'not_found',
      )
    }
  })

  it('answer with the error of the route, and without structured content', async () => {
    const missing = await anonymous.call('get_profile', { url: '/u/nobody' })
    expect(missing).toMatchObject({ isError: true })
    expect(missing.structuredContent).toBeUndefined()
    expect(errorCodeOf(missing)).toBe('profile_not_found')
    expect(errorCodeOf(await anonymous.call('read_page', {}))).toBe('validation_failed')
  })

  it('hide private pages as if they did not exist', async () => {
    const hidden = await ada.newPage({ title: 'Hidden', body: 'secret', status: 'draft' })
    expect((await anonymous.call('read_page', { url: hidden.path })).isError).toBe(true)
  })
})

describe('published clients', () => {
  it.each([
    ['sdk 1.32.2', () => older()],
    ['client 2.4.0, older revision', () => newer('legacy')],
    ['client 2.4.0, negotiating', () => newer('auto')],
  ])('%s lists and calls tools', async (name, connect) => {
    const mcp = await connect()
    if ('getNegotiatedProtocolVersion' in mcp) {
      expect(mcp.getNegotiatedProtocolVersion()).toBe(name.includes('negotiating') ? '2026-07-28' : '2025-11-25')
    }
    const { tools } = await mcp.listTools()
    expect(tools.length).toBeGreaterThan(10)
    const result = await mcp.callTool({ name: 'get_profile', arguments: { url: '/u/ada' } })
    expect(result.structuredContent).toMatchObject({ username: 'ada' })
    expect((await mcp.callTool({ name: 'get_profile', arguments: { url: '/u/nobody' } })).isError).toBe(true)
  })
})
