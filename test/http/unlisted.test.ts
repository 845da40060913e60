import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { field, fileOf, PNG, upload } from '../support/files.ts'

/**
 * The unlisted table: every route of the OpenAPI document that takes a number answers other users about records of an
 * unlisted profile as if they did not exist.
 */

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: { type?: string } }[]
  readonly requestBody?: object
}

const MARKER = 'quillwort'
const NOTHING = 999_999_999

let app: TestApp
let close: () => Promise<void>
let ada: Writer
let otherUser: Record<string, string>
let numbers: Readonly<Record<'profile' | 'page' | 'category' | 'file', number>>
let operations: readonly (readonly [method: string, path: string, operation: Operation])[]

beforeAll(async () => {
  ;({ app, close } = await createTestApp())
  ada = await createWriter(app, 'borage')
  otherUser = (await signUp(app, 'other-user')).headers
  await ada.put('/profiles/u/borage', { bio: MARKER, capabilities: ['contactable'], visibility: 'unlisted' })
  const category = await ada.newCategory({ name: `Notes ${MARKER}` })
  const parts = [field('username', 'borage'), fileOf(PNG, `${MARKER}.png`)]
  const file = (await upload(app, parts, ada.headers)).json()
  const page = await ada.newPage({
    title: `Page ${MARKER}`,
    body: `![A picture](/files/${file.id}) and [the file](https://profiles.example/files/${file.id}).`,
  })
  numbers = { profile: ada.profileId, page: page.id, category: category.id, file: file.id }
  const { paths } = (await client(app).get('/docs/openapi.json')).json()
  operations = Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [method.toUpperCase(), path, operation] as const),
  )
})
afterAll(() => close())

/** The number to use for a route parameter; undefined when it does not identify a profile or its content. */
function kindOf(path: string, name: string): keyof typeof numbers | undefined {
  if (name === 'profile_id') return 'profile'
  if (name === 'pageId') return 'page'
  if (name === 'fileId') return 'file'
  if (name !== 'id') return undefined
  if (path.startsWith('/profiles/')) return 'profile'
  if (path.startsWith('/manage/pages')) return 'page'
  if (path.startsWith('/manage/categories')) return 'category'
  return path.startsWith('/files/') ? 'file' : undefined
}

const NIL = '00000000-0000-4000-8000-000000000000'
const OTHERS: Readonly<Record<string, string>> = { version: '1', memberId: NIL, inviteId: '1' }

const BODIES: Readonly<Record<string, (number: (kind: keyof typeof numbers) => number) => object>> = {
  'PUT /profiles/{id}/visibility': () => ({ visibility: 'public' }),
  'PUT /profiles/{id}/capabilities': () => ({ capabilities: [] }),
  'PUT /profiles/{id}/smart-sections': () => ({ sections: [] }),
  'POST /profiles/{id}/team/invites': () => ({ email: 'guest@example.com', role: 'viewer' }),
  'PUT /profiles/{id}/team/{memberId}': () => ({ role: 'viewer' }),
  'POST /profiles/{id}/transfers': () => ({ recipient_username: 'other-user' }),
  'PUT /manage/pages/{id}': () => ({ title: 'Taken' }),
  'PUT /manage/pages/{id}/draft': () => ({ title: 'Taken' }),
  'POST /manage/pages/{id}/draft/publish': () => ({}),
  'PUT /manage/prices/{resource}': () => ({ amount: 1, currency: 'usdc', per: 'day' }),
  'PUT /manage/categories/{id}': () => ({ name: 'Taken' }),
  'POST /content/pages/{pageId}/reactions': () => ({ kind: 'like' }),
  'POST /manage/pages': (number) => ({ profile_id: number('profile'), title: 'Mine', body: '' }),
  'POST /manage/categories': (number) => ({ profile_id: number('profile'), name: 'Mine' }),
  'POST /manage/reorder': (number) => ({ kind: 'pages', profile_id: number('profile'), ids: [number('page')] }),
  'POST /manage/entitlements': (number) => ({
    profile_id: number('profile'),
    tier: 'reader',
    payer_wallet: 'wallet:friend',
    payer_network: 'cash:test',
  }),
  'POST /convert': (number) => ({ file_id: number('file'), to: 'text' }),
  'POST /media': (number) => ({ file_id: number('file') }),
}

/** The requests that name something by its number, with a function that sends them for one set of numbers. */
const numbered = () =>
  operations.flatMap(([method, path, { parameters, requestBody }]) => {
    const query = parameters.filter(({ name, in: place }) => place === 'query' && name === 'profile_id')
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const body = BODIES[`${method} ${path}`]
    const takesNumber = named.some((name) => kindOf(path, name)) || query.length > 0 || body
    if (!takesNumber) return []
    const send = (number: (kind: keyof typeof numbers) => number, headers: Record<string, string>) => {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        const kind = kindOf(path, name)
        return kind ? String(number(kind)) : (OTHERS[name] ?? 'nothing')
      })
      return app.inject({
        method: method as 'GET',
        url: query.length > 0 ? `${filled}?profile_id=${number('profile')}` : filled,
        headers,
        ...(body ? { payload: body(number) } : {}),
      })
    }
    return [{ route: `${method} ${path}`, isComplete: !requestBody || Boolean(body), send }]
  })

describe('the unlisted table', () => {
  it('has a body for every route that takes a number and a body', () => {
    const routes = numbered()
    expect(routes.filter(({ isComplete }) => !isComplete).map(({ route }) => route)).toEqual([])
    expect(routes.length).toBeGreaterThan(30)
  })

  it('answers other users on every numbered route as if the record did not exist', async () => {
    const wrong: string[] = []
    for (const { route, send } of numbered()) {
      for (const headers of [{}, otherUser]) {
        const real = await send((kind) => numbers[kind], headers)
        const nothing = await send(() => NOTHING, headers)
        const told = (response: typeof real) => `${response.statusCode} ${response.json().error?.code}`
        if (real.statusCode < 400 || told(real) !== told(nothing) || real.body.includes(MARKER)) {
          wrong.push(`${route}: ${real.statusCode} ${real.body.slice(0, 80)}, of nothing ${nothing.statusCode}`)
        }
      }
    }
    expect(wrong).toEqual([])
    expect(await ada.getJson(`/manage/pages/${numbers.page}`)).toMatchObject({ title: `Page ${MARKER}`, version: 1 })
  })

  it('lets the team use every number', async () => {
    for (const url of [`/files/${numbers.file}`, `/content/pages/${numbers.page}/reactions`]) {
      expect((await ada.get(url)).statusCode, url).toBe(200)
    }
    expect(await ada.getJson(`/profiles/${numbers.profile}/capabilities`)).toEqual({ capabilities: ['contactable'] })
  })
})

describe('a reader of an unlisted profile', () => {
  const { get } = client(() => app)
  const pathOf = (url: string) => url.replace('https://profiles.example', '')

  it('follows the links of the profile to its files', async () => {
    const { files } = (await get('/u/borage?format=json')).json()
    expect(files[0].url).toMatch(/\/files\/\d+\?key=[\w-]{22}$/)
    expect((await get(pathOf(files[0].url))).statusCode).toBe(200)
    const { body } = await client(app).get('/u/borage', { accept: 'text/markdown' })
    expect(body).toContain(`/files/${numbers.file}?key=`)
    // A page shows the image, so people find only other files in the list, and the image beside the page.
    const notes = (await upload(app, [field('username', 'borage'), fileOf('Notes.')], ada.headers)).json()
    const html = (await client(app).get('/u/borage', { accept: 'text/html' })).body
    const shown = [notes.id, numbers.file].map((id) => html.match(new RegExp(`/files/${id}\\?key=`, 'g'))?.length)
    expect(shown).toEqual([1, 1])
    expect(html).toContain(`<img class="thumb" src="/files/${numbers.file}?key=`)
  })

  it.each(['text/html', 'text/markdown', 'application/json'])('sees the images of a page as %s', async (accept) => {
    const { body } = await client(app).get(`/u/borage/content/page-${MARKER}`, { accept })
    const links = [...body.matchAll(/\/files\/\d+(?:\?key=[\w-]+)?/g)].map(([link]) => link)
    // The head of a page of HTML names the image too, for previews and for machines.
    expect(links).toHaveLength(accept === 'text/html' ? 4 : 2)
    for (const link of links) expect((await get(link)).statusCode, link).toBe(200)
  })

  it('reads and sends reactions by the address in the page', async () => {
    const page = (await get(`/u/borage/content/page-${MARKER}?format=json`)).json()
    const url = pathOf(page.reactions_url)
    expect((await get(url)).json()).toMatchObject({ counts: { like: 0 } })
    const liked = await client(app).post(url, { kind: 'like' }, otherUser)
    expect(liked.statusCode).toBe(201)
  })

  it('gets no further with the key of something else', async () => {
    const { files } = (await get('/u/borage?format=json')).json()
    const key = new URL(files[0].url).searchParams.get('key')
    expect((await get(`/content/pages/${numbers.page}/reactions?key=${key}`)).statusCode).toBe(404)
    expect((await get(`/files/${numbers.file}?key=${'A'.repeat(22)}`)).statusCode).toBe(404)
    const mallory = await createWriter(app, 'mallory')
    await mallory.put('/profiles/u/mallory', { visibility: 'unlisted' })
    await mallory.newPage({ title: 'Guess', body: `![x](/files/${numbers.file})` })
    const { body } = (await get('/u/mallory/content/guess?format=json')).json()
    const [link = ''] = /\/files\/\d+\?key=[\w-]+/.exec(body) ?? []
    expect(link).not.toBe('')
    expect((await get(link)).statusCode).toBe(404)
  })
})
