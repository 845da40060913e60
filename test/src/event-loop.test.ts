import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresStorage } from '@eep/adapters-postgres'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWriter } from './support/content.ts'
import { createDatabase, onPglite } from './support/database.ts'
import { advice, price } from './support/deals.ts'
import { awkward, fillDatabase } from './support/largest.ts'
import { startMeasuredHost } from './support/measured.ts'
import type { TestDatabase } from './support/postgres-server.ts'

// Measured is the CPU time of the service's main thread, so neither the database, nor worker threads, nor other
// processes on a busy machine count. A PGlite would share the thread, so this runs on PostgreSQL only.
const MAX_BLOCK_MS = 200
const ATTEMPTS = 3
const PREFIXES_OF_OTHER_TYPES = /^\/(o|l|a|p|k|agent|e|x)\//
const USERNAME = 'largest'
const DID = `did:web:profiles.example:u:${USERNAME}`

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: { maximum?: number } }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
}

interface Ask {
  readonly method?: string
  /** May depend on the attempt, so that no attempt is answered from a cache. */
  readonly url: string | ((attempt: number) => string)
  readonly accept?: string
  readonly payload?: unknown
}

const directory = join(tmpdir(), `eep-files-${randomUUID()}`)
let database: TestDatabase
let host: Awaited<ReturnType<typeof startMeasuredHost>>
let headers: Record<string, string>
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
  database = await createDatabase()
  const pool = new Pool({ connectionString: database.connectionString })
  const storage = postgresStorage({ pool })
  await storage.migrate()
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
    id: ada.profileId,
    pageId: big.id,
    fileId: filled.recording,
    textFile: filled.textFile,
    did: DID,
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
  const { paths } = (await host.inject({ url: '/docs/openapi.json' })).json()
  operations = Object.entries(paths as Record<string, Record<string, Operation>>)
    .filter(([path]) => !PREFIXES_OF_OTHER_TYPES.test(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
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

/** Asks and tells how long the event loop was blocked; of a few attempts the best, measured against the machine's speed. */
async function blockOf({ method = 'GET', url, accept, payload }: Ask): Promise<{ ms: number; what: string }> {
  let best = Number.POSITIVE_INFINITY
  let what = ''
  for (let attempt = 0; attempt < ATTEMPTS && best > MAX_BLOCK_MS; attempt++) {
    await host.longest()
    const path = typeof url === 'string' ? url : url(attempt)
    const response = await host.inject({
      method,
      url: path,
      headers: {
        ...headers,
        ...(accept ? { accept } : {}),
        ...(payload ? { 'content-type': 'application/json' } : {}),
      },
      payload: payload === undefined || typeof payload === 'string' ? payload : JSON.stringify(payload),
    })
    const { ms, slowness } = await host.longest()
    best = Math.min(best, ms / Math.max(1, slowness))
    what = `${method} ${path.slice(0, 100)} ${accept ?? ''} ${response.statusCode}, ${response.body.length} characters`
  }
  return { ms: best, what }
}

async function tooLong(asks: readonly Ask[]): Promise<readonly string[]> {
  const blocks: { ms: number; what: string }[] = []
  for (const ask of asks) blocks.push(await blockOf(ask))
  return blocks.filter(({ ms }) => ms > MAX_BLOCK_MS).map(({ ms, what }) => `${ms.toFixed(0)} ms: ${what}`)
}

it.skipIf(onPglite())(
  'no read of the largest stored content blocks the event loop for more than 200 ms',
  async () => {
    const asks = operations
      .filter(({ method }) => method === 'GET')
      .flatMap(({ path, operation }): Ask[] => {
        const url = (attempt: number) => `${fill(path, attempt)}${maximalQuery(operation, attempt)}`
        const types = Object.keys(operation.responses['200']?.content ?? {})
        const others = types.length > 1 ? types.map((accept) => ({ url, accept })) : [{ url }]
        if (!path.endsWith('{path}')) return others
        const pages = ['rendered', 'table', 'category-1'].map(
          (slug) => (attempt: number) => url(attempt).replace('/big', `/${slug}`),
        )
        return [...others, ...pages.flatMap((page) => types.map((accept) => ({ url: page, accept })))]
      })
    expect(asks.length).toBeGreaterThan(100)
    expect(await tooLong(asks)).toEqual([])
  },
  180_000,
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
  60_000,
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
    const members = Object.fromEntries(Array.from({ length: 80_000 }, (_, at) => [`k${at}`, 1]))
    const hostile = [`[${'0,'.repeat(520_000)}0]`, JSON.stringify(members), JSON.stringify('\u0001'.repeat(170_000))]
    const invalid = operations
      .filter(({ operation }) => operation.requestBody?.content['application/json'])
      .map(({ method, path }, at) => ({ method, url: fill(path), payload: hostile[at % hostile.length] }))
    expect(invalid.length).toBeGreaterThan(40)
    expect(await tooLong([...valid, ...invalid])).toEqual([])
  },
  180_000,
)
