import type { HTTPMethods } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { login, signUp } from '../../support/accounts.ts'
import { newExpiredKey, newKey } from '../../support/api-keys.ts'
import { client } from '../../support/client.ts'
import { openEveryRoute } from '../../support/every-route.ts'
import { newMember, newOrganization } from '../../support/teams.ts'
import { newWorkspaceMember } from '../../support/workspaces.ts'

/** A route in the OpenAPI document. */
interface Route {
  readonly method: HTTPMethods
  readonly path: string
  readonly auth: 'none' | 'bearer' | 'key' | 'admin'
  readonly scope: string | undefined
}

type Headers = Record<string, string>

/** What authorization makes of a request: who is turned away by it, and how; everybody else is let through. */
type Verdict = 'unknown' | 'not by key' | 'scope missing' | 'not an administrator' | 'let through'

const WHO = [
  'an anonymous caller',
  'another account',
  'another account by cookie',
  'the owner',
  'an administrator',
  'a key with the scope',
  'a key without it',
  'a key of another account',
  'a revoked key',
  'an expired key',
  'an invented key',
  'a forged session',
] as const
type Who = (typeof WHO)[number]

const isKey = (who: Who) => who.startsWith('a key')
const isUnknown = (who: Who) =>
  ['an anonymous caller', 'a revoked key', 'an expired key', 'an invented key', 'a forged session'].includes(who)

/** The whole rule, from nothing but what the route declares. */
function expected(who: Who, { auth, scope }: Route): Verdict {
  if (auth === 'none') return 'let through'
  if (isUnknown(who)) return 'unknown'
  if (isKey(who)) {
    if (auth !== 'key') return 'not by key'
    return who === 'a key without it' && scope ? 'scope missing' : 'let through'
  }
  return auth === 'admin' && who !== 'an administrator' ? 'not an administrator' : 'let through'
}

let fixture: Awaited<ReturnType<typeof openEveryRoute>>
let routes: readonly Route[]
let real: Readonly<Record<string, string>>
let headersOf: (who: Who, route: Route) => Headers

beforeAll(async () => {
  fixture = await openEveryRoute()
  const { app, shop, ids } = fixture
  // The server for assistants has its own callers: `http/mcp/transport.test.ts`.
  const operations = fixture.operations.filter(([, path]) => !/^\/mcp(\/account)?$/.test(path))
  routes = operations.map(([method, path, operation]) => ({
    method: method as HTTPMethods,
    path,
    auth: operation['x-auth'] as Route['auth'],
    scope: operation['x-scope'],
  }))

  const { headers } = shop
  const [other, admin] = [{ headers: fixture.otherUser }, { headers: fixture.admin }]

  const every = [...new Set(routes.flatMap(({ scope }) => scope ?? []))]
  // The scope that a key without the one in question has instead.
  const spare = (scope: string | undefined) => every.filter((each) => each !== scope)
  const keys = new Map<string, { readonly with: Headers; readonly without: Headers; readonly foreign: Headers }>()
  for (const scope of [undefined, ...every]) {
    const own = scope ? { scopes: [scope] } : {}
    keys.set(String(scope), {
      with: (await newKey(app, headers, own)).headers,
      without: (await newKey(app, headers, { scopes: spare(scope) })).headers,
      foreign: (await newKey(app, other.headers, own)).headers,
    })
  }
  const revoked = await newKey(app, headers, { scopes: every })
  await client(app).delete(`/api-keys/${revoked.id}`, headers)
  const expired = await newExpiredKey(app, headers, { scopes: every })

  // Logging out ends its session, so each request uses a new one.
  const signedInAgain = new Map<Headers, Headers>()
  for (const { headers: first } of [other, admin, shop]) {
    const { email } = (await client(app).get('/auth/me', first)).json()
    const { token } = (await login(app, email)).json()
    signedInAgain.set(first, { authorization: `Bearer ${token}` })
  }
  // A separate account: the others end all their sessions but one.
  const byCookie = await signUp(app, 'cora')
  const asCookie = (token: string) => ({ cookie: `__Host-eep_session=${token}` })
  const cookie = asCookie(byCookie.token)
  signedInAgain.set(cookie, asCookie((await login(app, byCookie.account.email)).json().token))

  headersOf = (who, { path, scope }) => {
    const ofScope = keys.get(String(scope))
    const known: Record<Who, Headers | undefined> = {
      'an anonymous caller': {},
      'another account': other.headers,
      'the owner': headers,
      'another account by cookie': cookie,
      'an administrator': admin.headers,
      'a key with the scope': ofScope?.with,
      'a key without it': ofScope?.without,
      'a key of another account': ofScope?.foreign,
      'a revoked key': revoked.headers,
      'an expired key': expired.headers,
      'an invented key': { 'x-api-key': 'eep_nothing' },
      'a forged session': { authorization: 'Bearer x.y.z' },
    }
    const one = known[who] ?? {}
    return (path === '/auth/logout' && signedInAgain.get(one)) || one
  }

  const target = await newKey(app, headers)
  const owner = shop
  const team = `/profiles/${shop.profileId}/team`
  const member = await newMember(app, { owner, id: shop.profileId, team }, 'viewer')
  const invitation = await owner.post(`${team}/invites`, { email: 'guest@example.com', role: 'viewer' })
  const { id: givenId } = await newOrganization(app, owner)
  const { account: recipient } = await signUp(app, 'dora')
  const offer = { recipient_username: recipient.username }
  const transfer = await owner.post(`/profiles/${givenId}/transfers`, offer)
  const workspace = { owner, id: ids.workspaceId, path: `/workspaces/${ids.workspaceId}` }
  const colleague = await newWorkspaceMember(app, workspace, 'reader')
  const invite = await owner.post(`${workspace.path}/invites`, { email: 'guest@example.com', role: 'reader' })
  const documentUrl = `${workspace.path}/documents/${ids.documentId}`
  await owner.put(`/manage/pages/${ids.pageId}/draft`, { body: 'A draft' })
  const comment = (await owner.post(`${documentUrl}/comments`, { body: 'A comment' })).json()
  real = {
    '/api-keys/{id}': String(target.id),
    '/profiles/{id}': String(shop.profileId),
    '/workspaces/{id}': workspace.id,
    '/workspaces/{id}/members/{memberId}': colleague.account.id,
    '/workspaces/{id}/invites/{inviteId}': String(invite.json().id),
    docId: ids.documentId,
    commentId: String(comment.id),
    '/transfers/{id}': String(transfer.json().id),
    memberId: member.account.id,
    inviteId: String(invitation.json().id),
    '/manage/pages/{id}': String(ids.pageId),
    '/manage/categories/{id}': String(ids.categoryId),
    '/files/{id}': String(ids.fileId),
    '/manage/files/{id}': String(ids.fileId),
    fileId: String(ids.fileId),
    slug: 'inspected',
    did: encodeURIComponent(shop.did),
    prefix: 'u',
    username: 'inspected',
    version: '1',
    path: 'welcome',
  }
})
afterAll(() => fixture.close())

/** What some routes cannot be asked without. */
const QUERIES: Readonly<Record<string, string>> = {
  '/eep/gates/{did}/explain': '?resource=content.welcome',
  '/workspaces/{id}/search': '?q=document',
}

const UNKNOWN: Readonly<Record<string, string>> = { id: '999999999', suffix: 'json' }

/** The path with ids that the owner has, or with unknown ids. */
const urlOf = (path: string, names: Readonly<Record<string, string>>) =>
  path.replaceAll(/\{(\w+)\}/g, (found, name: string, at: number) => {
    const place = path.slice(0, at) + found
    return names[place] ?? names[name] ?? UNKNOWN[name] ?? 'nothing'
  }) + (QUERIES[path] ?? '')

const send = (route: Route, who: Who, url: string) =>
  fixture.app.inject({
    method: route.method as 'GET',
    url,
    headers: headersOf(who, route),
    // Authorization runs before a body is read, so an invalid body suffices and changes nothing.
    ...(['POST', 'PUT', 'PATCH'].includes(route.method) ? { payload: {} } : {}),
  })

/** The refusals of authorization: their status, and what it found. */
const REFUSALS: Readonly<Record<string, readonly [number, Verdict]>> = {
  unauthenticated: [401, 'unknown'],
  invalid_api_key: [401, 'unknown'],
  invalid_token: [401, 'unknown'],
  insufficient_scope: [403, 'scope missing'],
}

async function verdictOn(route: Route, who: Who): Promise<Verdict | string> {
  // An authorized request must not delete the records that the others are refused.
  const changes = route.method !== 'GET' && expected(who, route) === 'let through'
  const response = await send(route, who, urlOf(route.path, changes ? {} : real))
  if (response.statusCode >= 500 && response.statusCode !== 503 && response.statusCode !== 501) {
    return `${response.statusCode} ${response.body}`
  }
  const { error } = response.headers['content-type']?.toString().includes('json') ? response.json() : {}
  const [status, verdict] = refusalOf(error?.code, who)
  if (verdict === 'let through') return verdict
  const isWhole = response.statusCode === status && 'x-ratelimit-remaining' in response.headers && error.message
  return isWhole ? verdict : `${response.statusCode} ${response.body} ${JSON.stringify(response.headers)}`
}

function refusalOf(code: string | undefined, who: Who): readonly [number, Verdict] {
  if (code === 'forbidden') return [403, isKey(who) ? 'not by key' : 'not an administrator']
  return REFUSALS[code ?? ''] ?? [200, 'let through']
}

describe.each(WHO)('%s', (who) => {
  it('is permitted exactly the routes that declare it', async () => {
    const wrong: string[] = []
    for (const route of routes) {
      const verdict = await verdictOn(route, who)
      const wanted = expected(who, route)
      if (verdict !== wanted) wrong.push(`${route.method} ${route.path}: ${verdict}, expected ${wanted}`)
    }
    expect(wrong).toEqual([])
  })
})

describe('a resource of an owner', () => {
  // Anyone may follow anyone. The permission is about the acting profile.
  const isForOthers = (path: string) => path.startsWith('/connections/')
  const owned = () =>
    routes
      .filter(({ path, auth }) => auth !== 'none' && path.includes('{') && urlOf(path, real) !== urlOf(path, {}))
      .filter(({ path }) => !isForOthers(path))

  it('is found by the owner', async () => {
    const reads = owned().filter(({ method }) => method === 'GET')
    for (const route of reads) {
      const { statusCode } = await send(route, 'the owner', urlOf(route.path, real))
      expect([200, 304], `${route.method} ${route.path}`).toContain(statusCode)
    }
  })

  it.each(['another account', 'an administrator', 'a key of another account'] as const)(
    'never answers %s with success',
    async (who) => {
      const open: string[] = []
      for (const route of owned()) {
        const { statusCode } = await send(route, who, urlOf(route.path, real))
        if (statusCode < 400) open.push(`${route.method} ${route.path}: ${statusCode}`)
      }
      expect(open).toEqual([])
      expect(owned().length).toBeGreaterThan(5)
    },
  )
})

describe('the OpenAPI document', () => {
  it('declares the permitted callers of every route, and a scope for those that accept keys', () => {
    const known = ['none', 'bearer', 'key', 'admin']
    expect(routes.filter(({ auth }) => !known.includes(auth))).toEqual([])
    // Every key may learn whose it is.
    const free = routes.filter(({ auth, scope }) => auth === 'key' && !scope).map(({ path }) => path)
    expect(free).toEqual(['/auth/me'])
  })

  it('lets no key delete an account, change a password or use administration', () => {
    const closed = routes.filter(
      ({ auth, path, method }) => auth === 'admin' || path.includes('password') || (path === '/auth/account' && method),
    )
    expect(closed.filter(({ auth }) => auth === 'key')).toEqual([])
  })
})
