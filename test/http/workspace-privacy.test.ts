import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, type Person, signUp } from '../support/accounts.ts'
import { client, type Headers } from '../support/client.ts'
import { createCashApp, openShop } from '../support/shop.ts'
import { newWorkspace, newWorkspaceMember, type OwnedWorkspace } from '../support/workspaces.ts'

const SECRET = 'xylograph'
const FORMATS = [
  'application/json',
  'text/markdown',
  'text/html',
  'text/toon',
  'application/feed+json',
  'application/atom+xml',
  'application/xml',
  'text/plain',
]

let test: Awaited<ReturnType<typeof createCashApp>>
let owner: Person
let other: Person
let workspace: OwnedWorkspace
let documentId: string
let names: Readonly<Record<string, string>>

beforeAll(async () => {
  test = await createCashApp({ withSearch: true })
  const shop = await openShop(test.app, 'ada')
  owner = { ...(await signUp(test.app)), ...client(test.app).with(shop.headers), headers: shop.headers }
  other = await signUp(test.app)
  const secret = { name: `The ${SECRET}`, slug: SECRET, description: `About the ${SECRET}` }
  workspace = await newWorkspace(test.app, owner, secret)
  const document = { title: `A ${SECRET}`, body: `The ${SECRET} is here.` }
  documentId = (await owner.post(`${workspace.path}/documents`, document)).json().id
  await owner.post(`${workspace.path}/documents/${documentId}/comments`, { body: `Which ${SECRET}?` })
  const { data } = (await owner.get(`/manage/pages?profile_id=${shop.profileId}`)).json()
  names = {
    prefix: 'u',
    suffix: 'json',
    username: 'ada',
    slug: 'ada',
    did: encodeURIComponent(shop.did),
    id: String(shop.profileId),
    pageId: String(data[0].id),
    path: 'welcome',
    code: 'workspace_not_found',
    docId: documentId,
  }
})
afterAll(() => test.close())

/** The public GET routes of the description of the interface, with names of things that exist. */
async function publicUrls(): Promise<readonly string[]> {
  const { paths } = (await client(test.app).get('/docs/openapi.json')).json()
  const described = Object.entries<Record<string, Record<string, unknown>>>(paths)
    .filter(([, { get }]) => get?.['x-auth'] === 'none')
    // An open stream has no end.
    .filter(([path]) => !/stream|pulse|\/ws\//.test(path))
    .map(([path]) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? 'nothing'))
  const queries = [SECRET, workspace.id, documentId].flatMap((q) => [
    `/search?q=${q}&consistency=strong`,
    `/search/suggest?q=${q}`,
    `/feed?q=${q}`,
  ])
  const files = ['/sitemap.xml', '/robots.txt', '/llms.txt', '/llms-full.txt', '/u/ada/llms.txt', '/u/ada/content']
  return [...described, ...queries, ...files]
}

describe('a workspace', () => {
  it('appears on no public surface, in any format, for anyone who is not a member', async () => {
    const urls = await publicUrls()
    expect(urls.length).toBeGreaterThan(60)
    const found: string[] = []
    let answered = 0
    const read = async (url: string, accept: string, headers: Headers) => {
      const answer = await client(test.app).get(url, { ...headers, accept })
      if (answer.statusCode === 200) answered += 1
      // A query may be repeated in the answer; stored texts must not be there.
      const shown = answer.body.replaceAll(`q=${SECRET}`, '')
      const isSearch = url.includes(`q=`)
      const leaks = isSearch
        ? [`The ${SECRET}`, `A ${SECRET}`, `About the`, workspace.path]
        : [SECRET, workspace.id, documentId]
      if (leaks.some((text) => shown.includes(text))) found.push(`${url} as ${accept}: ${answer.statusCode}`)
      return answer
    }
    for (const url of urls) {
      const anonymous = await read(url, '*/*', {})
      await read(url, '*/*', other.headers)
      // Answers without formats do not vary by them.
      if (!String(anonymous.headers.vary).includes('Accept')) continue
      for (const accept of FORMATS) await read(url, accept, {})
      for (const accept of FORMATS.slice(0, 3)) await read(url, accept, other.headers)
    }
    expect(found).toEqual([])
    expect(answered).toBeGreaterThan(200)
  })

  it('is not in the public search of its owner', async () => {
    const { data } = (await owner.get(`/search?q=${SECRET}&consistency=strong&gated=mine&format=json`)).json()
    expect(data).toEqual([])
  })
})

describe('GET /workspaces/{id}/search', () => {
  const search = async (by: Person, q: string, { path }: OwnedWorkspace = workspace) =>
    by.get(`${path}/search?q=${encodeURIComponent(q)}&consistency=strong`)
  const titles = async (by: Person, q: string, of?: OwnedWorkspace) =>
    (await search(by, q, of)).json().data.map(({ document }: { document: { title: string } }) => document.title)

  it('finds documents of the workspace for its members only', async () => {
    const found = (await search(owner, SECRET)).json()
    expect(found).toMatchObject({ pagination: { total: 1, has_more: false }, mode: 'keyword' })
    expect(found.data).toEqual([
      {
        document: expect.objectContaining({ id: documentId, title: `A ${SECRET}`, workspace_id: workspace.id }),
        score: expect.any(Number),
        title: { text: `A ${SECRET}`, ranges: [[2, 2 + SECRET.length]] },
        snippet: expect.objectContaining({ text: expect.stringContaining(SECRET) }),
        matched: ['keyword'],
      },
    ])
    const reader = await newWorkspaceMember(test.app, workspace, 'reader')
    expect(await titles(reader, SECRET)).toEqual([`A ${SECRET}`])
    const refused = await search(other, SECRET)
    expect([refused.statusCode, codeOf(refused)]).toEqual([404, 'workspace_not_found'])
    const elsewhere = await newWorkspace(test.app, owner)
    expect(await titles(owner, SECRET, elsewhere)).toEqual([])
  })

  it('follows changes and deletions of documents, also of those below', async () => {
    const place = await newWorkspace(test.app, owner)
    const make = async (fields: object) =>
      (await owner.post(`${place.path}/documents`, { title: 'Dynamo', ...fields })).json().id as string
    const top = await make({ title: 'Turbine' })
    await make({ parent_id: top })
    expect(await titles(owner, 'dynamo', place)).toEqual(['Dynamo'])
    await owner.put(`${place.path}/documents/${top}`, { title: 'Dynamo and more' })
    expect((await titles(owner, 'dynamo', place)).toSorted()).toEqual(['Dynamo', 'Dynamo and more'])
    await owner.delete(`${place.path}/documents/${top}?cascade=true`)
    expect((await search(owner, 'dynamo', place)).json().pagination.total).toBe(0)
  })

  it('rejects empty queries and operators of public search', async () => {
    for (const q of ['', 'type:page engine', 'author:u/ada engine']) {
      expect((await search(owner, q)).statusCode, q).toBe(400)
    }
  })
})
