import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { createCashApp, shopGate } from '../support/shop.ts'

/**
 * No route may show hidden content: this test requests every GET route of the OpenAPI document that anonymous readers can
 * reach, and searches the answers for words that occur in hidden profiles only.
 */

/** Words that occur only in the texts of the profile with their name. */
const MARKERS = { private: 'zebrawood', unlisted: 'quillwort', withdrawn: 'marmalade', renamed: 'foxglove' } as const
/** What the profiles are called, the renamed one both before and after. */
const NAMES = {
  private: ['anise'],
  unlisted: ['borage'],
  withdrawn: ['caraway'],
  renamed: ['dill', 'elecampane'],
} as const
type Hidden = keyof typeof MARKERS

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: { readonly enum?: readonly string[] }
}

interface Target {
  readonly username: string
  readonly profileId: number
  readonly did: string
  readonly pageId: number
  readonly headers: Record<string, string>
}

let test: Awaited<ReturnType<typeof createCashApp>>
let paths: readonly { readonly path: string; readonly parameters: readonly Parameter[] }[]
let targets: Record<Hidden | 'public', Target>

/** A profile with its word in every text that it can set. */
async function speaker(word: string, username: string): Promise<Target> {
  const { app } = test
  const { headers, account } = await signUp(app, username)
  const profileId = account.active_profile_id
  const send = async (method: 'POST' | 'PUT', url: string, payload: object) => {
    const response = await client(app).send(method, url, payload, headers)
    if (response.statusCode >= 300) throw new Error(`${method} ${url}: ${response.body}`)
    return response.json()
  }
  await send('PUT', `/profiles/u/${username}`, {
    full_name: `Name ${word}`,
    bio: `Bio ${word}`,
    skills: [`skill ${word}`],
    socials: { web: `https://${word}.example/` },
    keywords: [word],
    agent_instructions: `Instructions ${word}`,
    agent_rules: `Rules ${word}`,
    custom_fields: { [word]: word },
    type_data: { headline: `Headline ${word}` },
    capabilities: ['contactable'],
  })
  const category = await send('POST', '/manage/categories', { profile_id: profileId, name: `Category ${word}` })
  const page = { profile_id: profileId, body: `Body ${word}`, excerpt: `Excerpt ${word}`, status: 'published' }
  const { id: pageId } = await send('POST', '/manage/pages', { ...page, title: `Page ${word}`, slug: 'page' })
  await send('POST', '/manage/pages', { ...page, title: `Inner ${word}`, category_id: category.id })
  const did = `did:web:profiles.example:u:${username}`
  await send('PUT', `/eep/gates/${did}`, shopGate())
  return { username, profileId, did, pageId, headers }
}

beforeAll(async () => {
  test = await createCashApp({ withSearch: true })
  const { app } = test
  const hide = (target: Target, payload: object) =>
    client(app).as(target).put(`/profiles/u/${target.username}`, payload)
  targets = {
    public: await speaker('daylight', 'sunny'),
    private: await speaker(MARKERS.private, NAMES.private[0]),
    unlisted: await speaker(MARKERS.unlisted, NAMES.unlisted[0]),
    withdrawn: await speaker(MARKERS.withdrawn, NAMES.withdrawn[0]),
    renamed: await speaker(MARKERS.renamed, NAMES.renamed[0]),
  }
  await hide(targets.private, { visibility: 'private' })
  await hide(targets.unlisted, { visibility: 'unlisted' })
  // Private, and asked for by the name it had.
  await hide(targets.renamed, { visibility: 'private', username: NAMES.renamed[1] })
  const { headers } = targets.withdrawn
  const leaving = await client(app).send('DELETE', '/auth/account', { password: PASSWORD }, headers)
  expect(leaving.statusCode).toBe(200)

  const document = (await client(app).get('/docs/openapi.json')).json() as {
    paths: Record<string, { get?: { 'x-auth': string; parameters: readonly Parameter[] } }>
  }
  paths = Object.entries(document.paths).flatMap(([path, { get }]) =>
    get?.['x-auth'] === 'none' ? [{ path, parameters: get.parameters }] : [],
  )
})
afterAll(() => test.close())

/** What fills a name in a path so that it leads to a target; anything that is not about profiles gets something small. */
function valuesOf(name: string, path: string, target: Target): readonly string[] {
  const { username, profileId, did, pageId } = target
  switch (name) {
    case 'username':
    case 'slug':
      return [username]
    case 'prefix':
      return ['u']
    case 'did':
      return [encodeURIComponent(did)]
    case 'path':
      return ['page', username]
    case 'pageId':
      return [String(pageId)]
    case 'id':
      return path.includes('pages') ? [String(pageId)] : [String(profileId), String(pageId)]
    default:
      return ['1', '0', username]
  }
}

/** Values of a query that may bring a target to light, whatever the parameter means. */
function queriesOf({ name, schema }: Parameter, word: string, { username, profileId, did }: Target): readonly string[] {
  if (schema.enum) return [...schema.enum]
  if (name === 'did') return [did]
  if (name.endsWith('id')) return [String(profileId)]
  if (name === 'limit') return ['100', '50']
  if (name === 'cursor' || name === 'page') return []
  return [word, username]
}

/** Every URL by which an anonymous reader can reach a route about a target, plain ones first. */
function urlsOf({ path, parameters }: (typeof paths)[number], word: string, target: Target) {
  let bare: string[] = [path]
  for (const [found, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    bare = bare.flatMap((url) => valuesOf(name, path, target).map((value) => url.replace(found, value)))
  }
  const queries = parameters.filter(({ in: place }) => place === 'query')
  const pairs = (parameter: Parameter) =>
    queriesOf(parameter, word, target).map((value) => `${parameter.name}=${encodeURIComponent(value)}`)
  const needed = queries
    .filter(({ required }) => required)
    .map((parameter) => pairs(parameter)[0] ?? `${parameter.name}=1`)
  return {
    plain: bare.map((url) => [url, needed.join('&')].filter(Boolean).join('?')),
    narrowed: bare.flatMap((url) => queries.flatMap(pairs).map((query) => `${url}?${[...needed, query].join('&')}`)),
  }
}

const ACCEPTS = ['*/*', 'application/json', 'text/toon', 'text/html'] as const

/** Streams do not end by themselves; what they say is looked at where they are tested. */
const isStream = (path: string) => /stream|pulse|^\/ws/.test(path)

/** Whether a response contains what was not requested. */
function tells(response: { readonly body: string; readonly headers: object }, url: string, hidden: Hidden): boolean {
  const said = `${JSON.stringify(response.headers)}\n${response.body}`
  const word = MARKERS[hidden]
  // Headings, forms, and links to the next page or to the sign-in, repeat the question.
  const text = url.includes(`=${word}`)
    ? [`=${word}`, `%3D${word}`, `"${word}"`, `Search: ${word}`].reduce((rest, echo) => rest.replaceAll(echo, ''), said)
    : said
  return text.includes(word) || NAMES[hidden].some((name) => !url.includes(name) && text.includes(name))
}

/** Where a hidden profile came to light. */
async function findings(hidden: Hidden): Promise<readonly string[]> {
  const found: string[] = []
  const ask = async (url: string, accept: string) => {
    const response = await client(test.app).get(url, { accept })
    // The service has no embedder.
    const isDisabled = url.includes('mode=semantic') && response.body.includes('semantic search')
    if (!isDisabled) expect(response.statusCode, `GET ${url}`).toBeLessThan(500)
    if (tells(response, url, hidden)) found.push(`${url} (${accept}): ${response.statusCode}`)
  }
  for (const route of paths.filter(({ path }) => !isStream(path))) {
    const { plain, narrowed } = urlsOf(route, MARKERS[hidden], targets[hidden])
    for (const url of plain) for (const accept of ACCEPTS) await ask(url, accept)
    for (const url of narrowed) await ask(url, '*/*')
  }
  return found
}

describe('answers to anonymous readers', () => {
  it('include profiles, content, lists and manifests', () => {
    const known = paths.map(({ path }) => path)
    for (const path of [
      '/{prefix}/{username}',
      '/{prefix}/{username}/content/{path}',
      '/profiles/{prefix}/{username}',
      '/discover',
      '/resolve',
    ]) {
      expect(known).toContain(path)
    }
    expect(paths.length).toBeGreaterThan(30)
  })

  it('shows a public profile where it looks for the hidden ones', async () => {
    const { username, did, pageId } = targets.public
    for (const url of [
      `/u/${username}`,
      `/u/${username}/content/page`,
      `/u/${username}/changelog`,
      `/profiles/u/${username}`,
    ]) {
      expect((await client(test.app).get(url)).body, url).toContain('daylight')
    }
    expect((await client(test.app).get(`/resolve?did=${did}`)).body).toContain(username)
    expect((await client(test.app).get(`/content/pages/${pageId}/reactions`)).statusCode).toBe(200)
  })

  it.each(['private', 'withdrawn', 'renamed'] as const)('never shows a %s profile', async (hidden) => {
    expect(await findings(hidden)).toEqual([])
  })

  it('shows an unlisted profile at its own address and below it only', async () => {
    const { username, did, profileId, pageId } = targets.unlisted
    const own = [
      new RegExp(`^(/profiles|/feed|/trust)?/u/${username}([/?. ]|$)`),
      new RegExp(`^/(eep/\\w+|resolve|\\w+)[/?].*${encodeURIComponent(did)}`),
      new RegExp(`^/(profiles/${profileId}|content/pages/${pageId})/`),
    ]
    const elsewhere = (await findings('unlisted')).filter((url) => !own.some((place) => place.test(url)))
    expect(elsewhere).toEqual([])
    expect((await client(test.app).get(`/u/${username}`)).body).toContain(MARKERS.unlisted)
  })
})
