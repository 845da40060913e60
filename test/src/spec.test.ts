import type { OAuthProvider, Storage, WalletVerifier } from '@eep/core/ports'
import { cashRail } from '@eep/core/testing'
import type { HTTPMethods, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newName, newRegistration, PASSWORD, type SignedUp, sessionCookieOf, signUp } from './support/accounts.ts'
import { newKey } from './support/api-keys.ts'
import { createTestApp, openStorage, PUBLIC_URL, type TestApp } from './support/app.ts'
import { createClock } from './support/clock.ts'
import { codeIn, createMailbox, tokenIn } from './support/mailbox.ts'
import { decodeHeader, openShop, type Shop } from './support/shop.ts'
import { keyOf, nonceFor, siweMessage } from './support/wallets.ts'

/*
 * The tables of the interface, asked from outside: each row with who may call it, and each status it names produced by a
 * request. The statuses 401 of strangers and 403 of keys are asked of every row that has them.
 */

type Headers = Readonly<Record<string, string>>
type Answer = LightMyRequestResponse
type Auth = 'none' | 'bearer' | 'key'

interface Case {
  readonly status: number
  readonly what: string
  /** `as` signs for the owner: with a session, and on rows that take keys with a key too. */
  readonly ask: (as: Headers) => Promise<Answer>
  /** The body, as far as the row states it; an error has the form of all errors. */
  readonly body?: unknown
  /** What else the row states. */
  readonly also?: ((answer: Answer) => void | Promise<void>) | undefined
}

interface Row {
  readonly route: string
  readonly auth: Auth
  readonly cases: readonly Case[]
}

const row = (route: string, auth: Auth, ...cases: readonly Case[]): Row => ({ route, auth, cases })
const is = (status: number, what: string, ask: Case['ask'], body?: unknown, also?: Case['also']): Case => ({
  ...{ status, what, ask, body, also },
})

const text = expect.any(String)
const count = expect.any(Number)
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
const list = (item: object) => ({
  data: expect.arrayContaining([expect.objectContaining(item)]),
  pagination: expect.objectContaining({ total: count, has_more: expect.any(Boolean) }),
})
const done = { success: true }

// The service, and another listener of it where nothing is configured that can be left out.

const mailbox = createMailbox()
const time = createClock()
const MINUTE = 60_000
let broken = false

const breakable = (storage: Storage): Storage => ({
  ...storage,
  transaction: (work) => (broken ? Promise.reject(new Error('on purpose')) : storage.transaction(work)),
})
const github: OAuthProvider = {
  name: 'github',
  start: async ({ state }) => ({ url: `https://github.example/authorize?state=${state}`, memory: {} }),
  finish: async () => ({ subject: '1', email: 'octo@example.com', emailVerified: true, fullName: 'Octo Cat' }),
}
const oidc: OAuthProvider = { ...github, name: 'oidc', start: () => Promise.reject(new Error('on purpose')) }
const CHAIN = 84_532
const wallets: WalletVerifier = { chainIds: [CHAIN], verify: async ({ signature }) => signature === '0x01' }

let app: TestApp
let bare: TestApp
let shop: Shop
let owner: Headers
let ownKey: Headers
let stranger: Headers
let strangersCookie: Headers
let openPage: number
let category: number
let setAdmin: (accountId: string) => Promise<unknown>
const closers: (() => Promise<void>)[] = []

const send = (method: HTTPMethods, url: string, as: Headers = {}, payload?: object, on: () => TestApp = () => app) =>
  on().inject({ method, url, headers: { ...as }, ...(payload && { payload }) })
const get = (url: string, as?: Headers) => send('GET', url, as)
const post = (url: string, as?: Headers, payload?: object) => send('POST', url, as, payload)
const put = (url: string, as?: Headers, payload?: object) => send('PUT', url, as, payload)
const remove = (url: string, as?: Headers, payload?: object) => send('DELETE', url, as, payload)
const onBare = (method: HTTPMethods, url: string, as?: Headers, payload?: object) =>
  send(method, url, as, payload, () => bare)

beforeAll(async () => {
  const database = await openStorage()
  const common = { storage: breakable(database.storage), clock: time.clock, mailer: mailbox.mailer }
  const rails = [cashRail({ network: `eip155:${CHAIN}` })]
  const made = await createTestApp({ ...common, rails, wallets, providers: [github, oidc] })
  const without = await createTestApp(common)
  ;[app, bare] = [made.app, without.app]
  closers.push(made.close, without.close, database.close)
  setAdmin = (id) => database.storage.transaction((tx) => tx.accounts.save(id, { isAdmin: true }))

  shop = await openShop(app, 'ada')
  owner = shop.headers
  const other = await signUp(app, 'stranger')
  stranger = other.headers
  strangersCookie = { cookie: `eep_session=${other.token}` }
  ownKey = (await newKey(app, owner, { scopes: ['manage:keys', 'read:profiles', 'read:payments'] })).headers
  openPage = (await get(`/manage/pages?profile_id=${shop.profileId}`, owner))
    .json()
    .data.find(({ slug }: { slug: string }) => slug === 'welcome').id
  category = (await get(`/manage/categories?profile_id=${shop.profileId}`, owner)).json().data[0].id
})
afterAll(async () => {
  for (const close of closers) await close()
})

// What the cases stand on.

/** Somebody whom a case may spoil. */
const somebody = () => signUp(app)
const verified = async () => {
  const { account, headers } = await somebody()
  await post('/auth/verify', {}, { token: tokenIn(await mailbox.take(account.email, 'verification')) })
  return headers
}
async function resetToken({ email }: SignedUp): Promise<string> {
  await post('/auth/forgot-password', {}, { email })
  return tokenIn(await mailbox.take(email, 'reset'))
}
async function deleteCode({ headers, account }: { headers: Headers; account: SignedUp }): Promise<string> {
  await post('/auth/account/delete-code', headers)
  return codeIn(await mailbox.take(account.email, 'code'))
}
let wallet = 0
async function siweBody(as: Headers, changes: Record<string, string> = {}) {
  const message = siweMessage(keyOf(++wallet), await nonceFor(app, { ...as }), changes)
  return { message, signature: '0x01' }
}
const linked = async (as: Headers): Promise<string> =>
  (await post('/auth/siwe/verify', as, await siweBody(as))).json().account_wallet_id
async function boundWallet(as: Headers): Promise<string> {
  const id = await linked(as)
  const chosen = await post('/manage/payouts', as, { account_wallet_id: id, network: `eip155:${CHAIN}` })
  if (chosen.statusCode !== 201) throw new Error(chosen.body)
  return id
}
async function comeBack(query: (state: string) => string, next = '') {
  const start = await get(`/auth/oauth/github${next && `?next=${encodeURIComponent(next)}`}`)
  const state = start.cookies.find(({ name }) => name === 'oauth_state')?.value ?? ''
  return get(`/auth/oauth/github/callback?${query(state)}`, { cookie: `oauth_state=${state}` })
}
const newProfile = (fields: object = {}) => ({ profile_type: 'place', username: newName(), type_data: {}, ...fields })
async function place(as: Headers): Promise<string> {
  const { username } = (await post('/profiles', as, newProfile())).json()
  return `/profiles/l/${username}`
}
const newPage = (fields: object = {}) => ({ profile_id: shop.profileId, title: 'A page', body: 'Text', ...fields })
const page = async () => `/manage/pages/${(await post('/manage/pages', owner, newPage())).json().id}`
const newCategory = (fields: object = {}) => ({ profile_id: shop.profileId, name: 'A category', ...fields })
const emptyCategory = async () =>
  `/manage/categories/${(await post('/manage/categories', owner, newCategory())).json().id}`
const reactions = (id: number | string = openPage) => `/content/pages/${id}/reactions`
const NOBODY = '999999999'

const session = {
  token: text,
  token_type: 'Bearer',
  expires_at: moment,
  user: expect.objectContaining({ id: text, email: text, username: text }),
}
const setsSession = (answer: Answer) => {
  expect(sessionCookieOf(answer)).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
}
const reactionState = {
  counts: { like: count, bookmark: count },
  me: { like: expect.any(Boolean), bookmark: expect.any(Boolean) },
}
const walletRecord = {
  account_wallet_id: text,
  address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
  chain_id: CHAIN,
  caip2_network: `eip155:${CHAIN}`,
  verified_at: moment,
}
const pageRecord = expect.objectContaining({ id: count, title: text, body: text, status: text })
const categoryRecord = expect.objectContaining({ id: count, name: text, parent_id: null })
const profileRecord = expect.objectContaining({ id: count, profile_type: text, username: text, type_data: {} })

/** Markdown unless told, JSON and TOON by `format` and by `Accept`, and `format` wins. */
const negotiates = (url: string) => async (answer: Answer) => {
  const typeOf = ({ headers }: Answer) => String(headers['content-type']).split(';')[0]
  expect(typeOf(answer)).toBe('text/markdown')
  expect(answer.headers.vary).toMatch(/\bAccept\b/)
  const types = { markdown: 'text/markdown', json: 'application/json', toon: 'text/toon' }
  for (const [format, type] of Object.entries(types)) {
    expect(typeOf(await get(`${url}?format=${format}`))).toBe(type)
    expect(typeOf(await get(url, { accept: type }))).toBe(type)
    expect(typeOf(await get(`${url}?format=${format}`, { accept: 'application/json' }))).toBe(type)
  }
}
const leadsTo = (path: string) => (answer: Answer) => {
  expect(answer.headers.location).toBe(`${PUBLIC_URL}${path}`)
}
const isOf = (type: string) => (answer: Answer) => {
  expect(String(answer.headers['content-type']).split(';')[0]).toBe(type)
}
const linksTo = (answer: Answer, ...relations: readonly string[]) => {
  for (const relation of relations) expect(answer.headers.link).toContain(`rel="${relation}"`)
}

const discovery: readonly Row[] = [
  row(
    'GET /',
    'none',
    is(
      200,
      'the bootstrap manifest',
      () => get('/'),
      undefined,
      async (answer) => {
        expect(answer.headers).toHaveProperty('link')
        await negotiates('/')(answer)
      },
    ),
  ),
  row(
    'GET /discover',
    'none',
    is(
      200,
      'the capability manifest',
      () => get('/discover'),
      undefined,
      async (answer) => {
        expect(answer.headers['cache-control']).toBe('public, max-age=3600')
        await negotiates('/discover')(answer)
      },
    ),
  ),
  row(
    'GET /agents.txt',
    'none',
    is(200, 'plain text', () => get('/agents.txt'), undefined, isOf('text/plain')),
  ),
  row(
    'GET /.well-known/eep.json',
    'none',
    is(200, 'platform capabilities', () => get('/.well-known/eep.json'), expect.any(Object)),
  ),
  row(
    'GET /.well-known/eep/agent-guide.md',
    'none',
    is(200, 'the guide', () => get('/.well-known/eep/agent-guide.md'), undefined, isOf('text/markdown')),
  ),
  row(
    'GET /docs/openapi.json',
    'none',
    is(200, 'the description', () => get('/docs/openapi.json'), expect.objectContaining({ openapi: '3.1.0' })),
  ),
  row(
    'GET /llms.txt',
    'none',
    is(200, 'a site file', () => get('/llms.txt')),
  ),
  row(
    'GET /robots.txt',
    'none',
    is(200, 'a site file', () => get('/robots.txt'), undefined, isOf('text/plain')),
  ),
  row(
    'GET /sitemap.xml',
    'none',
    is(200, 'a site file', () => get('/sitemap.xml'), undefined, isOf('application/xml')),
  ),
]

const auth: readonly Row[] = [
  row(
    'POST /auth/register',
    'none',
    is(201, 'a new account', () => post('/auth/register', {}, newRegistration()), session, setsSession),
    is(400, 'a weak password', () => post('/auth/register', {}, { ...newRegistration(), password: 'short' })),
    is(400, 'a username in capitals', () => post('/auth/register', {}, { ...newRegistration(), username: 'ADA' })),
    is(409, 'an email that exists', () =>
      post('/auth/register', {}, { ...newRegistration(), email: 'ada@example.com' }),
    ),
    is(409, 'a username that exists', () => post('/auth/register', {}, { ...newRegistration(), username: 'ada' })),
  ),
  row(
    'POST /auth/login',
    'none',
    is(
      200,
      'email and password',
      () => post('/auth/login', {}, { email: 'ada@example.com', password: PASSWORD }),
      session,
      setsSession,
    ),
    is(401, 'a wrong password', () => post('/auth/login', {}, { email: 'ada@example.com', password: 'Wrong 1234' })),
    is(401, 'an unknown email', () => post('/auth/login', {}, { email: 'no@example.com', password: PASSWORD })),
  ),
  row(
    'GET /auth/me',
    'key',
    is(200, 'the caller', (as) => get('/auth/me', as), expect.objectContaining({ id: text, username: 'ada' })),
    is(200, 'an admin, whose key does not tell', async () => {
      const chief = await somebody()
      const key = await newKey(app, chief.headers)
      await setAdmin(chief.account.id)
      expect((await get('/auth/me', chief.headers)).json().isAdmin).toBe(true)
      const answer = await get('/auth/me', key.headers)
      expect(answer.json()).not.toHaveProperty('isAdmin')
      return answer
    }),
  ),
  row(
    'POST /auth/logout',
    'bearer',
    is(
      200,
      'a session',
      (as) => post('/auth/logout', as),
      done,
      (answer) => {
        expect(sessionCookieOf(answer)).toMatchObject({ value: '', maxAge: 0 })
      },
    ),
  ),
  row(
    'GET /auth/oauth/{provider}',
    'none',
    is(
      302,
      'a provider',
      () => get('/auth/oauth/github?next=/settings'),
      undefined,
      (answer) => {
        const [state, next] = ['oauth_state', 'oauth_next'].map((name) =>
          answer.cookies.find((each) => each.name === name),
        )
        expect(answer.headers.location).toBe(`https://github.example/authorize?state=${state?.value}`)
        expect(next).toBeDefined()
      },
    ),
    is(500, 'a provider that does not answer', () => get('/auth/oauth/oidc')),
    is(501, 'a provider nobody configured', () => get('/auth/oauth/google')),
  ),
  row(
    'GET /auth/oauth/{provider}/callback',
    'none',
    is(
      302,
      'success',
      () => comeBack((state) => `code=x&state=${state}`),
      undefined,
      (answer) => {
        leadsTo('/dashboard')(answer)
        setsSession(answer)
      },
    ),
    is(
      302,
      'success with a place to go',
      () => comeBack((state) => `code=x&state=${state}`, '/settings'),
      undefined,
      leadsTo('/settings'),
    ),
    is(
      302,
      'a state of nobody',
      () => get('/auth/oauth/github/callback?code=x&state=y'),
      undefined,
      leadsTo('/login?oauth_error=invalid_state'),
    ),
    is(
      302,
      'no code',
      () => comeBack((state) => `state=${state}`),
      undefined,
      leadsTo('/login?oauth_error=missing_code'),
    ),
    is(
      302,
      'the error of the provider',
      () => comeBack((state) => `error=access_denied&error_description=No&state=${state}`),
      undefined,
      leadsTo('/login?oauth_error=access_denied'),
    ),
  ),
  row(
    'POST /auth/siwe/nonce',
    'bearer',
    is(200, 'a session', (as) => post('/auth/siwe/nonce', as), {
      ...{ nonce: text, domain: 'profiles.example', uri: PUBLIC_URL, expires_at: moment },
    }),
    is(503, 'the wallet flow being off', (as) => onBare('POST', '/auth/siwe/nonce', as)),
  ),
  row(
    'POST /auth/siwe/verify',
    'bearer',
    is(200, 'a signed message', async (as) => post('/auth/siwe/verify', as, await siweBody(as)), walletRecord),
    is(400, 'what is no such message', (as) => post('/auth/siwe/verify', as, { message: 'Hello', signature: '0x01' })),
    is(400, 'a foreign domain', async (as) =>
      post('/auth/siwe/verify', as, await siweBody(as, { domain: 'evil.example' })),
    ),
    is(400, 'a foreign chain', async (as) => post('/auth/siwe/verify', as, await siweBody(as, { chainId: '5' }))),
    is(401, 'a wrong signature', async (as) =>
      post('/auth/siwe/verify', as, { ...(await siweBody(as)), signature: '0x02' }),
    ),
    is(409, 'a message that comes again', async (as) => {
      const body = await siweBody(as)
      await post('/auth/siwe/verify', as, body)
      return post('/auth/siwe/verify', as, body)
    }),
    is(409, 'a nonce that has expired', async () => {
      const past = Date.now() - 11 * MINUTE
      const { headers, body } = await time.at(past, async () => {
        const { headers } = await somebody()
        return { headers, body: await siweBody(headers, { issuedAt: new Date(past).toISOString() }) }
      })
      return post('/auth/siwe/verify', headers, body)
    }),
    is(503, 'the wallet flow being off', async (as) => onBare('POST', '/auth/siwe/verify', as, await siweBody(as))),
  ),
  row(
    'GET /auth/siwe/wallets',
    'bearer',
    is(
      200,
      'a session',
      async () => {
        const { headers } = await somebody()
        await linked(headers)
        return get('/auth/siwe/wallets', headers)
      },
      { wallets: [walletRecord] },
    ),
  ),
  row(
    'DELETE /auth/siwe/wallets/{id}',
    'bearer',
    is(200, 'a wallet', async (as) => remove(`/auth/siwe/wallets/${await linked(as)}`, as), done),
    is(409, 'a wallet that is paid out to', async (as) => remove(`/auth/siwe/wallets/${await boundWallet(as)}`, as)),
    ...['1', 'true'].map((force) =>
      is(200, `such a wallet with force=${force}`, async (as) =>
        remove(`/auth/siwe/wallets/${await boundWallet(as)}?force=${force}`, as),
      ),
    ),
    ...['0', 'false'].map((force) =>
      is(409, `such a wallet with force=${force}`, async (as) =>
        remove(`/auth/siwe/wallets/${await boundWallet(as)}?force=${force}`, as),
      ),
    ),
  ),
  row(
    'DELETE /auth/account',
    'bearer',
    is(
      200,
      'the password',
      async () => remove('/auth/account', (await somebody()).headers, { password: PASSWORD }),
      { success: true, deletion_scheduled_at: moment },
      (answer) => {
        const days = (Date.parse(answer.json().deletion_scheduled_at) - time.clock().getTime()) / 86_400_000
        expect(days).toBeCloseTo(30, 3)
      },
    ),
    is(200, 'the code of the mail', async () => {
      const leaver = await somebody()
      return remove('/auth/account', leaver.headers, { code: await deleteCode(leaver) })
    }),
    is(400, 'nothing', (as) => remove('/auth/account', as, {})),
    is(400, 'both', (as) => remove('/auth/account', as, { password: PASSWORD, code: '123456' })),
    is(400, 'a code that nobody asked for', (as) => remove('/auth/account', as, { code: '123456' })),
    is(400, 'a code that has expired', async () => {
      const past = Date.now() - 11 * MINUTE
      const [leaver, code] = await time.at(past, async () => {
        const somebodyThen = await somebody()
        return [somebodyThen, await deleteCode(somebodyThen)] as const
      })
      return remove('/auth/account', leaver.headers, { code })
    }),
    is(401, 'a wrong password', (as) => remove('/auth/account', as, { password: 'Wrong 1234' })),
    is(401, 'a wrong code', async () => {
      const stayer = await somebody()
      const code = await deleteCode(stayer)
      return remove('/auth/account', stayer.headers, { code: code === '123456' ? '123457' : '123456' })
    }),
  ),
  row(
    'POST /auth/account/delete-code',
    'bearer',
    is(200, 'a session', async () => {
      const { headers, account } = await somebody()
      const answer = await post('/auth/account/delete-code', headers)
      expect(codeIn(await mailbox.take(account.email, 'code'))).toMatch(/^\d{6}$/)
      return answer
    }),
  ),
  row(
    'POST /auth/forgot-password',
    'none',
    is(200, 'an account', () => post('/auth/forgot-password', {}, { email: 'ada@example.com' })),
    is(200, 'nobody', () => post('/auth/forgot-password', {}, { email: 'no@example.com' })),
  ),
  row(
    'POST /auth/reset-password',
    'none',
    is(200, 'the token of the mail', async () => {
      const { account } = await somebody()
      return post('/auth/reset-password', {}, { token: await resetToken(account), password: `${PASSWORD}!` })
    }),
    is(400, 'a token of nobody', () => post('/auth/reset-password', {}, { token: 'x'.repeat(43), password: PASSWORD })),
    is(400, 'a token after an hour', async () => {
      const { account } = await somebody()
      const token = await time.at(Date.now() - 61 * MINUTE, () => resetToken(account))
      return post('/auth/reset-password', {}, { token, password: `${PASSWORD}!` })
    }),
    is(400, 'a weak password', async () => {
      const { account } = await somebody()
      return post('/auth/reset-password', {}, { token: await resetToken(account), password: 'weakpassword' })
    }),
  ),
  row(
    'PUT /auth/change-password',
    'bearer',
    is(200, 'both passwords', async () =>
      put('/auth/change-password', (await somebody()).headers, {
        ...{ current_password: PASSWORD, new_password: `${PASSWORD}!` },
      }),
    ),
    is(401, 'a wrong current password', (as) =>
      put('/auth/change-password', as, { current_password: 'Wrong 1234', new_password: `${PASSWORD}!` }),
    ),
  ),
  row(
    'POST /auth/verify',
    'none',
    is(200, 'the token of the mail', async () => {
      const { account } = await somebody()
      return post('/auth/verify', {}, { token: tokenIn(await mailbox.take(account.email, 'verification')) })
    }),
    is(400, 'a token of nobody', () => post('/auth/verify', {}, { token: 'x'.repeat(43) })),
    is(400, 'a token after a day', async () => {
      const { account } = await time.at(Date.now() - 1_441 * MINUTE, somebody)
      return post('/auth/verify', {}, { token: tokenIn(await mailbox.take(account.email, 'verification')) })
    }),
  ),
  row(
    'POST /auth/resend-verification',
    'bearer',
    is(200, 'an address that is not verified', async () => {
      const { headers } = await time.at(Date.now() - 2 * MINUTE, somebody)
      return post('/auth/resend-verification', headers)
    }),
    is(400, 'an address that is', async () => post('/auth/resend-verification', await verified())),
    is(400, 'the second time in a minute', async () => {
      const { headers } = await time.at(Date.now() - 2 * MINUTE, somebody)
      await post('/auth/resend-verification', headers)
      return post('/auth/resend-verification', headers)
    }),
  ),
]

const plaintext = expect.stringMatching(/^eep_[0-9A-Za-z]{49}$/)
const apiKeys: readonly Row[] = [
  row(
    'POST /api-keys',
    'key',
    is(201, 'a name', (as) => post('/api-keys', as, { name: 'Key', scopes: ['read:profiles'] }), {
      ...{ id: count, key: plaintext, masked: text, name: 'Key', scopes: ['read:profiles'] },
      ...{ prefix: text, profile_id: null, expires_at: null, created_at: moment },
    }),
    is(400, 'no name', (as) => post('/api-keys', as, {})),
    is(401, 'a key of nobody', () => post('/api-keys', { 'x-api-key': `eep_${'x'.repeat(49)}` }, { name: 'Key' })),
  ),
  row(
    'GET /api-keys',
    'key',
    is(
      200,
      'the keys, masked',
      (as) => get('/api-keys', as),
      list({ id: count, masked: text, usage: expect.objectContaining({ total: count }) }),
      (answer) => {
        expect(answer.body).not.toMatch(/eep_[0-9A-Za-z]{49}/)
      },
    ),
  ),
  row(
    'DELETE /api-keys/{id}',
    'key',
    is(200, 'a key, at once', async (as) => {
      const key = await newKey(app, { ...as }, { scopes: ['read:profiles'] })
      const answer = await remove(`/api-keys/${key.id}`, as)
      expect((await get('/auth/me', key.headers)).statusCode).toBe(401)
      return answer
    }),
    is(404, 'a key of nobody', (as) => remove(`/api-keys/${NOBODY}`, as)),
  ),
  row(
    'POST /api-keys/{id}/regenerate',
    'key',
    is(
      200,
      'a key',
      async (as) => {
        const fields = { scopes: ['read:profiles'], expires_at: '2099-01-01T00:00:00.000Z' }
        const old = await newKey(app, { ...as }, fields)
        const answer = await post(`/api-keys/${old.id}/regenerate`, as)
        expect(answer.json()).toMatchObject(fields)
        expect((await get('/auth/me', old.headers)).statusCode).toBe(401)
        expect((await get('/auth/me', { 'x-api-key': answer.json().key })).statusCode).toBe(200)
        return answer
      },
      expect.objectContaining({ key: plaintext }),
    ),
    is(404, 'a key of nobody', (as) => post(`/api-keys/${NOBODY}/regenerate`, as)),
  ),
]

const PREFIXES = {
  ...{ person: 'u', organization: 'o', place: 'l', asset: 'a', product: 'p' },
  ...{ knowledge: 'k', agent: 'agent', event: 'e', custom: 'x' },
}
const profiles: readonly Row[] = [
  row(
    'POST /profiles',
    'bearer',
    ...Object.keys(PREFIXES)
      .filter((type) => type !== 'person')
      .map((type) =>
        is(200, `a profile of type ${type}`, (as) => post('/profiles', as, newProfile({ profile_type: type })), {
          ...{ success: true, username: text },
        }),
      ),
    is(400, 'an unknown type', (as) => post('/profiles', as, newProfile({ profile_type: 'planet' }))),
    is(400, 'type data of another type', (as) => post('/profiles', as, newProfile({ type_data: { sku: '1' } }))),
  ),
  row(
    'GET /profiles/{prefix}/{username}',
    'none',
    is(200, 'a profile', () => get('/profiles/u/ada'), profileRecord),
    is(404, 'nobody', () => get('/profiles/u/nobody-of-this-name')),
    is(404, 'a name under another type', () => get('/profiles/o/ada')),
  ),
  row(
    'PUT /profiles/{prefix}/{username}',
    'bearer',
    is(200, 'a field, and leaves the others', async (as) => {
      const path = await place(as)
      await put(path, as, { bio: 'Kept' })
      const answer = await put(path, as, { full_name: 'Changed', files_to_delete: [] })
      expect((await get(path)).json()).toMatchObject({ bio: 'Kept', full_name: 'Changed' })
      return answer
    }),
    is(400, 'a wrong field', async (as) => put(await place(as), as, { full_name: 7 })),
    is(403, 'who is not the owner', async (as) => put(await place(as), stranger, { full_name: 'Mine' })),
  ),
  row(
    'DELETE /profiles/{prefix}/{username}',
    'bearer',
    is(
      200,
      'the owner',
      async (as) => {
        const path = await place(as)
        const answer = await remove(path, as)
        expect((await get(path)).statusCode).toBe(404)
        return answer
      },
      { success: true, message: text },
    ),
    is(403, 'who is not the owner', async (as) => remove(await place(as), stranger)),
    is(404, 'nobody', (as) => remove('/profiles/l/nobody-of-this-name', as)),
    is(500, 'a storage that fails', async (as) => {
      const path = await place(as)
      broken = true
      const answer = await remove(path, as)
      broken = false
      expect((await get(path)).statusCode).toBe(200)
      return answer
    }),
  ),
  row(
    'GET /profiles/{id}/completion',
    'bearer',
    is(200, 'a member of the team', (as) => get(`/profiles/${shop.profileId}/completion`, as), {
      ...{ missing: ['avatar', 'bio', 'socials', 'skills'], count: 4 },
    }),
    is(404, 'who may not see it', () => get(`/profiles/${shop.profileId}/completion`, stranger)),
  ),
  row(
    'GET /dashboard/profiles',
    'bearer',
    is(
      200,
      'the profiles',
      (as) => get('/dashboard/profiles', as),
      expect.objectContaining({
        profiles: expect.arrayContaining([
          expect.objectContaining({ username: 'ada', type_data: {}, files: [], metrics: expect.any(Object) }),
        ]),
      }),
    ),
  ),
  row(
    'GET /check-username',
    'none',
    is(200, 'a free name', () => get('/check-username?username=free-as-a-bird'), { available: true }),
    is(200, 'a name of any type', () => get('/check-username?username=ada'), { available: false }),
    is(200, 'a name under another type', () => get('/check-username?username=ada&type=event'), { available: true }),
    is(400, 'no name', () => get('/check-username')),
    is(400, 'an unknown type', () => get('/check-username?username=ada&type=planet')),
  ),
]

const RELATIONS = ['contents', 'changelog', 'freshness', 'badge', 'service-desc']
const publicReads: readonly Row[] = [
  ...Object.entries(PREFIXES).map(([type, prefix]) =>
    row(
      `GET /${prefix}/{username}`,
      'none',
      is(200, `a profile of type ${type}`, async () => {
        const username = type === 'person' ? 'ada' : newName()
        if (type !== 'person') await post('/profiles', owner, newProfile({ profile_type: type, username }))
        const answer = await get(`/${prefix}/${username}`)
        expect(answer.headers).toMatchObject({ 'x-profile-username': username, 'x-profile-type': type })
        linksTo(answer, ...RELATIONS, ...(operations.has('GET /search') ? ['search'] : []))
        await negotiates(`/${prefix}/${username}`)(answer)
        return answer
      }),
      is(404, 'nobody', () => get(`/${prefix}/nobody-of-this-name`)),
    ),
  ),
  ...Object.values(PREFIXES).flatMap((prefix) => [
    row(
      `GET /${prefix}/{username}/content`,
      'none',
      is(404, 'nobody', () => get(`/${prefix}/nobody-of-this-name/content`)),
      ...(prefix === 'u'
        ? [
            is(
              200,
              'the contents',
              () => get(shop.contents),
              undefined,
              (answer) => negotiates(shop.contents)(answer),
            ),
          ]
        : []),
    ),
    row(
      `GET /${prefix}/{username}/content/{path}`,
      'none',
      is(404, 'nobody', () => get(`/${prefix}/nobody-of-this-name/content/welcome`)),
      ...(prefix === 'u'
        ? [
            is(
              200,
              'a page',
              () => get(shop.open),
              undefined,
              (answer) => negotiates(shop.open)(answer),
            ),
            is(404, 'no page', () => get(`${shop.contents}/nothing`)),
            is(
              402,
              'a gated page',
              () => get(shop.paid),
              expect.objectContaining({
                error: expect.objectContaining({ code: 'payment_required' }),
                ...{ payment_required_b64: text, decoded_payment_required: expect.any(Object) },
                ...{ inline_retry_supported: true, docs_url: text },
              }),
              (answer) => {
                expect(String(answer.headers['www-authenticate'])).toMatch(/^EEP realm="gate", resource="/)
                expect(answer.headers['x-eep-gates-config']).toMatch(/^\/eep\/gates\//)
                expect(decodeHeader(answer, 'payment-required')).toMatchObject({
                  x402Version: 2,
                  accepts: [
                    { scheme: text, network: text, asset: text, amount: expect.stringMatching(/^\d+$/), payTo: text },
                  ],
                })
              },
            ),
          ]
        : []),
    ),
  ]),
]

const SUGGESTED = Object.keys(PREFIXES).filter((type) => type !== 'custom')
const LIMITS = [
  ...['max_files', 'max_batch_files', 'max_batch_size_mb', 'max_storage_mb', 'max_audio_upload_mb'],
  ...[
    'max_video_upload_mb',
    'max_media_size_mb',
    'transcription_minutes_per_month',
    'max_media_duration_minutes_per_file',
  ],
]
const EDITABLE = {
  ...{ full_name: 'Ada', bio: 'Bio', avatar_url: 'https://example.com/a.png', email: 'public@example.com' },
  ...{ skills: ['x'], socials: { github: 'https://github.com/ada' }, agent_instructions: 'Be exact.' },
  ...{ agent_rules: 'Quote.', keywords: ['engine'], custom_fields: { born: 1815 } },
}
const content: readonly Row[] = [
  row(
    'GET /manage/profile',
    'bearer',
    is(200, 'the own profile', (as) => get('/manage/profile', as), expect.objectContaining({ username: 'ada' })),
    is(404, 'an account without one', async () => {
      const { headers, account } = await somebody()
      await remove(`/profiles/u/${account.username}`, headers)
      return get('/manage/profile', headers)
    }),
  ),
  row(
    'PUT /manage/profile',
    'bearer',
    is(200, 'the fields of the list, and ignores others', async () => {
      const { headers, account } = await somebody()
      const answer = await put('/manage/profile', headers, {
        ...EDITABLE,
        username: 'taken-away',
        visibility: 'private',
      })
      const { username } = account
      expect((await get('/manage/profile', headers)).json()).toMatchObject({
        ...EDITABLE,
        username,
        visibility: 'public',
      })
      return answer
    }),
    is(400, 'none of them', (as) => put('/manage/profile', as, { username: 'taken-away' })),
  ),
  row(
    'GET /manage/limits',
    'bearer',
    is(
      200,
      'the limits of the tier',
      (as) => get('/manage/limits', as),
      expect.objectContaining(Object.fromEntries(LIMITS.map((name) => [name, count]))),
    ),
  ),
  row(
    'GET /manage/default-categories',
    'bearer',
    ...SUGGESTED.map((type) =>
      is(200, type, (as) => get(`/manage/default-categories?profile_type=${type}`, as), list({ name: text })),
    ),
    is(400, 'no type', (as) => get('/manage/default-categories', as)),
    is(400, 'custom', (as) => get('/manage/default-categories?profile_type=custom', as)),
  ),
  row(
    'GET /manage/slug-preview',
    'bearer',
    is(200, 'a title', (as) => get('/manage/slug-preview?title=Notes%20on%20Zo%C3%AB', as), { slug: 'notes-on-zoe' }),
    is(400, 'no title', (as) => get('/manage/slug-preview', as)),
  ),
  row(
    'GET /manage/categories',
    'bearer',
    is(
      200,
      'a nested tree',
      async (as) => {
        await post('/manage/categories', as, newCategory({ parent_id: category }))
        return get(`/manage/categories?profile_id=${shop.profileId}`, as)
      },
      list({ children: [expect.objectContaining({ children: [] })] }),
    ),
    is(400, 'no profile', (as) => get('/manage/categories', as)),
  ),
  row(
    'POST /manage/categories',
    'bearer',
    is(
      201,
      'a category',
      (as) => post('/manage/categories', as, newCategory({ description: 'D', icon: 'I', visibility: 'private' })),
      categoryRecord,
    ),
    is(400, 'no name', (as) => post('/manage/categories', as, { profile_id: shop.profileId })),
  ),
  row(
    'PUT /manage/categories/{id}',
    'bearer',
    is(200, 'a new name', async (as) => put(await emptyCategory(), as, { name: 'N' }), categoryRecord),
  ),
  row(
    'DELETE /manage/categories/{id}',
    'bearer',
    is(200, 'an empty category', async (as) => remove(await emptyCategory(), as), done),
  ),
  row(
    'POST /manage/pages',
    'bearer',
    is(201, 'a page', (as) => post('/manage/pages', as, newPage()), pageRecord),
    is(400, 'no title', (as) => post('/manage/pages', as, { profile_id: shop.profileId, body: '' })),
  ),
  row(
    'GET /manage/pages/{id}',
    'bearer',
    is(200, 'a page', async (as) => get(await page(), as), pageRecord),
  ),
  row(
    'PUT /manage/pages/{id}',
    'bearer',
    is(200, 'a new title', async (as) => put(await page(), as, { title: 'T' }), pageRecord),
  ),
  row(
    'DELETE /manage/pages/{id}',
    'bearer',
    is(
      200,
      'a page with its versions',
      async (as) => {
        const path = await page()
        const answer = await remove(path, as)
        expect((await get(`${path}/versions`, as)).statusCode).toBe(404)
        return answer
      },
      done,
    ),
  ),
  row(
    'GET /manage/pages/{id}/versions',
    'bearer',
    is(
      200,
      'a version of each save',
      async (as) => {
        const path = await page()
        await put(path, as, { title: 'Another' })
        return get(`${path}/versions`, as)
      },
      list({ version: 2, title: 'Another', created_at: moment, created_by: text }),
    ),
  ),
  row(
    'POST /manage/reorder',
    'bearer',
    is(
      200,
      'all ids of a place',
      async (as) => {
        const { id: parent } = (await post('/manage/categories', as, newCategory())).json()
        const ids: number[] = []
        for (const title of ['One', 'Two'])
          ids.unshift((await post('/manage/pages', as, newPage({ title, category_id: parent }))).json().id)
        const answer = await post('/manage/reorder', as, { kind: 'pages', parent_id: parent, ids })
        const { data } = (await get(`/manage/pages?profile_id=${shop.profileId}&category_id=${parent}`, as)).json()
        expect(data.map(({ id }: { id: number }) => id)).toEqual(ids)
        return answer
      },
      done,
    ),
  ),
  row(
    'GET /content/pages/{pageId}/reactions',
    'none',
    is(200, 'a page', () => get(reactions()), reactionState),
    is(404, 'no page', () => get(reactions(NOBODY))),
  ),
  row(
    'POST /content/pages/{pageId}/reactions',
    'bearer',
    is(201, 'a like', async () => post(reactions(), (await somebody()).headers, { kind: 'like' }), {
      ...reactionState,
      me: { like: true, bookmark: false },
    }),
    is(
      200,
      'the same again',
      async () => {
        const { headers } = await somebody()
        await post(reactions(), headers, { kind: 'bookmark' })
        return post(reactions(), headers, { kind: 'bookmark' })
      },
      { ...reactionState, me: { like: false, bookmark: false } },
    ),
    is(400, 'an unknown kind', (as) => post(reactions(), as, { kind: 'dislike' })),
    is(404, 'no page', (as) => post(reactions(NOBODY), as, { kind: 'like' })),
  ),
  row(
    'GET /content/reactions/me',
    'bearer',
    is(
      200,
      'a kind',
      async () => {
        const { headers } = await somebody()
        await post(reactions(), headers, { kind: 'like' })
        return get('/content/reactions/me?kind=like', headers)
      },
      { ...list({ id: count }), pagination: { total: 1, has_more: false, page: 1, limit: 20 } },
    ),
    is(400, 'no kind', (as) => get('/content/reactions/me', as)),
    is(400, 'page 0', (as) => get('/content/reactions/me?kind=like&page=0', as)),
  ),
]

const TABLES = {
  discovery,
  auth,
  'API keys': apiKeys,
  profiles,
  'public reads': publicReads,
  'content management': content,
}

/** Rows of the interface whose routes are not there yet. One that is has its place in the tables above. */
const NOT_YET = [
  ...['POST /files', 'GET /files/{id}', 'DELETE /files/{id}', 'GET /files/{id}/content', 'GET /files/{id}/markdown'],
  ...['GET /files/list/{prefix}/{slug}', 'GET /media/{id}'],
  ...['GET /tiers', 'GET /account/subscription', 'DELETE /account/subscription', 'POST /checkout/start-trial'],
  ...['POST /checkout/start-yearly-usdc', 'POST /checkout/usdc-receipt', 'POST /stripe/subscription/webhook'],
  ...['GET /admin/settings/subscription-pricing', 'PUT /admin/settings/subscription-pricing/{tier}'],
  ...['GET /search', 'GET /feed', 'GET /feed/following', 'GET /feed/{prefix}/{slug}', 'GET /feed/hashtags/{tag}'],
  ...['GET /stream/signals', 'GET /stream/signals/following', 'GET /jobs', 'GET /jobs/{id}', 'GET /notifications'],
  ...['GET /eep/services/{did}', 'POST /eep/commerce/negotiations', 'GET /eep/commerce/negotiations'],
  ...['POST /eep/payment/x402/payment-required', 'POST /eep/payment/x402/settle'],
]

/** Rows that have tests of their own, and only their place in the description here. */
const ELSEWHERE: readonly (readonly [string, Auth])[] = [
  ['GET /eep/gates/{did}', 'none'],
  ['GET /eep/payment/receipts', 'key'],
  ['GET /eep/payment/receipts/{receiptId}', 'key'],
  ['GET /eep/payment/receipts/{receiptId}.pdf', 'key'],
]

interface Operation {
  readonly 'x-auth': string
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly responses: Readonly<Record<string, unknown>>
}

let operations: ReadonlyMap<string, Operation>
beforeAll(async () => {
  const { paths } = (await get('/docs/openapi.json')).json<{ paths: Record<string, Record<string, Operation>> }>()
  operations = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    ),
  )
})

/** Parameters have other names here and there. */
const nameless = (route: string) => route.replaceAll(/\{\w+\}/g, '{}')

/** A request of a route about nothing: who asks is looked at first. */
const probe = (route: string, as: Headers) => {
  const [method = '', path = ''] = route.split(' ')
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'prefix' ? 'u' : NOBODY))
  return send(method as HTTPMethods, url, as, method === 'GET' ? undefined : {})
}

function expectStatus(answer: Answer, status: number) {
  expect(answer.statusCode, answer.body).toBe(status)
  expect(Number(answer.headers['x-ratelimit-limit'])).toBeGreaterThan(0)
  expect(answer.headers).toHaveProperty('x-ratelimit-remaining')
  expect(answer.headers).toHaveProperty('x-ratelimit-reset')
  if (status < 400) return
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
  const { code, message, ...rest } = answer.json().error
  expect({ code, message }).toEqual({ code: expect.stringMatching(/^[a-z0-9_]+$/), message: text })
  expect(Object.keys(rest).filter((name) => name !== 'details')).toEqual([])
}

describe.each(Object.entries(TABLES))('the table %s', (_, rows) => {
  describe.each(rows)('$route', ({ route, auth: who, cases }) => {
    it.each(cases)('answers $status to $what', async ({ status, ask, body, also }) => {
      const credentials = who === 'none' ? [{}] : who === 'key' ? [owner, ownKey] : [owner]
      for (const as of credentials) {
        const answer = await ask(as)
        expectStatus(answer, status)
        if (body !== undefined) expect(answer.json()).toEqual(body)
        await also?.(answer)
      }
    })

    if (who !== 'none') {
      it('answers 401 to strangers', async () => {
        for (const as of [{}, { authorization: 'Bearer x.y.z' }]) expectStatus(await probe(route, as), 401)
      })

      it('knows a session by its cookie too', async () => {
        expect([401, 403]).not.toContain((await probe(route, strangersCookie)).statusCode)
      })
    }
    if (who === 'bearer') {
      it('answers 403 to API keys', async () => {
        expectStatus(await probe(route, ownKey), 403)
      })
    }

    it('is described with who may call it and with each status', () => {
      const operation = operations.get(route)
      expect(operation, 'the description has it').toBeDefined()
      expect(operation?.['x-auth']).toBe(who)
      const schemes = { none: [], bearer: ['bearer', 'cookie'], key: ['bearer', 'cookie', 'apiKey'] }
      expect(operation?.security.flatMap(Object.keys)).toEqual(schemes[who])
      const statuses = [...cases.map(({ status }) => String(status)), ...(who === 'none' ? [] : ['401'])]
      expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(statuses))
    })
  })
})

describe('the rest of the interface', () => {
  it.each(ELSEWHERE)('has %s for %s', (route, who) => {
    const operation = operations.get(route)
    expect(operation?.['x-auth']).toBe(who)
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(['200', '429']))
  })

  it('has no route that is said to be missing', () => {
    const there = new Set([...operations.keys()].map(nameless))
    expect(NOT_YET.filter((route) => there.has(nameless(route)))).toEqual([])
  })
})
