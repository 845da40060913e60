import { defineResource } from '@eep/core/mcp'
import { defineModule, routeConfig } from '@eep/core/module'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { signUp } from '../../support/accounts.ts'
import { newKey } from '../../support/api-keys.ts'
import { createTestApp, PUBLIC_URL } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { createWriter } from '../../support/content.ts'
import { errorCodeOf, mcpClient } from '../../support/mcp.ts'

const notes = defineModule({
  name: 'notes',
  mcp: () => ({
    resources: [
      defineResource({
        uri: 'notes://{id}',
        name: 'note',
        title: 'Note',
        description: 'A note',
        mimeType: 'text/plain',
        read: async (uri, { id = '' }) => ({ uri, text: id }),
      }),
    ],
  }),
})

const echo = defineModule({
  name: 'echo',
  routes(app) {
    const answer = { word: z.string(), mode: z.string(), secret: z.string() }
    app.get(
      '/echo',
      {
        schema: {
          querystring: z.strictObject({
            word: z.string(),
            mode: z.string().default('free'),
            secret: z.string().default('none'),
            limit: z.coerce.number().int().max(100).default(20),
          }),
          response: { 200: z.object({ ...answer, limit: z.number() }) },
        },
        config: routeConfig({
          auth: 'none',
          tag: 'echo',
          operationId: 'echo',
          summary: 'Echo a word',
          tool: { title: 'Echo', description: 'Echoes a word', set: { mode: 'fixed' }, hide: ['secret'] },
        }),
      },
      async ({ query }) => query,
    )
  },
})

const { app, close } = await createTestApp({ modules: [notes, echo], withSearch: true }, {}, (app) => {
  app.get('/reports/secret', async () => 'of the host')
})
afterAll(close)
const ada = await createWriter(app, 'ada')
const page = await ada.newPage({ title: 'On engines', body: 'The engine weaves patterns.' })
const anonymous = mcpClient(app)

/** The code of the error with which a tool answers, of JSON-RPC or of the result. */
async function codeOf(name: string, args: object, mcp = anonymous) {
  const { error, result } = await mcp.ask('tools/call', { name, arguments: args })
  return error?.code ?? errorCodeOf(result as never)
}

describe('addresses in arguments', () => {
  it('are refused when they are longer than 2,048 characters, without work that grows with the square of their length', async () => {
    const long = `/u/ada${'/'.repeat(300_000)}x`
    const begun = performance.now()
    for (const name of ['read_page', 'get_profile', 'list_contents', 'get_price', 'read_file_text', 'list_changes'])
      expect([name, await codeOf(name, { url: long })]).toEqual([name, -32_602])
    expect(await codeOf('fetch', { id: long })).toBe(-32_602)
    expect((await anonymous.ask('resources/read', { uri: `eep://profiles.example${long}` })).error?.code).toBe(-32_602)
    expect(performance.now() - begun).toBeLessThan(5_000)
    const slashes = '/'.repeat(2_049 - page.path.length)
    expect(await codeOf('read_page', { url: page.path + slashes })).toBe(-32_602)
    expect((await anonymous.call('read_page', { url: page.path + slashes.slice(1) })).isError).toBeUndefined()
  })

  it.each([
    '/health/ready',
    '/metrics',
    '/eep/stream',
    '/stream/signals',
    '/docs/openapi.json',
    '/auth/me',
    '/manage/pages',
    '/export',
    '/media/1/hls/main.m3u8',
    '/files/list/u/ada',
    '/reports/secret',
    '/u/ada/../../reports/secret',
    '/u/ada/%2e%2e/%2E./reports/secret',
    '/u\\ada\\..\\..\\reports/secret',
    '/feed/posts/%zz',
    `${PUBLIC_URL}/reports/secret`,
  ])('are refused as invalid parameters when they name no page, profile, post or file: %s', async (url) => {
    for (const name of ['read_page', 'get_profile', 'list_contents', 'get_price'])
      expect([name, await codeOf(name, { url })]).toEqual([name, -32_602])
    expect(await codeOf('fetch', { id: url })).toBe(-32_602)
  })

  it('may name pages, profiles, posts and documents of the service', async () => {
    const post = await ada.post('/feed', { body: 'A post about looms' })
    const named = [page.path, '/u/ada', '/llms.txt', '/feed', '/feed/u/ada', `/feed/posts/${post.json().id}`]
    for (const url of named)
      expect([url, (await anonymous.call('read_page', { url })).isError]).toEqual([url, undefined])
  })

  it('are asked for as their caller when they are not ASCII, have spaces or need other escapes', async () => {
    const hidden = await signUp(app, 'hidden')
    const visibility = `/profiles/${hidden.account.active_profile_id}/visibility`
    expect((await hidden.put(visibility, { visibility: 'private' })).statusCode).toBeLessThan(300)
    const key = await newKey(app, hidden.headers, { scopes: ['read:content', 'read:profiles', 'read:feed'] })
    const own = mcpClient(app, key.headers)
    for (const name of ['größe', 'two words', "it's", '日本', 'a|b^c', 'gr%C3%B6%C3%9Fe']) {
      const url = `/u/hidden/content/${name}`
      const path = new URL(url, PUBLIC_URL).pathname
      const codes = async (headers: Record<string, string>) =>
        (await client(app).get(path, { ...headers, accept: 'application/json' })).json().error.code
      const [ofOwner, ofStranger] = await Promise.all([codes(key.headers), codes({})])
      expect(ofOwner).not.toBe(ofStranger)
      expect([name, await codeOf('read_page', { url }, own)]).toEqual([name, ofOwner])
      expect([name, await codeOf('read_page', { url })]).toEqual([name, ofStranger])
    }
  })

  it('of hashtags may have any letters, and are no way to other routes', async () => {
    expect((await anonymous.call('get_feed', { hashtag: 'größe' })).isError).toBeUndefined()
    expect(await codeOf('get_feed', { hashtag: '..' })).toBe('validation_failed')
    expect(await codeOf('get_feed', { hashtag: '\ud800' })).not.toBe(-32_603)
  })

  it('complete with characters that URLs escape', async () => {
    const params = {
      ref: { type: 'ref/resource', uri: 'eep://profiles.example/{prefix}/{username}' },
      argument: { name: 'username', value: "ada's größe" },
    }
    expect((await anonymous.ask('completion/complete', params)).error).toBeUndefined()
  })
})

describe('arguments of tools', () => {
  it('cannot set what a tool fixes, hides or limits', async () => {
    const args = { word: 'a', mode: 'mine', secret: 'mine', limit: '500' }
    expect((await anonymous.call('echo', args)).structuredContent).toEqual({
      word: 'a',
      mode: 'fixed',
      secret: 'none',
      limit: 50,
    })
    expect((await anonymous.call('get_feed', { limit: '500' })).isError).toBeUndefined()
    expect(await codeOf('echo', { word: 'a', limit: 'all' })).toBe('validation_failed')
  })

  it('of a path cannot consist of dots', async () => {
    expect(await codeOf('get_gates', { did: '..' })).toBe('validation_failed')
  })

  it('name no profile by a member of the prototype of an object', async () => {
    const key = await newKey(app, ada.headers, { scopes: ['read:messages'] })
    const mcp = mcpClient(app, key.headers)
    for (const profile of ['constructor/x', '__proto__/x', 'toString/x'])
      expect([profile, await codeOf('list_conversations', { profile }, mcp)]).toEqual([profile, 'validation_failed'])
  })
})

it('resources of modules whose URI is not a URI do not exist', async () => {
  const read = (uri: string) => anonymous.ask('resources/read', { uri })
  expect((await read('notes://7%20a')).result?.contents).toMatchObject([{ text: '7 a' }])
  for (const uri of ['notes://%', 'notes://%zz', 'notes://%ff']) expect((await read(uri)).error?.code).toBe(-32_602)
})
