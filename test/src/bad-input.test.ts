import type { OAuthProvider, WalletVerifier } from '@eep/core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, signUp } from './support/accounts.ts'
import { advice, bodyOf, price } from './support/deals.ts'
import { field, fileOf, upload } from './support/files.ts'
import { createChance } from './support/random.ts'
import { createOddValues } from './support/random-values.ts'
import { createCashApp, openShop, type Shop, shopGate } from './support/shop.ts'

/** CI sends sixteen times as many. */
const RANDOM_REQUESTS = 1_000 * Number(process.env.RANDOM_THOUSANDS ?? 0.25)

interface JsonSchema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly maxLength?: number
  readonly maxItems?: number
}

interface Operation {
  readonly 'x-auth': string
  readonly security: readonly object[]
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[]
  readonly requestBody?: { readonly content: { readonly 'application/json'?: { readonly schema: JsonSchema } } }
}

const providerNamed = (name: string): OAuthProvider => ({
  name,
  start: async ({ state }) => ({ url: `https://${name}.example/authorize?state=${state}`, memory: {} }),
  finish: () => Promise.reject(new Error('no provider in this test')),
})
const noWallets: WalletVerifier = { chainIds: [1], verify: async () => false }

let test: Awaited<ReturnType<typeof createCashApp>>
let shop: Shop
let otherUser: Record<string, string>
let admin: Record<string, string>
let pageId: number
let categoryId: number
let fileId: number
let workspaceId: string
let sessionId: string
let documentId: string
let operations: (readonly [string, string, Operation])[]

beforeAll(async () => {
  test = await createCashApp({
    withSearch: true,
    auth: { oauthProviders: ['github', 'google', 'oidc'].map(providerNamed), walletVerifier: noWallets },
    memory: { summarizer: { summarize: async () => 'A summary' } },
  })
  shop = await openShop(test.app, 'inspected')
  otherUser = (await signUp(test.app, 'other-user')).headers
  const chief = await signUp(test.app, 'chief')
  await test.storage.transaction((tx) => tx.accounts.save(chief.account.id, { isAdmin: true }))
  admin = chief.headers
  const json = async (url: string) => (await shop.get(url)).json()
  pageId = (await json(`/manage/pages?profile_id=${shop.profileId}`)).data[0].id
  const categories = await json(`/manage/categories?profile_id=${shop.profileId}`)
  categoryId = (categories.data ?? categories.categories ?? categories)[0].id
  const sent = await upload(test.app, [field('username', 'inspected'), fileOf('Hello.')], shop.headers)
  fileId = sent.json().id
  workspaceId = (await shop.post('/workspaces', { name: 'Notes' })).json().id
  const session = { profile_id: shop.profileId, ttl_seconds: 86_400 }
  sessionId = (await shop.post('/memory/sessions', session)).json().id
  documentId = (await shop.post(`/workspaces/${workspaceId}/documents`, { title: 'A document' })).json().id
  const { paths } = await json('/docs/openapi.json')
  operations = Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [method.toUpperCase(), path, operation] as const),
  )
})
afterAll(() => test.close())

/** A body that each route takes. A route with a body that is missing here fails the first test. */
const goodBody = (operation: string): object | undefined => {
  const bodies: Record<string, object> = {
    'POST /auth/register': { email: 'someone@example.com', password: PASSWORD, username: 'someone-new' },
    'POST /auth/login': { email: 'inspected@example.com', password: PASSWORD },
    'POST /auth/forgot-password': { email: 'inspected@example.com' },
    'POST /auth/reset-password': { token: 'x'.repeat(43), password: PASSWORD },
    'POST /auth/verify': { token: 'x'.repeat(43) },
    'PUT /auth/change-password': { current_password: 'Wrong password 1', new_password: PASSWORD },
    'DELETE /auth/account': { password: 'Wrong password 1' },
    'POST /profiles': { profile_type: 'place', username: 'somewhere', type_data: {} },
    'PUT /profiles/{prefix}/{username}': { full_name: 'A name' },
    'PUT /admin/feed/{id}': { hidden: true },
    'PUT /admin/users/{id}/posting': { open: true },
    'POST /feed': { body: 'An update' },
    'POST /feed/{id}/reactions': { kind: 'like' },
    'PUT /profiles/{id}/visibility': { visibility: 'public' },
    'PUT /profiles/{id}/capabilities': { capabilities: ['contactable'] },
    'DELETE /data/claims/{claim_id}': {
      claim_id: 'claim-7',
      agent_did: 'did:key:z6MkAgent',
      reason: 'revoke_consent',
      issued_at: '2026-01-02T03:04:05Z',
      nonce: 'a nonce of some length',
      signature: 'A'.repeat(86),
    },
    'POST /eep/gates/{did}/sessions/revoke': { agent_did: 'did:key:z6MkAgent' },
    'PUT /profiles/{id}/smart-sections': { sections: [{ key: 'jobs', title: 'Jobs', body: 'Open to offers' }] },
    'PUT /manage/profile': { bio: 'Hello.' },
    'POST /profiles/{id}/team/invites': { email: 'guest@example.com', role: 'viewer' },
    'PUT /profiles/{id}/team/{memberId}': { role: 'viewer' },
    'POST /profiles/{id}/transfers': { recipient_username: 'other-user' },
    'POST /manage/categories': { profile_id: shop.profileId, name: 'More' },
    'PUT /manage/categories/{id}': { name: 'Notes' },
    'POST /manage/pages': { profile_id: shop.profileId, title: 'Another', body: 'Text' },
    'PUT /manage/pages/{id}': { title: 'Retitled' },
    'POST /manage/reorder': { kind: 'pages', profile_id: shop.profileId, ids: [pageId] },
    'POST /content/pages/{pageId}/reactions': { kind: 'like' },
    'PUT /eep/gates/{did}': shopGate(),
    'POST /manage/entitlements': {
      profile_id: shop.profileId,
      tier: 'reader',
      payer_wallet: 'wallet:friend',
      payer_network: 'cash:test',
    },
    'POST /eep/payment/recovery': { email: 'buyer@example.com' },
    'POST /eep/payment/recovery/wallet': { message: 'profiles.example wants', signature: `0x${'00'.repeat(65)}` },
    'POST /eep/payment/receipts/{receiptId}/refund': { reason: 'Not as described' },
    'POST /eep/payment/x402/payment-required': { did: shop.did, resource: 'content.notes.engines', tier: 'reader' },
    'POST /eep/payment/x402/settle': {
      payment_signature: 'e30=',
      did: shop.did,
      resource: 'content.notes.engines',
      tier: 'reader',
    },
    'POST /eep/payment/stripe/mpp/settle': {
      did: shop.did,
      resource: 'content.notes.engines',
      tier: 'reader',
      shared_payment_token: 'spt_nothing',
    },
    'POST /eep/payment/stripe/checkout-human': { did: shop.did, resource: 'content.notes.engines', tier: 'reader' },
    'POST /eep/payment/challenge': {
      pay_to_did: shop.did,
      resource: 'content.notes.engines',
      amount: 0.01,
      currency: 'usdc',
    },
    'PUT /admin/settings/subscription-pricing/{tier}': { trial_days: 7 },
    'PUT /admin/users/{id}': { tier: 'pro' },
    'POST /checkout/usdc-receipt': { tier: 'pro', challenge: 'a.b.c', payment_proof: { x402Version: 2 } },
    'POST /eep/gates/{did}/verify-proof': { resource: 'content.welcome', proofs: [] },
    'POST /eep/delegation/verify': { credential: 'eyJhbGciOiJFZERTQSJ9.e30.AA' },
    'POST /eep/services/{did}': advice(),
    'PUT /eep/services/{did}/{id}': advice(),
    'POST /eep/services/{did}/reviews': { service_id: 'svc_nothing', score: 5 },
    'POST /eep/commerce/negotiations': { seller_did: shop.did, service: 'Advice', pricing: price(9) },
    ...Object.fromEntries(
      ['counter', 'accept', 'reject', 'expire', 'invoice', 'receipt', 'complete', 'dispute'].map((action) => [
        `POST /eep/commerce/negotiations/{id}/${action}`,
        bodyOf(action) ?? { reason: 'As we said' },
      ]),
    ),
    'POST /eep/trust/graduate': { agent_did: 'did:key:z6MkNobody' },
    'POST /eep/subscribe': {
      source_did: shop.did,
      event_types: ['content.*'],
      delivery_method: 'webhook',
      delivery_url: 'https://receiver.example/hook',
    },
    'POST /eep/subscriptions/{id}/redeliver': { event_ids: ['1'] },
    'POST /eep/subscriptions/{id}/replay': { since: '2026-01-01T00:00:00Z' },
    'POST /messages/conversations': { to: 'u/other-user', body: 'Hello' },
    'POST /messages/conversations/{id}/messages': { body: 'Hello' },
    'POST /messages/conversations/{id}/read': { up_to: '00000000-0000-4000-8000-000000000000' },
    'POST /messages/conversations/{id}/report': { reason: 'Spam' },
    'POST /feed/{id}/report': { reason: 'Spam' },
    'PUT /admin/reports/{id}': { status: 'resolved' },
    'POST /notifications/read': { ids: ['00000000-0000-4000-8000-000000000000'] },
    'PUT /notifications/preferences': { preferences: [{ kind: 'follow', in_app: true }] },
    'POST /api-keys': { name: 'A key' },
    'POST /workspaces': { name: 'Notes' },
    'PUT /workspaces/{id}': { name: 'Other notes' },
    'POST /workspaces/{id}/invites': { email: 'guest@example.com', role: 'reader' },
    'PUT /workspaces/{id}/members/{memberId}': { role: 'reader' },
    'POST /memory/sessions': { profile_id: shop.profileId, ttl_seconds: 60 },
    'POST /memory/sessions/{id}/entries': { role: 'user', content: 'A note' },
    'PATCH /memory/sessions/{id}/entries/{entryId}': { importance: 1 },
    'POST /memory/sessions/{id}/search': { query: 'note' },
    'POST /memory/sessions/{id}/recall': { query: 'note', token_budget: 100 },
    'POST /memory/sessions/{id}/summary': {},
    'POST /workspaces/{id}/documents': { title: 'A document', body: 'Text' },
    'PUT /workspaces/{id}/documents/{docId}': { title: 'Retitled' },
    'POST /workspaces/{id}/documents/{docId}/comments': { body: 'Well said' },
    'POST /workspaces/{id}/documents/{docId}/publish': { profile_id: shop.profileId },
    'POST /auth/siwe/verify': { message: 'profiles.example wants you to sign in', signature: '0x00' },
    'PATCH /auth/me': { language: 'de' },
    'POST /auth/login/second-factor': { token: 'x'.repeat(43), code: '000000' },
    'POST /auth/second-factor/confirm': { code: '000000' },
    'DELETE /auth/second-factor': { code: '000000' },
    'POST /auth/passkeys': credentialOf({ attestationObject: 'oA' }),
    'POST /auth/passkeys/login': credentialOf({ authenticatorData: 'AA', signature: 'AA' }),
    'PATCH /auth/passkeys/{id}': { name: 'Laptop' },
    'POST /auth/passkeys/registration/options': { password: PASSWORD },
    'DELETE /auth/passkeys': { password: PASSWORD },
    'DELETE /auth/passkeys/{id}': { password: PASSWORD },
    'POST /convert': { file_id: fileId, to: 'text' },
    'POST /export': { profile_id: shop.profileId, format: 'json' },
    'POST /scanner': { url: 'https://site.invalid/' },
    'POST /media': { file_id: fileId, language: 'en' },
    'POST /manage/payouts': { account_wallet_id: '00000000-0000-4000-8000-000000000000', network: 'eip155:1' },
  }
  return bodies[operation]
}

/** A body with what a browser returns of a passkey. */
const credentialOf = (response: object) => ({
  response: { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: { clientDataJSON: 'e30', ...response } },
})

const NAMES: Record<string, string> = {
  memberId: '00000000-0000-4000-8000-000000000000',
  inviteId: '999999999',
  entryId: '999999999',
  token: 'x'.repeat(43),
  provider: 'github',
  did: 'did:web:profiles.example:u:inspected',
  prefix: 'u',
  username: 'inspected',
  slug: 'inspected',
}

/** The path with parameters of something that exists. */
const goodPath = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'id' && path.startsWith('/files')) return String(fileId)
    if (name === 'fileId') return String(fileId)
    if (name === 'docId') return documentId
    if (name === 'id' && path.startsWith('/workspaces')) return workspaceId
    if (name === 'id' && path.startsWith('/memory')) return sessionId
    if (name === 'id' && path.startsWith('/profiles')) return String(shop.profileId)
    if (name === 'id') return String(path.includes('categories') ? categoryId : pageId)
    if (name === 'version') return '1'
    if (name === 'pageId') return String(pageId)
    return NAMES[name] ?? 'nothing'
  })

const send = (method: string, url: string, payload: unknown, headers: Record<string, string> = shop.headers) =>
  test.app.inject({
    method: method as 'GET',
    url,
    headers: payload === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(payload === undefined ? {} : { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
  })

/** The callers of a route. */
const allowed = (operation: Operation) => (operation['x-auth'] === 'admin' ? admin : shop.headers)

/** Routes with JSON bodies. Invalid forms are tested with the files. */
const withBody = () => operations.filter(([, , { requestBody }]) => requestBody?.content['application/json'])

/** Anyone may follow anyone. The permission is about the acting profile. */
const isForOthers = (path: string) => path.startsWith('/connections/')

/** The protocol answers 204 whether the caller had the subscription or not; it stays when it belongs to others. */
const isEndOfSubscription = (method: string, path: string) => method === 'DELETE' && path.startsWith('/eep/subscri')

/** Queries without which some routes answer 400. */
const REQUIRED_QUERIES: Readonly<Record<string, string>> = { '/workspaces/{id}/search': '?q=notes' }

/** Routes that ignore what they do not know, because the interface says so. */
const LENIENT = new Set(['PUT /manage/profile'])

/** Each way in which a body may be wrong, by what is wrong with it. */
function* wrongBodies(
  schema: JsonSchema,
  good: Record<string, unknown>,
  strict: boolean,
): Generator<[string, unknown]> {
  yield ['no JSON', '{"a":']
  yield ['null', 'null']
  yield ['a list', []]
  yield ['a text', '"text"']
  if (strict) yield ['an unknown member', { ...good, no_such_member: 1 }]
  if (strict) yield ['an unknown member with an endless name', { ...good, ['n'.repeat(900_000)]: 1 }]
  if (strict) {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`no_such_member_${at}`, 1]))
    yield ['thousands of unknown members', { ...good, ...many }]
  }
  yield ['a member named by a NUL', JSON.stringify({ ...good, x: 0 }).replace('"x":0', '"\\u0000":0')]
  yield ['half of a surrogate pair', JSON.stringify({ ...good, x: 0 }).replace('"x":0', '"x":"\\ud800"')]
  yield ['a prototype', JSON.stringify({ ...good, x: 0 }).replace('"x":0', '"__proto__":{"isAdmin":true}')]
  for (const name of schema.required ?? []) {
    const { [name]: _, ...rest } = good
    yield [`${name} missing`, rest]
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield [`${name} of a wrong type`, { ...good, [name]: property.type === 'object' ? 'text' : { not: ['this'] } }]
    if (property.type === 'string') {
      yield [`${name} a number`, { ...good, [name]: 42 }]
      yield [
        `${name} too long`,
        { ...good, [name]: 'x'.repeat(Math.min(property.maxLength ?? 1_100_000, 1_100_000) + 1) },
      ]
      yield [`${name} with a NUL`, { ...good, [name]: 'a\u0000b' }]
    }
    if (property.type === 'integer') {
      for (const value of [1.5, -1, 1e300, '1']) yield [`${name} ${value}`, { ...good, [name]: value }]
    }
    if (property.type === 'array') yield [`${name} endless`, { ...good, [name]: Array(20_000).fill('x') }]
  }
}

const asText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value).slice(0, 2_000) : value)

/** The path of every member and item of a value, the nested ones included. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inside = Object.entries(value).flatMap(([name, member]) => placesIn(member, [...path, name]))
  return path.length > 0 ? [path, ...inside] : inside.length > 0 ? inside : [path]
}

/** What a text may end with that breaks what is written for plain words. */
const TAILS = [
  '\u0000',
  '\ud800',
  '\u202e',
  '\u0301'.repeat(50),
  '\u{1F469}\u200D'.repeat(9),
  '%00',
  "'--",
  '\r\n',
  '\ufeff',
  '/..',
]

/** A copy of a value that is changed at one place. */
function withOddValue(
  value: unknown,
  [name, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): unknown {
  if (name === undefined) return change(value)
  const copy: unknown = structuredClone(value)
  const member = (copy as Record<string, unknown>)[name]
  Object.assign(copy as object, { [name]: withOddValue(member, rest, change) })
  return copy
}

describe('every route', { timeout: 300_000 }, () => {
  it('has a valid body in this test for every route with a body', () => {
    const missing = withBody().filter(([method, path]) => !goodBody(`${method} ${path}`))
    expect(missing.map(([method, path]) => `${method} ${path}`)).toEqual([])
  })

  it('answers an invalid body with a 4xx that names the member, and never with 500', async () => {
    const wrong: string[] = []
    for (const [method, path, operation] of withBody()) {
      const schema = operation.requestBody?.content['application/json']?.schema ?? {}
      const good = goodBody(`${method} ${path}`) as Record<string, unknown>
      for (const [what, body] of wrongBodies(schema, good, !LENIENT.has(`${method} ${path}`))) {
        const response = await send(method, goodPath(path), body, allowed(operation))
        // Paths of the protocol alone say the same as a problem document, whatever was asked for.
        const { error, code = error?.code, detail = error?.message } = response.json()
        const clear = response.statusCode >= 400 && response.statusCode < 500 && code && detail
        // The answer does not repeat the input.
        if (clear && response.body.length > 16_384)
          wrong.push(`${method} ${path}, ${what}: ${response.body.length} bytes`)
        if (!clear) wrong.push(`${method} ${path}, ${what}: ${response.statusCode} ${response.body.slice(0, 120)}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('rejects other users on every route that changes records of an owner', async () => {
    const open: string[] = []
    for (const [method, path, { security }] of operations) {
      const own = path.includes('{id}') || path.includes('{did}') || path.includes('{username}')
      if (security.length === 0 || !own || method === 'GET' || isForOthers(path)) continue
      const { statusCode } = await send(method, goodPath(path), goodBody(`${method} ${path}`), otherUser)
      if (isEndOfSubscription(method, path)) expect(statusCode).toBe(204)
      else if (statusCode !== 403 && statusCode !== 404) open.push(`${method} ${path}: ${statusCode}`)
    }
    expect(open).toEqual([])
  })

  it('answers invalid parameters with 4xx, and never with 500', async () => {
    const wrong: string[] = []
    const values = [
      '-1',
      '0',
      '1.5',
      '99999999999999999999',
      'abc',
      '%00',
      '%F0%9F%92%A9',
      "'; drop table accounts; --",
      '..%2f..%2fetc',
      'x'.repeat(3_000),
      '__proto__',
      '%ff',
    ]
    for (const [method, path, { parameters, requestBody }] of operations) {
      const body = requestBody ? goodBody(`${method} ${path}`) : undefined
      for (const value of values) {
        const urls = [path.replaceAll(/\{\w+\}/g, encodeURI(value).replaceAll('%25', '%'))]
        for (const { name, in: place } of parameters) {
          if (place === 'query')
            urls.push(`${goodPath(path)}?${name}=${value.replaceAll(' ', '%20').replaceAll("'", '%27')}`)
        }
        for (const url of urls) {
          if (method !== 'GET' && url === path) continue
          // Deleting what exists is not what this test is about.
          if (method === 'DELETE' && url.startsWith(goodPath(path))) continue
          const { statusCode, body: text } = await send(method, url, body, method === 'POST' ? otherUser : shop.headers)
          if (statusCode >= 500) wrong.push(`${method} ${url.slice(0, 100)}: ${statusCode} ${text.slice(0, 100)}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })

  it(`answers ${RANDOM_REQUESTS} valid requests with one random value without a 5xx`, async () => {
    const seed = Number(process.env.RANDOM_SEED ?? 1)
    const chance = createChance(seed)
    const { odd } = createOddValues(chance)
    // Requests that would end the session or remove what the others name.
    const isFinal = (method: string, path: string) => method === 'DELETE' || path === '/auth/logout'
    const candidates = operations.filter(([method, path]) => !isFinal(method, path))
    const withBodies = candidates.filter(([, , { requestBody }]) => requestBody?.content['application/json'])
    const wrong: string[] = []
    for (let number = 1; number <= RANDOM_REQUESTS; number++) {
      const [method, path, operation] = chance.pick(chance.happens(0.7) ? withBodies : candidates)
      const queries = operation.parameters.filter((parameter) => parameter.in === 'query')
      const good = operation.requestBody && goodBody(`${method} ${path}`)
      let url = goodPath(path)
      let body: unknown = good
      if (good && chance.happens(0.8)) {
        body = withOddValue(good, chance.pick(placesIn(good)), (value) =>
          typeof value === 'string' && chance.happens(0.6) ? value + chance.pick(TAILS) : odd(),
        )
      } else if (queries.length > 0 && chance.happens(0.7)) {
        url += `?${chance.pick(queries).name}=${encodeURIComponent(String(asText(odd())).toWellFormed())}`
      } else {
        const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([whole]) => whole)
        const value = encodeURIComponent(String(asText(odd())).toWellFormed())
        if (parameters.length > 0) url = goodPath(path.replace(chance.pick(parameters), value))
      }
      const response = await send(method, url, body, allowed(operation))
      if (response.statusCode < 500 || response.statusCode === 503) continue
      const sent = JSON.stringify(body)?.slice(0, 300) ?? ''
      wrong.push(
        `seed ${seed}, request ${number}: ${method} ${url.slice(0, 200)} ${sent}: ${response.body.slice(0, 200)}`,
      )
    }
    expect(wrong).toEqual([])
  })

  it('rejects a NUL anywhere in a path or a query', async () => {
    const wrong: string[] = []
    for (const [method, path, { parameters, requestBody }] of operations) {
      const body = requestBody ? goodBody(`${method} ${path}`) : undefined
      const inQuery = parameters
        .filter((one) => one.in === 'query')
        .map(({ name }) => `${goodPath(path)}?${name}=a%00b`)
      const inPath = path.includes('{') ? [path.replaceAll(/\{\w+\}/g, 'a%00b')] : []
      for (const url of [...inQuery, ...inPath]) {
        const { statusCode, body: text } = await send(method, url, body)
        // A browser that comes back from a provider is led on, whatever it brings.
        if (path.startsWith('/auth/oauth/') && statusCode === 302) continue
        if (statusCode !== 400 && statusCode !== 403)
          wrong.push(`${method} ${url}: ${statusCode} ${text.slice(0, 100)}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('answers unknown ids with 404', async () => {
    const wrong: string[] = []
    for (const [method, path, operation] of operations) {
      if (!path.includes('{id}') || operation.security.length === 0) continue
      const { statusCode } = await send(
        method,
        goodPath(path.replace('{id}', '999999999')) + (REQUIRED_QUERIES[path] ?? ''),
        goodBody(`${method} ${path}`),
        allowed(operation),
      )
      if (isEndOfSubscription(method, path)) expect(statusCode).toBe(204)
      else if (statusCode !== 404) wrong.push(`${method} ${path}: ${statusCode}`)
    }
    expect(wrong).toEqual([])
  })
})

describe('the issues of a wrong body', () => {
  const price = { type: 'payment', amount: 0.01, currency: 'usdc', per: 'day' }
  const combined = { type: 'combined', combine_mode: 'any', requirements: [{ type: 'trust', min_score: 5 }, price] }

  it.each([
    ['a price of nothing', { ...price, amount: 0 }, '/amount'],
    ['an unknown period', { ...price, per: 'decade' }, '/per'],
    ['a score over 100', { type: 'trust', min_score: 101 }, '/min_score'],
    ['a member too many', { ...combined, colour: 'red' }, ''],
    [
      'a price of nothing in a combination',
      { ...combined, requirements: [price, { ...price, amount: 0 }] },
      '/requirements/1/amount',
    ],
    ['an extension without its prefix', { type: 'moon-phase' }, ''],
    ['no type', {}, ''],
  ])('names the invalid member of a requirement: %s', async (_, requirement, member) => {
    const paid = { requirements: [requirement], access: ['content.*'] }
    const gate = { default_tier: 'open', tiers: { open: { requirements: [], access: ['profile.*'] }, paid } }
    const { error } = (await send('PUT', goodPath('/eep/gates/{did}'), gate)).json()
    expect(error.details.issues.map(({ path }: { path: string }) => path)).toEqual([
      `/tiers/paid/requirements/0${member}`,
    ])
    expect(error.message).not.toMatch(/Invalid (input|string)$|must match pattern/)
  })

  it('describes missing members in plain words', async () => {
    expect((await send('POST', '/auth/login', {})).json().error.message).toBe('body/email: Missing; expected string')
    expect((await send('GET', '/manage/pages', undefined)).json().error.message).toBe(
      'query/profile_id: Missing or not a number',
    )
  })
})
