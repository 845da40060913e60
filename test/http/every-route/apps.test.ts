import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Headers } from '../../support/client.ts'
import { openEveryRoute } from '../../support/every-route.ts'
import { connect } from '../../support/oauth-server.ts'

/** The routes that need a session, or a proof of one, and that a connected app may call all the same, by the scope that it needs. */
const FOR_APPS: Readonly<Record<string, readonly string[]>> = {
  'read:profiles': [
    'GET /auth/me',
    'GET /dashboard/profiles',
    'GET /manage/limits',
    'GET /manage/profile',
    'GET /profiles/{id}/completion',
  ],
  'write:profiles': ['POST /profiles', 'PUT /manage/profile', 'PUT /profiles/{prefix}/{username}'],
  'read:content': [
    'GET /content/reactions/me',
    'GET /manage/categories',
    'GET /manage/categories/{id}',
    'GET /manage/default-categories',
    'GET /manage/pages',
    'GET /manage/pages/{id}',
    'GET /manage/pages/{id}/draft',
    'GET /manage/pages/{id}/versions',
    'GET /manage/pages/{id}/versions/{version}',
    'GET /manage/pages/{id}/versions/{version}/diff',
    'GET /manage/slug-preview',
  ],
  'write:content': [
    'DELETE /manage/categories/{id}',
    'DELETE /manage/pages/{id}',
    'DELETE /manage/pages/{id}/draft',
    'POST /content/pages/{pageId}/reactions',
    'POST /manage/categories',
    'POST /manage/pages',
    'POST /manage/pages/{id}/draft/publish',
    'POST /manage/pages/{id}/versions/{version}/restore',
    'POST /manage/reorder',
    'PUT /manage/categories/{id}',
    'PUT /manage/pages/{id}',
    'PUT /manage/pages/{id}/draft',
  ],
  'write:files': [
    'DELETE /manage/files/{id}',
    'PATCH /manage/files/{id}',
    'POST /convert',
    'POST /files',
    'POST /media',
  ],
}

/** The routes that API keys may call with their scopes, and no app, whatever its scopes. */
const NOT_FOR_APPS = [
  'DELETE /profiles/{id}/team/invites/{inviteId}',
  'DELETE /profiles/{id}/team/{memberId}',
  'DELETE /workspaces/{id}/invites/{inviteId}',
  'DELETE /workspaces/{id}/members/{memberId}',
  'GET /profiles/{id}/team',
]

let fixture: Awaited<ReturnType<typeof openEveryRoute>>
type Operation = (typeof fixture.operations)[number][2]
interface Route {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly operation: Operation
  /** The scope that an app needs by the document. */
  readonly scope: string | undefined
}
let routes: readonly Route[]
let grantable: readonly string[]
const headersOf = new Map<string, Headers>()

beforeAll(async () => {
  fixture = await openEveryRoute()
  const scopeIn = ({ security }: Operation) =>
    (security as readonly { readonly oauth2?: readonly string[] }[]).find(({ oauth2 }) => oauth2)?.oauth2?.[0]
  routes = fixture.operations.map(([method, path, operation]) => ({
    name: `${method} ${path}`,
    method,
    path,
    operation,
    scope: scopeIn(operation),
  }))
  const metadata = await fixture.shop.get('/.well-known/oauth-authorization-server')
  grantable = metadata.json<{ scopes_supported: string[] }>().scopes_supported
  for (const scope of grantable) headersOf.set(scope, await tokenWith([scope]))
  headersOf.set('all', await tokenWith(grantable))
})
afterAll(() => fixture.close())

async function tokenWith(scopes: readonly string[]): Promise<Headers> {
  const { access_token: token } = await connect(fixture, fixture.shop, { scopes })
  return { authorization: `Bearer ${token}` }
}

async function codeOn({ method, path, name }: Route, headers: Headers): Promise<string> {
  const response = await fixture.send(method, fixture.goodPath(path), fixture.goodBody(name), { ...headers })
  const isJson = response.headers['content-type']?.toString().includes('json')
  return `${response.statusCode} ${(isJson && response.json().error?.code) || ''}`.trim()
}

const isProtected = ({ operation }: Route) => operation['x-auth'] !== 'none'

describe('connected apps and every route', () => {
  it('can call the routes of sessions that are listed here, and no other ones', () => {
    const listed = routes.filter(({ operation, scope }) => scope !== undefined && operation['x-scope'] === undefined)
    const byScope = Object.groupBy(listed, ({ scope }) => scope ?? '')
    const named = Object.fromEntries(
      Object.entries(byScope).map(([scope, each]) => [scope, (each ?? []).map(({ name }) => name).toSorted()]),
    )
    expect(named).toEqual(FOR_APPS)
  })

  it('can call the routes of API keys with their scope, except those of teams, of members and of scopes that apps never get', () => {
    const closed = routes.filter(
      ({ operation, scope }) =>
        scope === undefined && operation['x-auth'] === 'key' && grantable.includes(operation['x-scope'] ?? ''),
    )
    expect(closed.map(({ name }) => name).toSorted()).toEqual(NOT_FOR_APPS)
  })

  it('are refused everywhere else, with every scope that a person can allow', async () => {
    const headers = headersOf.get('all') ?? {}
    const open: string[] = []
    for (const route of routes.filter((each) => isProtected(each) && each.scope === undefined)) {
      const code = await codeOn(route, headers)
      // Scopes that only API keys have are missing.
      if (!/^403 (forbidden|session_required|insufficient_scope)$|^404/.test(code)) open.push(`${route.name}: ${code}`)
    }
    expect(open).toEqual([])
  })

  it('are refused at each route with every single scope but its own', async () => {
    const open: string[] = []
    for (const route of routes.filter((each) => isProtected(each) && each.scope !== undefined)) {
      for (const scope of grantable.filter((each) => each !== route.scope)) {
        // An app that may pay may read what was paid for.
        if (scope === 'spend:payments' && route.scope === 'read:content') continue
        const code = await codeOn(route, headersOf.get(scope) ?? {})
        if (code !== '403 insufficient_scope') open.push(`${route.name} with ${scope}: ${code}`)
      }
    }
    expect(open).toEqual([])
  }, 120_000)

  it('are let through at each route with its own scope alone', async () => {
    const closed: string[] = []
    for (const route of routes.filter((each) => isProtected(each) && each.scope !== undefined)) {
      const code = await codeOn(route, headersOf.get(route.scope ?? '') ?? {})
      if (/^401|^403 (insufficient_scope|forbidden|session_required)|^5/.test(code))
        closed.push(`${route.name}: ${code}`)
    }
    expect(closed).toEqual([])
  })
})
