import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresStorage } from '@eep/adapters-postgres'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMigratedDatabase } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter } from '../support/content.ts'
import { onPglite } from '../support/database.ts'
import { advice, price } from '../support/deals.ts'
import { field, fileOf, formOf } from '../support/files.ts'
import { administer, awkward, fillDatabase } from '../support/largest.ts'
import { type BodySchema, type Components, largestValue } from '../support/largest-body.ts'
import { startMeasuredHost } from '../support/measured.ts'
import type { TestDatabase } from '../support/postgres-server.ts'

// Measured is the CPU time of the service's main thread, so neither the database, nor worker threads, nor other
// processes on a busy machine count. A PGlite would share the thread, so this runs on PostgreSQL only.
const MAX_BLOCK_MS = 200
const ATTEMPTS = 3
const USERNAME = 'largest'
const DID = `did:web:profiles.example:u:${USERNAME}`

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: { maximum?: number } }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: BodySchema }>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
}

/** Whether every route gets every kind of body and is compressed in every format, as in CI. */
const IS_THOROUGH = Number(process.env.RANDOM_THOUSANDS) >= 1

interface Ask {
  readonly method?: string
  /** May depend on the attempt, so that no attempt is answered from a cache. */
  readonly url: string | ((attempt: number) => string)
  readonly accept?: string
  /** A function makes a new body for each attempt, for values that may be used once. */
  readonly payload?: unknown
  /** The media type of the body. Default: JSON. */
  readonly type?: string | undefined
  /** Requests an uncompressed response. */
  readonly uncompressed?: boolean
  /** The headers of the caller, empty for an anonymous one. Default: the owner of the largest content. */
  readonly as?: Record<string, string>
}

interface Block {
  readonly ms: number
  readonly what: string
  /** Whether the service refused the request because of its form. */
  readonly invalid: boolean
}

const directory = join(tmpdir(), `eep-files-${randomUUID()}`)
let database: TestDatabase
let host: Awaited<ReturnType<typeof startMeasuredHost>>
let headers: Record<string, string>
let schemas: Components
let names: Readonly<Record<string, string | number>>
let operations: readonly { readonly method: string; readonly path: string; readonly operation: Operation }[]

const maximalProfile = {
  full_name: awkward(128),
  bio: awkward(5_000),
  skills: Array.from({ length: 50 }, (_, at) => awkward(60) + at),
  keywords: Array.from({ length: 50 }, (_, at) => awkward(60) + at),
  agent_instructions: awkward(10_000),
  agent_rules: awkward(10_000),
  custom_fields: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, awkward(16)])),
}

const maximalGate = {
  default_tier: 'open',
  tiers: {
    open: { requirements: [], access: ['profile.*', 'files.*'] },
    ...Object.fromEntries(
      Array.from({ length: 19 }, (_, at) => [
        `tier${at}`,
        {
          label: awkward(128),
          requirements: [{ type: 'payment', amount: 1 + at, currency: 'usdc', per: 'day' }],
          access: Array.from({ length: 100 }, (_unused, n) => `content.p${at}x${n}.*`),
        },
      ]),
    ),
  },
}

const maximalService = {
  ...advice(),
  description: awkward(4_096),
  tags: Array.from({ length: 20 }, (_, at) => awkward(60) + at),
}

beforeAll(async () => {
  if (onPglite()) return
  database = await createMigratedDatabase()
  const pool = new Pool({ connectionString: database.connectionString })
  const storage = postgresStorage({ pool })
  await storage.close()
  await pool.end()
  host = await startMeasuredHost({ DATABASE_URL: database.connectionString, BLOBS: directory })

  const ada = await createWriter(host.app, USERNAME)
  headers = ada.headers
  const must = async (method: 'PUT' | 'POST', url: string, payload: object) => {
    const { statusCode, body } = await ada.send(method, url, payload as Record<string, unknown>)
    if (statusCode >= 300) throw new Error(`${method} ${url}: ${statusCode} ${body.slice(0, 300)}`)
    return JSON.parse(body)
  }
  await must('PUT', `/profiles/u/${USERNAME}`, maximalProfile)
  await must('PUT', `/eep/gates/${DID}`, maximalGate)
  const big = await ada.newPage({ title: 'Big', body: 'x\n'.repeat(524_288) })
  await ada.putPage(big.id, { body: '\n'.repeat(1_048_576), status: 'archived' })
  await ada.putPage(big.id, { status: 'published' })
  await ada.newPage({ title: 'Rendered', body: awkward(262_000) })
  await ada.newPage({
    title: 'Table',
    body: `|${'a|'.repeat(500)}\n|${'-|'.repeat(500)}\n${`|${'x|'.repeat(500)}\n`.repeat(100)}`,
  })
  const service = await must('POST', `/eep/services/${DID}`, maximalService)
  for (let at = 0; at < 99; at++) await must('POST', `/eep/services/${DID}`, maximalService)
  const filled = await fillDatabase(database, { profileId: ada.profileId, accountId: ada.account.id, pageId: big.id })

  names = {
    suffix: 'json',
    id: ada.profileId,
    pageId: big.id,
    fileId: filled.recording,
    textFile: filled.textFile,
    did: DID,
    accountId: ada.account.id,
    tier: 'pro',
    username: USERNAME,
    prefix: 'u',
    slug: USERNAME,
    receiptId: 'rcpt_1',
    version: 2,
    part: 1,
    code: 'page_not_found',
    path: 'big',
    serviceId: service.service_id ?? service.id,
  }
  const { paths, components } = (await client(host.app).get('/docs/openapi.json')).json()
  schemas = components.schemas
  operations = Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    // Streams do not end.
    /^\/(?:stream|eep\/stream)\b/.test(path)
      ? []
      : Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}, 300_000)

afterAll(async () => {
  await host?.stop()
  await database?.drop()
  await rm(directory, { recursive: true, force: true })
})

const fill = (path: string, attempt = 0): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'receiptId') return `rcpt_${attempt + 1}`
    if (name !== 'id') return String(names[name] ?? 'nothing')
    if (path.startsWith('/manage/pages')) return String(names.pageId)
    if (path.startsWith('/files')) return String(names.textFile)
    if (path.startsWith('/eep/services')) return String(names.serviceId)
    if (path.startsWith('/eep/commerce')) return String(names.negotiationId)
    if (path.startsWith('/admin/users')) return String(names.accountId)
    return String(names.id)
  })

const QUERIES: Readonly<Record<string, () => string>> = {
  profile_id: () => String(names.id),
  did: () => DID,
  resource: () => `content.${'a.'.repeat(240)}b`,
  username: () => USERNAME,
  title: () => awkward(200),
  profile_type: () => 'person',
  category_id: () => 'top',
}

function maximalQuery({ parameters }: Operation, attempt: number): string {
  const query = new URLSearchParams()
  for (const { name, in: place, schema } of parameters) {
    if (place !== 'query') continue
    if (name === 'limit') query.set(name, String((schema.maximum ?? 100) - attempt))
    const value = QUERIES[name]?.()
    if (value !== undefined) query.set(name, value)
  }
  return query.size > 0 ? `?${query}` : ''
}

/** Measures the longest block of a request: the best of a few attempts, relative to the speed of the machine. */
async function blockOf({
  method = 'GET',
  url,
  accept,
  payload,
  type,
  uncompressed,
  as = headers,
}: Ask): Promise<Block> {
  let ms = Number.POSITIVE_INFINITY
  let what = ''
  let invalid = false
  for (let attempt = 0; attempt < ATTEMPTS && ms > MAX_BLOCK_MS; attempt++) {
    const path = typeof url === 'string' ? url : url(attempt)
    const body = typeof payload === 'function' ? payload() : payload
    const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
    await host.longest()
    const response = await client(host.app).send(method, path, isRaw ? body : JSON.stringify(body), {
      ...as,
      ...(accept ? { accept } : {}),
      ...(uncompressed ? { 'accept-encoding': 'identity' } : {}),
      ...(body === undefined ? {} : { 'content-type': type ?? 'application/json' }),
    })
    const block = await host.longest()
    ms = Math.min(ms, block.ms / Math.max(1, block.slowness))
    invalid = response.body.includes('"validation_failed"')
    const answer = response.statusCode >= 400 ? response.body.slice(0, 300) : `${response.body.length} characters`
    what = `${method} ${path.slice(0, 100)} ${accept ?? ''} ${response.statusCode}, ${answer}`
  }
  return { ms, what, invalid }
}

const slowOf = (blocks: readonly Block[]): readonly string[] =>
  blocks.filter(({ ms }) => ms > MAX_BLOCK_MS).map(({ ms, what }) => `${ms.toFixed(0)} ms: ${what}`)

async function blocksOf(asks: readonly Ask[]): Promise<readonly Block[]> {
  const blocks: Block[] = []
  for (const ask of asks) blocks.push(await blockOf(ask))
  return blocks
}

const tooLong = async (asks: readonly Ask[]): Promise<readonly string[]> => slowOf(await blocksOf(asks))

it.skipIf(onPglite())(
  'no read of the largest stored content blocks the event loop for more than 200 ms',
  async () => {
    const asks = operations
      .filter(({ method }) => method === 'GET')
      .flatMap(({ path, operation }): Ask[] => {
        const url = (attempt: number) => `${fill(path, attempt)}${maximalQuery(operation, attempt)}`
        const types = Object.keys(operation.responses['200']?.content ?? {})
        const others =
          types.length > 1
            ? types.map((accept, at) => ({ url, accept, uncompressed: at > 0 && !IS_THOROUGH }))
            : [{ url }]
        if (!path.endsWith('{path}')) return others
        const pages = ['rendered', 'table', 'category-1'].map(
          (slug) => (attempt: number) => url(attempt).replace('/big', `/${slug}`),
        )
        return [...others, ...pages.flatMap((page) => types.map((accept) => ({ url: page, accept })))]
      })
    expect(asks.length).toBeGreaterThan(100)
    expect(await tooLong(asks)).toEqual([])
  },
  600_000,
)

it.skipIf(onPglite())(
  'no request with the longest Accept header blocks the event loop for more than 200 ms',
  async () => {
    const hostile = [`"${'\\"'.repeat(8_000)}\\`, '"a'.repeat(8_000), ','.repeat(16_000), ';q=1'.repeat(4_000)]
    const asks = [`/u/${USERNAME}`, '/nothing', '/docs/openapi.json'].flatMap((url) =>
      hostile.map((accept): Ask => ({ url, accept })),
    )
    expect(await tooLong(asks)).toEqual([])
  },
  600_000,
)

it.skipIf(onPglite())(
  'no request with the largest body blocks the event loop for more than 200 ms',
  async () => {
    const page = `/manage/pages/${names.pageId}`
    const valid: Ask[] = [
      { method: 'PUT', url: page, payload: { body: 'y\n'.repeat(524_288) } },
      { method: 'PUT', url: page, payload: { body: '\u0001'.repeat(340_000) } },
      { method: 'PUT', url: `/profiles/u/${USERNAME}`, payload: maximalProfile },
      { method: 'PUT', url: `/eep/gates/${DID}`, payload: maximalGate },
      { method: 'POST', url: `${page}/versions/1/restore` },
      {
        method: 'POST',
        url: '/manage/reorder',
        payload: { kind: 'pages', profile_id: names.id, ids: Array.from({ length: 10_000 }, (_, at) => at + 1) },
      },
      {
        method: 'POST',
        url: '/eep/commerce/negotiations',
        payload: { seller_did: DID, service: awkward(256), pricing: price(9), reason: awkward(1_024) },
      },
    ]
    const members = JSON.stringify(Object.fromEntries(Array.from({ length: 80_000 }, (_, at) => [`k${at}`, 1])))
    const hostile = [`[${'0,'.repeat(520_000)}0]`, members, JSON.stringify('\u0001'.repeat(170_000))]
    const routes = operations.filter(({ operation }) => operation.requestBody?.content['application/json'])
    expect(routes.length).toBeGreaterThan(40)
    // Lists and texts are refused before the schema of a route matters, so a few routes get them.
    const invalid = routes
      .map(({ method, path }, at) => ({ method, url: fill(path), payload: hostile[at % hostile.length] }))
      .filter(({ payload }, at) => payload === members || at < 12 || IS_THOROUGH)
    expect(await tooLong([...valid, ...invalid])).toEqual([])
  },
  600_000,
)

let count = 0
/** A slug of the longest length that no earlier request has used. */
const newSlug = () => `${'s'.repeat(86)}-${1_000 + count++}`

/** Values that a request needs to get past the checks of the route, by the name of the member. */
const POSSIBLE: Readonly<Record<string, () => unknown>> = {
  profile_id: () => names.id,
  category_id: () => null,
  parent_id: () => null,
  slug: newSlug,
  did: () => DID,
  seller_did: () => DID,
  pay_to_did: () => DID,
  password: () => `Aa1${'x'.repeat(125)}`,
  new_password: () => `Aa1${'x'.repeat(125)}`,
  language: () => 'en',
  file_id: () => names.textFile,
  resource: () => 'content.p0x0.a',
}

const twenty = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${awkward(50)}${at}`, awkward(200)]))
const thirty = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`network-${at}`, 'a'.repeat(100)]))
const twentySections = Array.from({ length: 20 }, (_, at) => ({
  key: `section-${at}`,
  title: awkward(128),
  body: awkward(5_000),
}))
const hundredEntries = Array.from({ length: 100 }, () => ({ role: 'assistant', content: awkward(8_000), metadata: {} }))
const details = { ...maximalProfile, socials: thirty }

/** Limits that the description of the interface does not show, and members that exclude each other. */
const EXCEPTIONS: Readonly<Record<string, () => object>> = {
  'DELETE /auth/account': () => ({ code: undefined }),
  'DELETE /auth/passkeys/{id}': () => ({ password: undefined }),
  'DELETE /auth/passkeys': () => ({ password: undefined }),
  'POST /auth/passkeys/registration/options': () => ({ password: undefined }),
  'POST /eep/payment/recovery/wallet': () => ({ signature: `0x${'ab'.repeat(3_000)}` }),
  'POST /api-keys': () => ({ expires_at: undefined }),
  'PUT /profiles/{prefix}/{username}': () => ({
    ...details,
    type_data: undefined,
    username: undefined,
    files_to_delete: [],
  }),
  'POST /profiles': () => ({ ...details, username: `place-${++count}`, profile_type: 'place', type_data: {} }),
  'PUT /manage/profile': () => details,
  'POST /feed': () => ({ body: '👩‍🚀'.repeat(500), reply_to: undefined, attachments: [] }),
  'POST /export': () => ({ account: undefined }),
  'DELETE /data/claims/{claim_id}': () => ({ claim_id: 'nothing' }),
  'POST /memory/sessions/{id}/entries': () => ({ entries: hundredEntries }),
  'POST /workspaces/{id}/invites': () => ({ username: undefined }),
  'PUT /profiles/{id}/smart-sections': () => ({ sections: twentySections }),
  'POST /profiles/{id}/team/invites': () => ({ username: undefined }),
  'PUT /eep/gates/{did}': () => maximalGate,
  'POST /manage/entitlements': () => ({
    payer_wallet: undefined,
    payer_network: undefined,
    payer_did: undefined,
    account: undefined,
    tier: 'tier1',
  }),
  'POST /eep/services/{did}': () => ({ metadata: twenty }),
  'PUT /eep/services/{did}/{id}': () => ({ metadata: twenty }),
  'POST /eep/commerce/negotiations': () => ({ metadata: twenty, pay_to_did: undefined, target_did: undefined }),
  'POST /eep/payment/stripe/mpp/settle': () => ({ credential: undefined }),
}

/** A gate of nearly 64 KB, all of whose tiers sell every page. */
const crowdedGate = {
  default_tier: 'open',
  tiers: {
    open: { requirements: [], access: ['profile.*'] },
    ...Object.fromEntries(
      Array.from({ length: 19 }, (_, at) => [
        `tier${at}`,
        {
          label: awkward(128),
          description: awkward(500),
          requirements: [{ type: 'payment', amount: 1 + at, currency: 'usdc', per: 'day' }],
          access: ['*', ...Array.from({ length: 10 }, (_unused, n) => `content.${'a.'.repeat(105)}p${n}.*`)],
        },
      ]),
    ),
  },
}

/** The largest body that a route takes; undefined for a route without one. */
function largestBody(method: string, path: string): Record<string, unknown> | undefined {
  const route = operations.find((each) => each.method === method && each.path === path)
  const schema = route?.operation.requestBody?.content['application/json']?.schema
  if (!schema) return undefined
  const largest = largestValue(schema, schemas) as Record<string, unknown>
  const possible = Object.entries(POSSIBLE).filter(([name]) => name in largest)
  return {
    ...largest,
    ...Object.fromEntries(possible.map(([name, value]) => [name, value()])),
    ...EXCEPTIONS[`${method} ${path}`]?.(),
  }
}

/** Makes the caller an administrator, and the seller of a deal that another account has opened. */
async function prepareWrites() {
  await administer(database, String(names.accountId))
  const buyer = await createWriter(host.app, `${USERNAME}-buyer`)
  const deals = '/eep/commerce/negotiations'
  const opened = await buyer.post(deals, largestBody('POST', deals) ?? {})
  if (opened.statusCode !== 201) throw new Error(`no deal: ${opened.body.slice(0, 300)}`)
  names = { ...names, negotiationId: opened.json().negotiation_id }
}

it.skipIf(onPglite())(
  'no write with the largest valid body blocks the event loop for more than 200 ms',
  async () => {
    await prepareWrites()
    const asks = operations.flatMap(({ method, path }): Ask[] =>
      largestBody(method, path) ? [{ method, url: fill(path), payload: () => largestBody(method, path) }] : [],
    )
    expect(asks.length).toBeGreaterThan(45)
    const blocks = await blocksOf(asks)
    expect(blocks.filter(({ invalid }) => invalid).map(({ what }) => what)).toEqual([])
    expect(slowOf(blocks)).toEqual([])
  },
  300_000,
)

it.skipIf(onPglite())(
  'no gate of the largest legal size blocks the event loop for more than 200 ms',
  async () => {
    const gate = `/eep/gates/${DID}`
    const page = `/u/${USERNAME}/content/rendered`
    const put = await blockOf({ method: 'PUT', url: gate, payload: crowdedGate })
    const asks: Ask[] = [
      ...['text/html', 'application/json', 'text/markdown'].flatMap((accept): Ask[] => [
        { url: page, accept, as: {} },
        { url: `/u/${USERNAME}/content?limit=100`, accept, as: {} },
      ]),
      { url: gate, as: {} },
      { url: '/llms.txt', as: {} },
      {
        method: 'POST',
        url: '/eep/payment/x402/payment-required',
        payload: { did: DID, resource: 'content.rendered' },
        as: {},
      },
    ]
    const blocks = [put, ...(await blocksOf(asks))]
    expect(put.what).toContain(' 200,')
    expect(slowOf(blocks)).toEqual([])
  },
  600_000,
)

it.skipIf(onPglite())(
  'no upload of a large file blocks the event loop for more than 200 ms',
  async () => {
    const { headers: uploader } = await createWriter(host.app, `${USERNAME}-uploader`)
    const large = Buffer.alloc(5_000_000, 'A line of text.\n')
    const asks = ['large.bin', 'large.txt', 'large.png', 'large.mp3'].map((name): Ask => {
      const { payload, headers: form } = formOf([field('username', `${USERNAME}-uploader`), fileOf(large, name)])
      return { method: 'POST', url: '/files', payload, type: form['content-type'], as: uploader }
    })
    const blocks = await blocksOf(asks)
    expect(blocks.filter(({ what }) => what.includes(' 200,'))).toHaveLength(2)
    expect(slowOf(blocks)).toEqual([])
  },
  600_000,
)
