import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { login, PASSWORD } from '../../support/accounts.ts'
import { newKey } from '../../support/api-keys.ts'
import { client, type Headers } from '../../support/client.ts'
import { openEveryRoute } from '../../support/every-route.ts'

/** What needs a proof of the person within the last ten minutes. Below `/admin` everything that changes something does. */
const ALWAYS = [
  'DELETE /auth/identities/{id}',
  'DELETE /auth/siwe/wallets/{id}',
  'DELETE /manage/payouts/{id}',
  'DELETE /profiles/{prefix}/{username}',
  'POST /api-keys',
  'POST /api-keys/{id}/regenerate',
  'POST /auth/second-factor',
  'POST /eep/payment/receipts/{receiptId}/refund',
  'POST /eep/subscribe',
  'POST /eep/subscriptions/{id}/rotate-secret',
  'POST /export',
  'POST /manage/payouts',
  'POST /profiles/{id}/transfers',
  'POST /transfers/{id}/accept',
]
/**
 * What needs it only when an account gets or loses the role of an admin in a team, when an app may do more than before, or when the request
 * brings no proof itself.
 */
const SOMETIMES = [
  'DELETE /profiles/{id}/team/{memberId}',
  'POST /auth/email',
  'POST /auth/second-factor/confirm',
  'POST /profiles/{id}/team/invites',
  'PUT /account/apps/{id}',
  'PUT /profiles/{id}/team/{memberId}',
]
/** What API keys do within their scopes. */
const BY_KEY = [
  'POST /api-keys',
  'POST /api-keys/{id}/regenerate',
  'POST /eep/subscribe',
  'POST /eep/subscriptions/{id}/rotate-secret',
]

let now = new Date()
let fixture: Awaited<ReturnType<typeof openEveryRoute>>
type Route = readonly [method: string, path: string, operation: (typeof fixture.operations)[number][2]]
let routes: readonly Route[]

beforeAll(async () => {
  fixture = await openEveryRoute({ clock: () => now })
  routes = fixture.operations.filter(([, , operation]) => operation['x-recent-proof'] === true)
})
afterAll(() => fixture.close())

const nameOf = ([method, path]: Route) => `${method} ${path}`
const isAdmin = ([, path]: Route) => path.startsWith('/admin/')

/** New sessions of the owner and of the administrator, which get older than the proof of the sign-in. */
async function sessions() {
  const tokenOf = async (email: string) => (await login(fixture.app, email)).json<{ token: string }>().token
  const owner = await tokenOf('inspected@example.com')
  const chief = await tokenOf('chief@example.com')
  now = new Date(now.getTime() + 600_001)
  return (route: Route) => (isAdmin(route) ? chief : owner)
}

const asBearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })
const asCookie = (token: string): Headers => ({
  cookie: `__Host-eep_session=${token}`,
  origin: 'https://profiles.example',
})

async function codeOn(route: Route, headers: Headers): Promise<string> {
  const [method, path] = route
  const url = fixture.goodPath(path)
  const response = await fixture.send(method, url, fixture.goodBody(nameOf(route)), { ...headers })
  const isJson = response.headers['content-type']?.toString().includes('json')
  return `${response.statusCode} ${(isJson && response.json().error?.code) || ''}`.trim()
}

/** The routes whose answer is another one than it should be. */
async function unlike(
  of: readonly Route[],
  answer: (route: Route) => Promise<string>,
  wanted: (code: string) => boolean,
) {
  const found: string[] = []
  for (const route of of) {
    const code = await answer(route)
    if (!wanted(code)) found.push(`${nameOf(route)}: ${code}`)
  }
  return found
}

const isRefused = (code: string) => code === '403 recent_sign_in_required'

describe('a proof of the person', () => {
  it('is required by the routes that give or take access or money, and by no others', () => {
    expect(
      routes
        .filter((route) => !isAdmin(route))
        .map(nameOf)
        .sort(),
    ).toEqual(ALWAYS)
    const sometimes = fixture.operations.filter(([, , operation]) => operation['x-recent-proof'] === 'sometimes')
    expect(sometimes.map(nameOf).sort()).toEqual(SOMETIMES)
  })

  it('is required by everything below /admin that changes something', () => {
    const changing = fixture.operations.filter((route) => isAdmin(route) && !['GET', 'HEAD'].includes(route[0]))
    expect(changing.length).toBeGreaterThan(5)
    expect(changing.filter(([, , operation]) => operation['x-recent-proof'] === undefined)).toEqual([])
  })

  it.each([
    ['a bearer token', asBearer],
    ['a cookie', asCookie],
  ])('is asked of a session that is older, by %s, before anything else', async (_carrier, headers) => {
    const tokenFor = await sessions()
    expect(await unlike(routes, (route) => codeOn(route, headers(tokenFor(route))), isRefused)).toEqual([])
  })

  it('lets the session through for ten minutes, and not longer', async () => {
    const tokenFor = await sessions()
    for (const route of routes) {
      const headers = asBearer(tokenFor(route))
      const proved = await client(fixture.app).post('/auth/prove', { password: PASSWORD }, headers)
      expect(proved.statusCode, proved.body).toBe(200)
      expect(proved.json().proved_until).toBe(new Date(now.getTime() + 600_000).toISOString())
    }
    // The other carrier of the same session.
    expect(
      await unlike(
        routes,
        (route) => codeOn(route, asCookie(tokenFor(route))),
        (code) => !isRefused(code) && !code.startsWith('401') && !code.endsWith('forbidden'),
      ),
    ).toEqual([])
    now = new Date(now.getTime() + 600_001)
    expect(await unlike(routes, (route) => codeOn(route, asBearer(tokenFor(route))), isRefused)).toEqual([])
  })

  it('is not asked of API keys: they do it within their scopes, or never', async () => {
    const scopes = new Set(routes.flatMap(([, , operation]) => operation['x-scope'] ?? []))
    const { token } = (await login(fixture.app, 'inspected@example.com')).json<{ token: string }>()
    const key = await newKey(fixture.app, asBearer(token), { scopes: [...scopes] })
    now = new Date(now.getTime() + 86_400_000)
    const byKey = routes.filter(([, , operation]) => operation['x-auth'] === 'key')
    expect(byKey.map(nameOf).sort()).toEqual(BY_KEY)
    const answer = (route: Route) => codeOn(route, key.headers)
    const others = routes.filter((route) => !byKey.includes(route))
    expect(await unlike(others, answer, (code) => code === '403 forbidden')).toEqual([])
    expect(await unlike(byKey, answer, (code) => !isRefused(code) && code !== '403 forbidden')).toEqual([])
  })
})
