import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'

const KEPT_VERSIONS = 3
const WORD = 'plover-secret-goods'

let service: Awaited<ReturnType<typeof createTestApp>>
let owner: Writer
let page: string

beforeAll(async () => {
  service = await createTestApp({ gates: { maxVersions: KEPT_VERSIONS } })
  owner = await createWriter(service.app, 'somerville')
  await owner.newPage({ title: 'Kept', body: WORD })
  page = `${owner.contents}/kept`
})
afterAll(() => service.close())

const did = 'did:web:profiles.example:u:somerville'
const url = `/eep/gates/${did}`

const publicTier = { requirements: [], access: ['profile.*'] }
const configWith = (tier: object) => ({
  default_tier: 'public',
  tiers: {
    public: publicTier,
    inner: { requirements: [{ type: 'trust', min_score: 90 }], access: ['content.*'], ...tier },
  },
})

const put = (config: Readonly<Record<string, unknown>>) => owner.put(url, config)
const { get } = client(() => service.app)

async function store(config: Readonly<Record<string, unknown>>) {
  const answer = await put(config)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer
}

describe('a gate configuration that is too large', () => {
  it('rejects a configuration above 64 KB with 413', async () => {
    await store(configWith({ label: 'Before' }))
    const refused = await put(configWith({ metadata: { text: 'x'.repeat(65_536) } }))
    expect([refused.statusCode, codeOf(refused)]).toEqual([413, 'payload_too_large'])
    expect((await get(url)).json()).toEqual(configWith({ label: 'Before' }))
  })

  it('rejects tier metadata above 16 KB', async () => {
    const refused = await put(configWith({ metadata: { text: 'x'.repeat(16_384) } }))
    expect([refused.statusCode, codeOf(refused)]).toEqual([400, 'validation_failed'])
    expect(refused.json().error.details.issues[0].path).toBe('/tiers/inner/metadata')
    await store(configWith({ metadata: { text: 'x'.repeat(16_000) } }))
  })

  it('rejects a configuration whose numbers exceed the limit once serialized', async () => {
    const numbers = Array(10_000).fill('1e20').join(',')
    const body = JSON.stringify(configWith({ requirements: [{ type: 'x-list', numbers: [0] }] }))
    const refused = await client(service.app).put(url, body.replace('[0]', `[${numbers}]`), {
      ...owner.headers,
      'content-type': 'application/json',
    })
    expect(refused.statusCode).toBe(400)
    expect(refused.json().error.message).toMatch(/65536 bytes/)
  })

  it('rejects too many tiers or requirements with a single issue', async () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, number) => [`t${number}`, 0]))
    const tiers = await put({ default_tier: 'public', tiers: many })
    const nested = (levels: number): unknown =>
      levels === 0
        ? 0
        : { type: 'combined', combine_mode: 'any', requirements: Array.from({ length: 9 }, () => nested(levels - 1)) }
    const requirements = await put(configWith({ requirements: [nested(4)] }))
    for (const refused of [tiers, requirements]) {
      expect(refused.statusCode).toBe(400)
      expect(refused.body.length).toBeLessThan(2_000)
    }
  })
})

describe('a public read of a gate configuration', () => {
  it('returns the stored configuration without validating it again', async () => {
    await store(configWith({ label: 'Stored' }))
    // A configuration that a release without the limit of one payment in a tier accepted.
    const payment = { type: 'payment', amount: 1, currency: 'usd', per: 'once' }
    const stored = configWith({ label: 'Other', requirements: [payment, payment] })
    expect((await put(stored)).statusCode).toBe(400)
    await service.storage.transaction((tx) =>
      tx.gates.put({
        profileId: owner.profileId,
        config: stored,
        changedBy: owner.account.id,
        updatedAt: new Date(),
      }),
    )
    // The next change of the profile ends what the cache holds of it.
    await owner.newPage({ title: 'Another', body: 'Words.' })
    const answer = await get(url)
    expect([answer.statusCode, answer.json()]).toEqual([200, stored])
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('private, max-age=60')
    const known = await get(url, { 'if-none-match': String(answer.headers.etag) })
    expect([known.statusCode, known.body]).toEqual([304, ''])
  })
})

describe('versions of a gate configuration', () => {
  const versions = async (query = '') => (await get(`${url}/versions${query}`, owner.headers)).json()

  it('lists versions without configurations, and returns each one separately', async () => {
    const first = await store(configWith({ label: 'First' }))
    const { data } = await versions('?limit=1')
    expect(data).toEqual([
      {
        version: expect.any(Number),
        bytes: Buffer.byteLength(first.body),
        changed_by: owner.account.id,
        changed_at: expect.any(String),
      },
    ])
    await store(configWith({ label: 'Second' }))
    const one = await get(`${url}/versions/${data[0].version}`, owner.headers)
    expect([one.statusCode, one.json()]).toEqual([200, { ...data[0], config: configWith({ label: 'First' }) }])
  })

  it('keeps the configured number of newest versions', async () => {
    for (const label of ['a', 'b', 'c', 'd', 'e']) await store(configWith({ label }))
    const { data, pagination } = await versions()
    expect([data.length, pagination.total]).toEqual([KEPT_VERSIONS, KEPT_VERSIONS])
    const [newest] = data
    const gone = await get(`${url}/versions/${newest.version - KEPT_VERSIONS}`, owner.headers)
    expect([gone.statusCode, codeOf(gone)]).toEqual([404, 'gate_version_not_found'])
    const oldest = await get(`${url}/versions/${newest.version - KEPT_VERSIONS + 1}`, owner.headers)
    expect(oldest.json().config).toEqual(configWith({ label: 'c' }))
    expect((await get(url)).json()).toEqual(configWith({ label: 'e' }))
  })

  it('shows versions only to members who may change the gate', async () => {
    const { data } = await versions('?limit=1')
    const path = `${url}/versions/${data[0].version}`
    expect((await get(path, (await signUp(service.app)).headers)).statusCode).toBe(403)
    expect((await get(`${url}/versions/x`, owner.headers)).statusCode).toBe(404)
  })
})

describe('a refusal', () => {
  const dids = Array.from({ length: 1_000 }, (_, number) => `did:key:z6Mk${number}`)
  const listed = { type: 'allowlist', dids }
  const shown = { type: 'allowlist', dids_count: 1_000 }

  it('shows only the number of entries of a long allowlist', async () => {
    const nested = { type: 'combined', combine_mode: 'any', requirements: [listed, { type: 'trust', min_score: 90 }] }
    await store(configWith({ requirements: [listed, nested] }))
    const refused = await get(page)
    expect(refused.statusCode).toBe(403)
    expect(refused.body).not.toContain('z6Mk')
    expect(refused.body).not.toContain(WORD)
    const { unmet_requirements: unmet, available_tiers: tiers } = refused.json()
    expect(unmet).toMatchObject([shown, { type: 'combined', requirements: [shown, { type: 'trust' }] }])
    expect(tiers.inner.requirements).toEqual([shown, { ...nested, requirements: [shown, nested.requirements[1]] }])
    const problem = await get(page, { accept: 'application/problem+json' })
    expect(problem.body).not.toContain('z6Mk')
    const proof = await client(service.app).post(`${url}/verify-proof`, { resource: 'content.kept' })
    expect([proof.statusCode, proof.body.includes('z6Mk')]).toEqual([403, false])
    expect((await get(url)).json().tiers.inner.requirements[0]).toEqual(listed)
  })

  it('shows the entries of a short allowlist', async () => {
    const few = { type: 'allowlist', dids: dids.slice(0, 10) }
    await store(configWith({ requirements: [few] }))
    expect((await get(page)).json().unmet_requirements).toMatchObject([few])
  })

  it('omits the members of a large extension requirement', async () => {
    await store(configWith({ requirements: [{ type: 'x-long', text: 'y'.repeat(10_000) }] }))
    const refused = await get(page)
    expect(refused.body.length).toBeLessThan(3_000)
    expect(refused.json().unmet_requirements).toEqual([{ type: 'x-long', resolution_hint: expect.any(String) }])
  })
})

describe('warnings about a saved configuration', () => {
  const sold = (amount: number) =>
    configWith({ requirements: [{ type: 'payment', amount, currency: 'usd', per: 'once' }] })

  it('names the tiers above 1.00 when the address of a payer is enough to read', async () => {
    const saved = await store(sold(1.01))
    expect(saved.json().warnings).toEqual([{ code: 'payer_lookup', tier: 'inner' }])
    expect((await get(url)).json()).not.toHaveProperty('warnings')
  })

  it('has no warnings for a price of cents', async () => {
    expect((await store(sold(1))).json()).toEqual(sold(1))
  })

  it('has no warnings when payers prove themselves', async () => {
    const strict = await createTestApp({ storage: service.storage, payments: { payerProof: 'signed' } })
    const saved = await client(strict.app).put(url, sold(90), owner.headers)
    await strict.close()
    expect([saved.statusCode, saved.json()]).toEqual([200, sold(90)])
  })
})
