import { cashRail, createCashWallets } from '@eep/core/testing'
import { decode } from '@toon-format/toon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { FIELD_NAMES, FIELDS, TRACES } from '../support/profile-fields.ts'
import { cookieOf, decodeHeader, header } from '../support/shop.ts'

const cashWallets = createCashWallets()
let test: Awaited<ReturnType<typeof createTestApp>>
beforeAll(async () => {
  test = await createTestApp({ payments: { rails: [cashRail({ cashWallets })] } })
})
afterAll(() => test.close())

type Headers = Record<string, string>
const { get } = client(() => test.app)
const json = async (url: string, headers: Headers = {}) => {
  const response = await get(url, { accept: 'application/json', ...headers })
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

const payment = (per = 'day', amount = 0.01) => ({ type: 'payment', amount, currency: 'usdc', per })

let wallets = 0
const newWallet = () => `0x${String(++wallets).padStart(40, '0')}`

/** A profile with every field filled and a gate that sells some patterns. */
async function openProfile(access: readonly string[], { per = 'day', open = ['profile.*', 'content.*'] } = {}) {
  const { headers, account } = await signUp(test.app)
  const { username } = account
  await client(test.app).put(`/profiles/u/${username}`, FIELDS, headers)
  const did = `did:web:profiles.example:u:${username}`
  const put = (payload: object) => client(test.app).put(`/eep/gates/${did}`, payload, headers)
  const tiers = {
    public: { requirements: [], access: open },
    reader: { label: 'Reader', requirements: [payment(per)], access },
  }
  const response = await put({ default_tier: 'public', tiers })
  expect(response.statusCode, response.body).toBe(200)
  return { headers, username, did, put, path: `/u/${username}`, id: account.active_profile_id }
}

/** Pays for an address and gives what its payer shows from then on. */
async function buy(url: string, headers: Headers = {}) {
  const challenge = await get(url, headers)
  expect(challenge.statusCode, challenge.body).toBe(402)
  const proof = cashWallets.answer(header(challenge, 'payment-required'), { wallet: newWallet() })
  const paid = await get(url, { ...headers, ...proof })
  expect(paid.statusCode, paid.body).toBe(200)
  return { paid, cookie: `eep_payer=${cookieOf(paid, 'eep_payer')}` }
}

const FORMATS = [
  ['markdown', '?format=markdown', {}],
  ['json', '?format=json', {}],
  ['toon', '?format=toon', {}],
  ['html', '', { accept: 'text/html' }],
  ['.md', '.md', {}],
  ['.json', '.json', {}],
  ['.toon', '.toon', {}],
] as const

/** The fields that Markdown does not show. */
const LOOKS: readonly string[] = ['avatar_url', 'cover_url', 'accent']

describe('a gate on one field of a profile', () => {
  describe.each(FIELD_NAMES)('%s', (field) => {
    it('omits a gated field from every format for anonymous readers, and shows it to payers and the team', async () => {
      const { path, headers, username } = await openProfile([`profile.${field}`])
      const others = FIELD_NAMES.filter((one) => one !== field)
      const { cookie } = await buy(`${path}?fields=${field}`)
      for (const [name, suffix, accept] of FORMATS) {
        const read = async (more: Headers = {}) => {
          const response = await get(path + suffix, { ...accept, ...more })
          expect(response.statusCode, `${name}: ${response.body}`).toBe(200)
          expect(header(response, 'cache-control'), name).toMatch(/^private/)
          return response.body
        }
        const anonymous = await read()
        expect(anonymous, name).not.toMatch(TRACES[field])
        expect(anonymous, name).toMatch(/Reader|reader/)
        const isMarkdown = name === 'markdown' || name === '.md'
        for (const other of others.filter((one) => !isMarkdown || !LOOKS.includes(one))) {
          expect(anonymous, `${name} ${other}`).toMatch(TRACES[other])
        }
        const isShown = !(isMarkdown && LOOKS.includes(field))
        for (const more of [{ cookie }, headers]) {
          if (isShown) expect(await read(more), name).toMatch(TRACES[field])
        }
      }
      const record = await json(path)
      expect(record).not.toHaveProperty(field)
      expect(record.gated).toEqual([{ field, tiers: ['reader'] }])
      expect(decode((await get(`${path}?format=toon`)).body)).toEqual(record)
      expect(await json(`/profiles/u/${username}`)).toEqual(record)
      for (const more of [{ cookie }, headers]) {
        expect(await json(path, more)).toMatchObject({ [field]: FIELDS[field] })
        expect(await json(path, more)).not.toHaveProperty('gated')
        expect(await json(`/profiles/u/${username}`, more)).toMatchObject({ [field]: FIELDS[field] })
      }
    })
  })

  it('returns 402 for fields that a request names, and the payment of the repeated request opens them', async () => {
    const { path } = await openProfile(['profile.bio', 'profile.skills'])
    const refused = await get(`${path}?fields=full_name,skills&format=json`)
    expect([refused.statusCode, codeOf(refused)]).toEqual([402, 'payment_required'])
    expect(header(refused, 'cache-control')).toBe('no-store')
    expect(refused.json()).toMatchObject({ resource: 'profile.skills', required_tier: 'reader' })
    expect(refused.json().preview).toMatchObject({ full_name: null, gated: [{ field: 'bio' }, { field: 'skills' }] })
    expect(refused.body).not.toMatch(/zz-(bio|skill)/)
    expect(decodeHeader(refused, 'payment-required').accepts).toHaveLength(1)

    const { paid, cookie } = await buy(`${path}?fields=full_name,skills&format=json`)
    expect(paid.json()).toMatchObject({ bio: FIELDS.bio, skills: FIELDS.skills })
    expect(await json(path, { cookie })).toMatchObject({ bio: FIELDS.bio, skills: FIELDS.skills })
    expect(await json(path)).not.toHaveProperty('bio')
  })

  it('accepts a payment at the URL of the profile', async () => {
    const { path } = await openProfile(['profile.bio'])
    const challenge = await get(`${path}?fields=bio`)
    const proof = cashWallets.answer(header(challenge, 'payment-required'), { wallet: newWallet() })
    expect(await json(path, proof)).toMatchObject({ bio: FIELDS.bio })
  })

  it('serves a read once per payment when each request is paid', async () => {
    const { path } = await openProfile(['profile.bio', 'profile.skills'], { per: 'request' })
    const challenge = await get(`${path}?fields=bio`)
    const proof = cashWallets.answer(header(challenge, 'payment-required'), { wallet: newWallet() })
    const paid = await get(`${path}?fields=bio&format=json`, proof)
    expect(paid.json()).toMatchObject({ bio: FIELDS.bio, skills: FIELDS.skills })
    await new Promise((resolve) => setImmediate(resolve))
    await expect.poll(async () => (await get(`${path}?fields=bio`, proof)).statusCode).toBe(402)
  })

  it('rejects names that are not fields', async () => {
    const { path } = await openProfile(['profile.bio'])
    expect((await get(`${path}?fields=bio,nonsense`)).statusCode).toBe(400)
  })

  it('evaluates the gate before returning 304', async () => {
    const { path, headers } = await openProfile(['profile.bio'])
    const tag = (response: Awaited<ReturnType<typeof get>>) => ({ 'if-none-match': header(response, 'etag') })
    const [mine, theirs] = [await get(path, headers), await get(path)]
    expect((await get(path, { ...headers, ...tag(mine) })).statusCode).toBe(304)
    expect((await get(path, tag(theirs))).statusCode).toBe(304)
    const stale = await get(path, tag(mine))
    expect([stale.statusCode, stale.body]).toEqual([200, theirs.body])
    expect((await get(`${path}?fields=bio`, tag(mine))).statusCode).toBe(402)
    expect((await client(test.app).send('HEAD', `${path}?fields=bio`)).statusCode).toBe(402)
  })
})

describe('a gate on a whole profile', () => {
  const whole = () => openProfile(['profile.*'], { open: ['content.*'] })

  it.each(FORMATS)('returns 402 with the public part as %s', async (_, suffix, accept) => {
    const { path, username, did, headers } = await whole()
    const refused = await get(path + suffix, accept)
    expect(refused.statusCode).toBe(402)
    expect(header(refused, 'cache-control')).toBe('no-store')
    expect(refused.body).toContain(username)
    expect(refused.body).toContain(did)
    for (const field of FIELD_NAMES) expect(refused.body).not.toMatch(TRACES[field])
    const tag = header(await get(path + suffix, { ...accept, ...headers }), 'etag')
    expect((await get(path + suffix, { ...accept, 'if-none-match': tag })).statusCode).toBe(402)

    const { paid, cookie } = await buy(path + suffix, accept)
    expect(paid.body).toMatch(TRACES.bio)
    expect((await get(path + suffix, { ...accept, cookie })).body).toMatch(TRACES.bio)
    expect((await get(path + suffix, { ...accept, ...headers })).statusCode).toBe(200)
  })

  it('shows type, username, DID, full name, links and access terms in the preview', async () => {
    const { path, username, did, headers } = await whole()
    await client(test.app).put(`/profiles/u/${username}`, { full_name: 'Ada' }, headers)
    const { preview, available_tiers: tiers } = (await get(path)).json()
    expect(preview).toMatchObject({ profile_type: 'person', username, did, full_name: 'Ada' })
    expect(preview.links.self).toBe(`https://profiles.example${path}`)
    expect(preview.gated.map(({ field }: { field: string }) => field)).toEqual([
      ...FIELD_NAMES,
      'files',
      'smart_sections',
    ])
    expect(Object.keys(tiers)).toEqual(['reader'])
    expect((await get(`/profiles/u/${username}`)).statusCode).toBe(402)
  })

  it('sells a single request of a profile, also through the payment helpers', async () => {
    const { path, did } = await openProfile(['profile.*'], { open: ['content.*'], per: 'request' })
    const { paid } = await buy(`${path}?format=json`)
    expect(paid.json()).toMatchObject(FIELDS)
    expect((await get(path)).statusCode).toBe(402)
    for (const resource of ['profile', path, 'profile.bio']) {
      const asked = await client(test.app).post('/eep/payment/x402/payment-required', { did, resource })
      expect([asked.statusCode, asked.json().decoded_payment_required?.accepts.length], resource).toEqual([200, 1])
    }
    const proven = await client(test.app).post(`/eep/gates/${did}/verify-proof`, {
      resource: 'profile.bio',
      proofs: [],
    })
    expect(proven.statusCode).toBe(402)
  })

  it('returns 403 when no payment opens the profile, and serves it when no tier covers it', async () => {
    const { path, put, headers } = await whole()
    const open = { requirements: [], access: ['content.*'] }
    const club = { requirements: [{ type: 'trust', min_score: 90 }], access: ['profile.*'] }
    await put({ default_tier: 'public', tiers: { public: open, club } })
    const refused = await get(path, { accept: 'application/json' })
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'access_forbidden'])
    expect(refused.json().preview).toMatchObject({ profile_type: 'person' })

    await put({ default_tier: 'public', tiers: { public: open } })
    const record = await json(path)
    for (const field of FIELD_NAMES) expect(record).not.toHaveProperty(field)
    expect(record.gated[0]).toEqual({ field: 'bio', tiers: [] })
    expect(await json(path, headers)).toMatchObject(FIELDS)
  })
})

describe('other resources about a profile', () => {
  it('omits gated fields from other documents', async () => {
    const { path, did, id, username, headers } = await openProfile(['profile.*'], { open: ['content.*'] })
    // Words that no other profile of this file has.
    const payload = JSON.parse(JSON.stringify(FIELDS).replaceAll('zz-', 'yy-'))
    await client(test.app).put(`/profiles/u/${username}`, payload, headers)
    const other = await signUp(test.app)
    const follow = await other.post(`/connections${path}`)
    expect(follow.statusCode).toBe(201)
    const following = await get('/connections/following', other.headers)
    expect(following.json().data[0]).toMatchObject({ username, avatar_url: null })
    const surfaces = [
      follow,
      following,
      ...(await Promise.all(
        [
          '/llms.txt',
          '/llms-full.txt',
          `${path}/agent-card.json`,
          `${path}/badge.svg`,
          `${path}/did.json`,
          `${path}/changelog`,
          `${path}/freshness`,
          `${path}/content`,
          `/resolve?did=${did}`,
          `/eep/capabilities/${did}`,
          `/trust${path}`,
          '/sitemap.xml',
        ].map((url) => get(url)),
      )),
    ]
    for (const { statusCode, body, raw } of surfaces) {
      expect(statusCode, raw.req.url).toBeLessThan(300)
      expect(body, raw.req.url).not.toMatch(/yy-|takes on work|hireable/)
    }
    expect((await get(`/profiles/${id}/capabilities`)).statusCode).toBe(402)
    expect((await json(`/profiles/${id}/capabilities`, headers)).capabilities).toEqual(['hireable'])

    const { cookie } = await buy(path)
    expect((await get(`${path}/agent-card.json`, { cookie })).body).toMatch(/yy-bio/)
    expect((await json(`/profiles/${id}/capabilities`, { cookie })).capabilities).toEqual(['hireable'])
    expect((await get(`/eep/capabilities/${did}`, { cookie })).body).toContain('hireable')
  })
})

describe('a configuration', () => {
  it.each(['profile', 'profile.full_name', 'profile.type_data.headline', 'profile.biography'])(
    'rejects a tier that gates %s',
    async (pattern) => {
      const { put } = await openProfile(['profile.bio'])
      const tiers = (access: string[]) => ({
        public: { requirements: [], access: ['profile.*', 'profile.full_name'] },
        reader: { requirements: [payment()], access },
      })
      const refused = await put({ default_tier: 'public', tiers: tiers([pattern]) })
      expect(refused.statusCode).toBe(400)
      expect(refused.json().error.message).toContain('profile.<field>')
      expect((await put({ default_tier: 'public', tiers: tiers(['profile.bio.*']) })).statusCode).toBe(200)
    },
  )
})

it('reveals nothing of a gated field through the public revision of the profile', async () => {
  const now = new Date()
  const own = await createTestApp({ clock: () => now })
  const { headers, account } = await signUp(own.app, 'revised')
  const did = 'did:web:profiles.example:u:revised'
  const tiers = {
    public: { requirements: [], access: ['profile.skills'] },
    reader: { label: 'Reader', requirements: [payment()], access: ['profile.bio'] },
  }
  const payload = { default_tier: 'public', tiers }
  await client(own.app).put(`/eep/gates/${did}`, payload, headers)
  const revisionWith = async (fields: object) => {
    const url = `/profiles/u/${account.username}`
    const saved = await client(own.app).put(url, fields, headers)
    expect(saved.statusCode, saved.body).toBe(200)
    return (await client(own.app).get('/u/revised/freshness.json')).json().revision
  }
  const first = await revisionWith({ bio: 'Hired', skills: ['rowing'] })
  expect(await revisionWith({ bio: 'Free', skills: ['rowing'] })).toBe(first)
  expect(await revisionWith({ bio: 'Free', skills: ['sailing'] })).not.toBe(first)
  await own.close()
})

it('shows no field that the host must withhold, to those who bought it either', async () => {
  let isWithheld = false
  const restricted = await createTestApp({
    payments: { rails: [cashRail({ cashWallets })] },
    hooks: {
      legalRestriction: ({ resource }) =>
        isWithheld && resource === 'profile.bio' ? { reason: 'An order of a court' } : undefined,
    },
  })
  const { headers, account } = await signUp(restricted.app)
  const address = `/u/${account.username}`
  const service = client(restricted.app)
  await service.put(`/profiles${address}`, FIELDS, headers)
  const gate = {
    default_tier: 'public',
    tiers: {
      public: { requirements: [], access: ['profile.avatar_url', 'content.*'] },
      reader: { requirements: [payment()], access: ['profile.bio'] },
    },
  }
  const saved = await service.put(`/eep/gates/did:web:profiles.example:u:${account.username}`, gate, headers)
  expect(saved.statusCode, saved.body).toBe(200)
  const offered = await service.get(`${address}?fields=bio&format=json`)
  const paid = await service.get(
    `${address}?fields=bio&format=json`,
    cashWallets.answer(header(offered, 'payment-required'), { wallet: newWallet() }),
  )
  expect(paid.statusCode, paid.body).toBe(200)
  const cookie = `eep_payer=${cookieOf(paid, 'eep_payer')}`
  const read = async () => (await service.get(`${address}?format=json`, { cookie })).json()
  expect((await read()).bio).toBe(FIELDS.bio)
  isWithheld = true
  expect((await read()).bio).not.toBe(FIELDS.bio)
  await restricted.close()
})
