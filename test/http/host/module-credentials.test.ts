import { type Authenticator, callerOf, defineError, defineModule, routeConfig } from '@eep/core/module'
import { cashRail } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { PASSWORD, signUp } from '../../support/accounts.ts'
import { createTestApp, PUBLIC_URL } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { openSocket } from '../../support/sockets.ts'

const badgeRefused = defineError('badges_refused', 401, 'This badge is not valid any more')
const AGENT = 'did:web:agents.example:scout'

/** What badges say: `account:ID`, `reader:ID` with two scopes, `keys:ID` with those of API keys, `agent`, `both:ID`, `refused`; others are not of the module. */
async function authenticate(badge: string): ReturnType<Authenticator['authenticate']> {
  const [kind, id = ''] = badge.split(':')
  if (kind === 'account') return { accountId: id }
  if (kind === 'reader') return { accountId: id, scopes: ['read:profiles', 'write:badges'] }
  if (kind === 'keys') return { accountId: id, scopes: ['manage:keys', 'read:profiles'] }
  if (kind === 'agent') return { agentDid: AGENT }
  if (kind === 'both') return { accountId: id, agentDid: AGENT }
  if (kind === 'refused') throw badgeRefused()
  return undefined
}

const config = routeConfig({
  auth: 'key',
  scope: 'write:badges',
  agents: true,
  tag: 'badges',
  summary: 'Use a badge',
  operationId: 'useBadge',
})
let uses = 0
const badges = defineModule({
  name: 'badges',
  scopes: ['write:badges'],
  authenticate: () => ({ carrier: { header: 'X-Badge' }, authenticate }),
  routes: (app) =>
    void app.post(
      '/badges',
      { config, schema: { body: z.strictObject({ text: z.string() }), response: { 200: z.looseObject({}) } } },
      async (request) => ({
        account: request.eep.caller?.account.id ?? null,
        isAdmin: request.eep.caller?.isAdmin ?? null,
        agent: request.eep.agent ?? null,
        use: ++uses,
      }),
    ),
})
const tickets = defineModule({
  name: 'tickets',
  authenticate: () => ({ carrier: { scheme: 'Ticket' }, authenticate }),
})
const stamps = defineModule({
  name: 'stamps',
  authenticate: () => ({ carrier: { cookie: 'shop_stamp' }, authenticate }),
})

let test: Awaited<ReturnType<typeof createTestApp>>
let ada: Awaited<ReturnType<typeof signUp>>
let eve: Awaited<ReturnType<typeof signUp>>
beforeAll(async () => {
  test = await createTestApp({ modules: [badges, tickets, stamps], payments: { rails: [cashRail()] } }, {}, (app) => {
    app.get(
      '/host',
      { preHandler: app.eep.requireScope('read:profiles') },
      async (request) => callerOf(request).account.username,
    )
  })
  ada = await signUp(test.app)
  eve = await signUp(test.app)
})
afterAll(() => test.close())

const { get, post, put } = client(() => test.app)
const use = (headers: Record<string, string>) => post('/badges', { text: 'x' }, headers)
const me = (headers: Record<string, string>) => get('/auth/me', headers)

describe('a credential of a module', () => {
  it.each([
    ['in a header', (badge: string) => ({ 'x-badge': badge })],
    ['after a scheme', (badge: string) => ({ authorization: `ticket ${badge}` })],
    ['in a cookie', (badge: string) => ({ cookie: `a=b; shop_stamp=${badge}`, origin: PUBLIC_URL })],
  ])('signs an account in %s', async (_where, headersOf) => {
    const used = await use(headersOf(`account:${ada.account.id}`))
    expect([used.statusCode, used.json()]).toMatchObject([
      200,
      { account: ada.account.id, isAdmin: false, agent: null },
    ])
    expect((await me(headersOf(`account:${ada.account.id}`))).json()).toMatchObject({ username: ada.account.username })
  })

  it('signs an account in at the routes of the host', async () => {
    const response = await get('/host', { 'x-badge': `account:${ada.account.id}` })
    expect([response.statusCode, response.body]).toEqual([200, ada.account.username])
  })

  it('proves an agent, with and without an account', async () => {
    const proven = { did: AGENT, verified: true }
    const alone = await use({ 'x-badge': 'agent', 'eep-agent-did': 'did:web:agents.example:other' })
    expect([alone.statusCode, alone.json()]).toMatchObject([200, { account: null, agent: proven }])
    expect(alone.headers['x-eep-trust-state']).toBe('cold_start')
    const both = await use({ 'x-badge': `both:${ada.account.id}` })
    expect(both.json()).toMatchObject({ account: ada.account.id, agent: proven })
  })

  it('does not replace the signature of an agent', async () => {
    const response = await use({
      'x-badge': 'agent',
      'eep-agent-did': AGENT,
      'eep-signature': 'AAAA',
      'eep-nonce': 'n',
    })
    expect([response.statusCode, response.json().error.code]).toEqual([401, 'invalid_signature'])
  })

  it('never makes an administrator, not even of an account that is one', async () => {
    await test.storage.transaction((tx) => tx.accounts.save(eve.account.id, { isAdmin: true }))
    expect((await get('/admin/users', eve.headers)).statusCode).toBe(200)
    const headers = { 'x-badge': `account:${eve.account.id}` }
    expect((await get('/admin/users', headers)).statusCode).toBe(403)
    expect((await me(headers)).json()).toMatchObject({ isAdmin: false })
  })

  it('can do only what its scopes name', async () => {
    const headers = { 'x-badge': `reader:${ada.account.id}` }
    expect((await use(headers)).statusCode).toBe(200)
    const visibility = `/profiles/${ada.account.active_profile_id}/visibility`
    expect((await get(visibility, headers)).statusCode).toBe(200)
    const created = await put(visibility, { visibility: 'private' }, headers)
    expect([created.statusCode, created.json().error.code]).toEqual([403, 'insufficient_scope'])
    const keys = await post('/api-keys', { name: 'all', scopes: ['write:content'] }, headers)
    expect([keys.statusCode, keys.json().error.code]).toEqual([403, 'insufficient_scope'])
    const session = await get('/auth/second-factor', headers)
    expect([session.statusCode, session.json().error.code]).toEqual([403, 'forbidden'])
    // A session of the account may.
    expect((await get('/auth/second-factor', { 'x-badge': `account:${ada.account.id}` })).statusCode).toBe(200)
  })

  it('makes and replaces no API key when it has scopes, because the key would outlast it', async () => {
    const headers = { 'x-badge': `keys:${ada.account.id}` }
    const wanted = { name: 'kept', scopes: ['read:profiles'] }
    const made = await post('/api-keys', wanted, { 'x-badge': `account:${ada.account.id}` })
    expect(made.statusCode, made.body).toBe(201)
    for (const refused of [
      await post('/api-keys', wanted, headers),
      await post(`/api-keys/${made.json().id}/regenerate`, undefined, headers),
    ]) {
      expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'session_required'])
    }
    expect((await get('/api-keys', headers)).json().data).toMatchObject([{ id: made.json().id }])
  })

  it('is refused with the error of the module, and nothing else of the request is tried', async () => {
    const refused = await use({ 'x-badge': 'refused', ...ada.headers })
    expect([refused.statusCode, refused.json().error.code]).toEqual([401, 'badges_refused'])
    // Public routes answer as for anonymous requests.
    expect((await get('/docs/openapi.json', { 'x-badge': 'refused' })).statusCode).toBe(200)
  })

  it('lets other credentials of the request be tried when the module does not know it', async () => {
    const used = await use({ 'x-badge': 'unknown', ...ada.headers })
    expect(used.json()).toMatchObject({ account: ada.account.id })
    const second = await use({ 'x-badge': 'unknown', authorization: `Ticket account:${eve.account.id}` })
    expect(second.json()).toMatchObject({ account: eve.account.id })
    expect((await use({ 'x-badge': 'unknown' })).statusCode).toBe(401)
  })

  it('is refused for an account that is banned or does not exist', async () => {
    const mallory = await signUp(test.app)
    await test.storage.transaction((tx) => tx.accounts.save(mallory.account.id, { bannedAt: new Date() }))
    expect((await use({ 'x-badge': `account:${mallory.account.id}` })).statusCode).toBe(401)
    expect((await use({ 'x-badge': 'account:00000000-0000-4000-8000-000000000000' })).statusCode).toBe(401)
    expect((await use({ 'x-badge': 'account:nobody' })).statusCode).toBe(401)
  })

  it('in a cookie is refused from pages of other sites', async () => {
    const cookie = `shop_stamp=account:${ada.account.id}`
    const foreign = await use({ cookie, origin: 'https://evil.example' })
    expect([foreign.statusCode, foreign.json().error.code]).toEqual([403, 'csrf'])
    // A page of another site cannot send a header without a preflight, so it is accepted.
    const header = await use({ 'x-badge': `account:${ada.account.id}`, origin: 'https://evil.example' })
    expect(header.statusCode).toBe(200)
  })

  it.each(['Basic', 'Digest', 'Negotiate', 'NTLM'])(
    'after the scheme %s, which browsers send by themselves, is refused from pages of other sites, for sockets too',
    async (scheme) => {
      const ofScheme = defineModule({
        name: 'basics',
        authenticate: () => ({ carrier: { scheme }, authenticate }),
      })
      const other = await createTestApp({ modules: [ofScheme] })
      onTestFinished(() => other.close())
      const owner = await signUp(other.app)
      const change = (headers: object) =>
        client(other.app).put(
          `/profiles/${owner.account.active_profile_id}/visibility`,
          { visibility: 'private' },
          { authorization: `${scheme} account:${owner.account.id}`, ...headers },
        )
      const foreign = await change({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })
      expect([foreign.statusCode, foreign.json().error.code]).toEqual([403, 'csrf'])
      expect((await change({ origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200)
      const authorization = `${scheme} account:${owner.account.id}`
      const connect = (origin: string) => openSocket(other.app, '/eep/pulse', { headers: { authorization, origin } })
      await expect(connect('https://evil.example')).rejects.toThrow()
      await (await connect(PUBLIC_URL)).close()
    },
  )

  it('that is refused leaves the session of the browser as it is', async () => {
    const login = await post('/auth/login', { email: ada.account.email, password: PASSWORD })
    const cookie = String(login.headers['set-cookie']).split(';')[0] ?? ''
    expect((await me({ cookie })).statusCode).toBe(200)
    for (const headers of [{ cookie, 'x-badge': 'refused' }, { cookie: `${cookie}; shop_stamp=refused` }]) {
      const refused = await me(headers)
      expect([refused.statusCode, refused.headers['set-cookie']]).toEqual([401, undefined])
    }
    // The cookie of a session that has ended is deleted, beside a credential that no module knows.
    const [name = ''] = cookie.split('=')
    const ended = await me({ cookie: `${name}=ended`, 'x-badge': 'unknown' })
    expect([ended.statusCode, String(ended.headers['set-cookie'])]).toEqual([401, expect.stringContaining('Max-Age=0')])
  })

  it('in a header may be sent by pages of other origins', async () => {
    const preflight = await client(test.app).send('OPTIONS', '/badges', undefined, {
      origin: 'https://pages.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-badge',
    })
    expect(String(preflight.headers['access-control-allow-headers']).split(', ')).toContain('X-Badge')
  })
})

describe('the responses to credentials of a module', () => {
  const page = () => `/u/${ada.account.username}`

  it('are stored by no shared cache, and Vary names the carriers on every response', async () => {
    const anonymous = await get(page(), { accept: 'text/markdown' })
    expect(anonymous.headers['cache-control']).toContain('public')
    expect(anonymous.headers.vary).toContain('X-Badge')
    expect(anonymous.headers.vary).toContain('Authorization')
    expect(anonymous.headers.vary).toContain('Cookie')
    for (const badge of [`account:${ada.account.id}`, 'agent', 'refused', 'unknown']) {
      const response = await get(page(), { accept: 'text/markdown', 'x-badge': badge })
      expect([badge, response.statusCode, response.headers['cache-control']]).toEqual([badge, 200, 'private, no-store'])
    }
    const later = await get(page(), { accept: 'text/markdown' })
    expect(later.headers['cache-control']).toBe(anonymous.headers['cache-control'])
  })

  it('are not taken from the cache of anonymous responses: the owner reads what others do not find', async () => {
    const private_ = await signUp(test.app)
    const address = `/u/${private_.account.username}`
    const anonymous = { accept: 'text/markdown' }
    const owner = { ...anonymous, 'x-badge': `account:${private_.account.id}` }
    expect((await get(address, anonymous)).statusCode).toBe(200)
    await private_.put(`/profiles/${private_.account.active_profile_id}/visibility`, { visibility: 'private' })
    for (const [headers, status] of [
      [anonymous, 404],
      [owner, 200],
      [anonymous, 404],
    ] as const) {
      expect((await get(address, headers)).statusCode).toBe(status)
    }
  })

  it('replay no Idempotency-Key of a caller to another one', async () => {
    const key = { 'idempotency-key': 'once' }
    const first = await use({ ...key, 'x-badge': `account:${ada.account.id}` })
    const again = await use({ ...key, 'x-badge': `account:${ada.account.id}` })
    expect(again.json()).toEqual(first.json())
    expect(again.headers['idempotent-replayed']).toBe('true')
    const other = await use({ ...key, 'x-badge': `account:${eve.account.id}` })
    expect([other.statusCode, other.json().account]).toEqual([200, eve.account.id])
    for (const badge of [`reader:${ada.account.id}`, `both:${ada.account.id}`]) {
      const refused = await use({ ...key, 'x-badge': badge })
      expect([refused.statusCode, refused.json().error.code]).toEqual([422, 'idempotency_mismatch'])
    }
  })
})

describe('the carrier of a module', () => {
  const reading = (name: string, carrier: Authenticator['carrier']) =>
    defineModule({ name, authenticate: () => ({ carrier, authenticate: async () => undefined }) })
  const start = (...modules: readonly ReturnType<typeof reading>[]) => createTestApp({ modules, storage: test.storage })

  it.each([
    ['header', { header: 'X-Badge' }, { header: 'x-badge' }, 'header x-badge'],
    ['scheme', { scheme: 'Ticket' }, { scheme: 'ticket' }, 'scheme ticket'],
    ['cookie', { cookie: 'stamp' }, { cookie: 'stamp' }, 'cookie stamp'],
  ])('is a %s that no other module reads', async (_what, one, other, name) => {
    await expect(start(reading('badges', one), reading('passes', other))).rejects.toThrow(
      new TypeError(`The module "passes" reads credentials from the ${name}, which the module "badges" reads`),
    )
  })

  it.each<[Authenticator['carrier'], string]>([
    [{ header: 'Authorization' }, 'header authorization'],
    [{ header: 'Cookie' }, 'header cookie'],
    [{ header: 'X-API-Key' }, 'header x-api-key'],
    [{ header: 'EEP-Signature' }, 'header eep-signature'],
    [{ header: 'X-EEP-Proofs' }, 'header x-eep-proofs'],
    [{ header: 'PAYMENT-SIGNATURE' }, 'header payment-signature'],
    [{ header: 'SIGN-IN-WITH-X' }, 'header sign-in-with-x'],
    [{ header: 'Accept-Payment' }, 'header accept-payment'],
    [{ header: 'Idempotency-Key' }, 'header idempotency-key'],
    [{ header: 'X-Forwarded-For' }, 'header x-forwarded-for'],
    [{ header: 'EEP' }, 'header eep'],
    [{ header: 'Signature' }, 'header signature'],
    [{ header: 'Signature-Agent' }, 'header signature-agent'],
    [{ header: 'Stripe-Signature' }, 'header stripe-signature'],
    [{ header: 'Webhook-Signature' }, 'header webhook-signature'],
    [{ header: 'Purpose' }, 'header purpose'],
    [{ header: 'True-Client-IP' }, 'header true-client-ip'],
    [{ scheme: 'Bearer' }, 'scheme bearer'],
    [{ scheme: 'EEP' }, 'scheme eep'],
    [{ scheme: 'EEP-Session' }, 'scheme eep-session'],
    [{ scheme: 'payment' }, 'scheme payment'],
    [{ cookie: '__Host-eep_session' }, 'cookie __Host-eep_session'],
    [{ cookie: 'eep_payer' }, 'cookie eep_payer'],
    [{ cookie: 'oauth_state' }, 'cookie oauth_state'],
  ])('is none of the contract: %o', async (carrier, name) => {
    await expect(start(reading('badges', carrier))).rejects.toThrow(
      new TypeError(`The module "badges" reads credentials from the ${name}, which the contract has`),
    )
  })

  it('may be named as a member that every object has', async () => {
    const asked: string[] = []
    const named = (name: string, carrier: Authenticator['carrier']) =>
      defineModule({
        name,
        authenticate: () => ({
          carrier,
          async authenticate(credential) {
            asked.push(credential)
            return undefined
          },
        }),
      })
    const other = await createTestApp({
      modules: [named('badges', { cookie: 'constructor' }), named('passes', { header: 'valueOf' })],
    })
    onTestFinished(() => other.close())
    expect((await client(other.app).get('/llms.txt')).statusCode).toBe(200)
    expect((await client(other.app).get('/llms.txt', { cookie: 'a=b' })).statusCode).toBe(200)
    expect(asked).toEqual([])
    await client(other.app).get('/llms.txt', { cookie: 'constructor=mine' })
    expect(asked).toEqual(['mine'])
  })

  it('is a name that HTTP can carry', async () => {
    await expect(start(reading('badges', { header: 'X Badge' }))).rejects.toThrow(TypeError)
  })
})

describe('the credentials of the contract', () => {
  it('are read by no module of a host', async () => {
    const impostor = defineModule({
      name: 'impostors',
      ...{ authenticators: () => ({ apiKey: async () => ({ via: 'key', scopes: 'all', isAdmin: true }) }) },
    })
    await expect(createTestApp({ modules: [impostor], storage: test.storage })).rejects.toThrow(
      new TypeError(
        'The module "impostors" defines "authenticators", which only modules of @eep/core can; use "authenticate"',
      ),
    )
  })

  it('are read by one module each', async () => {
    const second = {
      ...defineModule({ name: 'impostors' }),
      isOfHost: false,
      authenticators: () => ({ apiKey: async () => Promise.reject(new Error('Not asked')) }),
    }
    await expect(createTestApp({ modules: [second], storage: test.storage })).rejects.toThrow(
      new TypeError('The module "impostors" defines the authenticator "apiKey", which the module "api-keys" defines'),
    )
  })
})
