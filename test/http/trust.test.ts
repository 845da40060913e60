import { randomUUID } from 'node:crypto'
import type { WalletVerifier } from '@eep/core/ports'
import { cashRail, createCashWallets, newIdentity, newReceipt } from '@eep/core/testing'
import { describe, expect, it } from 'vitest'
import { codeOf, didOf, login, type Person, signUp } from '../support/accounts.ts'
import { keyAgent, type TestAgent } from '../support/agents.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { openInstances } from '../support/instances.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'
import { openShop } from '../support/shop.ts'
import { newOrganization } from '../support/teams.ts'
import { keyOf, linkWallet } from '../support/wallets.ts'

const DAY_MS = 86_400_000
const cashWallets = createCashWallets()
const mailbox = createMailbox()
const { clock, at } = createClock()
const believing: WalletVerifier = { chainIds: [84_532], verify: async () => true }
const { database, instance } = await openInstances({
  clock,
  email: { mailer: mailbox.mailer },
  auth: { walletVerifier: believing },
  payments: { rails: [cashRail({ cashWallets })] },
})
const app = await instance()
const elsewhere = await instance({ storage: database.another() })

const shop = await openShop(app, 'trusted-seller')
const WHOLE = {
  avatar_url: 'https://example.com/a.png',
  bio: 'About me.',
  socials: { github: '@ada' },
  skills: ['mathematics'],
}

interface Trust {
  readonly score: number
  readonly level: string
  readonly signals: readonly { readonly signal: string; readonly weight: number; readonly met: boolean }[]
}

async function trustIn(username: string, server = app): Promise<Trust> {
  const response = await client(server).get(`/trust/u/${username}`, { accept: 'application/json' })
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}
const metBy = async (username: string, server = app) =>
  (await trustIn(username, server)).signals.filter(({ met }) => met).map(({ signal }) => signal)

/** Pays for the page of the shop. */
async function buy(headers: () => Record<string, string>, wallet: string, page = shop.paid) {
  const challenge = await client(app).get(page, headers())
  const proof = cashWallets.answer(String(challenge.headers['payment-required']), { wallet })
  const { statusCode, body } = await client(app).get(page, { ...headers(), ...proof })
  expect(statusCode, body).toBe(200)
}

describe('the trust in a profile', () => {
  it('starts at zero, and lists every signal and its weight', async () => {
    const { account } = await signUp(app)
    const { score, level, signals } = await trustIn(account.username)
    expect([score, level]).toEqual([0, 'low'])
    expect(signals.map(({ signal, met }) => [signal, met])).toEqual(
      [
        'email_verified',
        'wallet_linked',
        'provider_linked',
        'account_age_30d',
        'account_age_365d',
        'profile_complete',
        'has_paid',
      ].map((signal) => [signal, false]),
    )
    expect(signals.reduce((sum, { weight }) => sum + weight, 0)).toBe(100)
  })

  it('grows with each signal of its account, on every instance', async () => {
    const { account, headers } = await signUp(app)
    const { username } = account
    await database.storage.transaction((tx) => tx.identities.insert(newIdentity(account.id)))
    const expectSignals = async (...signals: string[]) => {
      expect((await metBy(username)).toSorted()).toEqual(signals.toSorted())
      await expect.poll(async () => (await metBy(username, elsewhere)).toSorted()).toEqual(signals.toSorted())
    }
    await expectSignals('provider_linked')
    await client(app).post(
      '/auth/verify',
      { token: tokenIn(await mailbox.take(account.email, 'verification')) },
      headers,
    )
    await expectSignals('provider_linked', 'email_verified')
    const wallet = await linkWallet(app, keyOf(77), headers)
    await expectSignals('provider_linked', 'email_verified', 'wallet_linked')
    await client(app).delete(`/auth/siwe/wallets/${wallet}`, headers)
    await expectSignals('provider_linked', 'email_verified')
    await client(app).put('/manage/profile', WHOLE, headers)
    await expectSignals('provider_linked', 'email_verified', 'profile_complete')
    await buy(() => headers, `0x${'7'.repeat(40)}`)
    await expectSignals('provider_linked', 'email_verified', 'profile_complete', 'has_paid')
    expect(await trustIn(username)).toMatchObject({ score: 65, level: 'established' })
  })

  it('grows with the age of its account', async () => {
    const { account } = await signUp(app)
    const created = clock().getTime()
    const ages = (day: number) => at(created + day * DAY_MS, () => metBy(account.username))
    expect(await ages(29.9)).toEqual([])
    expect(await ages(31)).toEqual(['account_age_30d'])
    expect(await ages(366)).toEqual(['account_age_30d', 'account_age_365d'])
  })

  it('does not grow by payments to oneself or refunded payments', async () => {
    const { account } = await signUp(app)
    const { id, username, active_profile_id: profileId } = account
    let paidAt = 0
    const paid = (accountId: string) =>
      newReceipt({
        issuedAt: new Date(++paidAt),
        seller: { profileId, did: 'did:web:seller.example', accountId },
        payerAccountId: id,
      })
    const insert = (accountId: string) => database.storage.transaction((tx) => tx.receipts.insert(paid(accountId)))
    await insert(id)
    expect(await metBy(username)).toEqual([])
    const receipt = await insert(randomUUID())
    // The latest payment is not all that counts.
    await insert(id)
    expect(await metBy(username)).toEqual(['has_paid'])
    const refund = { receiptId: receipt?.receiptId ?? '', reference: 're_1', reason: null, refundedAt: clock() }
    await database.storage.transaction((tx) => tx.refunds.record({ ...refund, refundedBy: null }))
    expect(await metBy(username)).toEqual([])
  })

  it('returns 304 to clients that have the trust document', async () => {
    const { account } = await signUp(app)
    const url = `/trust/u/${account.username}`
    const first = await client(app).get(url)
    expect(first.headers).toMatchObject({ etag: expect.any(String), 'cache-control': 'public, max-age=60' })
    const again = await client(app).get(url, { 'if-none-match': String(first.headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect((await client(app).get(`/u/${account.username}?format=json`)).json().links.trust).toBe(
      `https://profiles.example${url}`,
    )
  })

  it('returns 404 for hidden profiles', async () => {
    const secret = await newOrganization(app, undefined, { visibility: 'private' })
    const url = `/trust/o/${secret.username}`
    expect((await secret.owner.get(url)).headers['cache-control']).toBe('private, no-store')
    for (const path of [url, '/trust/u/unknown-name', '/trust/zz/ada']) {
      const response = await client(app).get(path)
      expect([response.statusCode, codeOf(response)], path).toEqual([404, 'profile_not_found'])
    }
  })
})

describe('an agent', () => {
  const stateOf = async (did: string) => {
    const response = await app.inject({ url: '/eep/trust-status', query: { agent_did: did } })
    expect(response.statusCode, response.body).toBe(200)
    return response.json()
  }
  const graduate = (body: object) => client(app).post('/eep/trust/graduate', body)
  const toldTo = async (headers: Record<string, string>) =>
    (await client(app).get(shop.open, headers)).headers['x-eep-trust-state']
  const signed = (agent: TestAgent, path: string) => agent.sign({ path })

  it('treats an agent as new until it has paid in a signed request', async () => {
    const agent = keyAgent()
    expect(await stateOf(agent.did)).toEqual({ agent_did: agent.did, trust_state: 'cold_start' })
    const early = await graduate({ agent_did: agent.did })
    expect([early.statusCode, codeOf(early)]).toEqual([403, 'not_graduated'])

    // An unproven name earns no points.
    await buy(() => ({ 'eep-agent-did': agent.did }), `0x${'8'.repeat(40)}`)
    expect((await stateOf(agent.did)).trust_state).toBe('cold_start')

    await buy(() => signed(agent, shop.other), `0x${'9'.repeat(40)}`, shop.other)
    expect((await stateOf(agent.did)).trust_state).toBe('standard')
    const known = await graduate({ agent_did: agent.did })
    expect([known.statusCode, known.json()]).toEqual([200, { ok: true, agent_did: agent.did, trust_state: 'standard' }])
  })

  it('sends the trust state of an agent according to how it is identified', async () => {
    const agent = keyAgent()
    expect(await toldTo({})).toBeUndefined()
    expect(await toldTo({ 'eep-agent-did': agent.did })).toBe('cold_start')
    expect(await toldTo(signed(agent, shop.open))).toBe('cold_start')
    await buy(() => signed(agent, shop.other), `0x${'a'.repeat(40)}`, shop.other)
    expect(await toldTo(signed(agent, shop.open))).toBe('standard')
    expect(await toldTo({ 'eep-agent-did': agent.did })).toBe('cold_start')
    const missing = await client(app).get('/nowhere', { 'x-eep-agent-did': agent.did })
    expect([missing.statusCode, missing.headers['x-eep-trust-state']]).toEqual([404, 'cold_start'])
  })

  it.each(['', 'ada', 'did:', 'did:web:', 'did:WEB:x', 'did:web:a b', `did:web:${'x'.repeat(600)}`])(
    'rejects "%s" as the DID of an agent',
    async (did) => {
      const asked = await app.inject({ url: '/eep/trust-status', query: { agent_did: did } })
      expect([asked.statusCode, codeOf(asked)]).toEqual([400, 'missing_or_invalid_agent_did'])
      const graduating = await graduate({ agent_did: did })
      expect(graduating.statusCode).toBe(400)
    },
  )

  it('requires the DID of an agent', async () => {
    const asked = await client(app).get('/eep/trust-status')
    expect([asked.statusCode, codeOf(asked)]).toEqual([400, 'missing_or_invalid_agent_did'])
    const graduating = await graduate({})
    expect([graduating.statusCode, codeOf(graduating)]).toEqual([400, 'invalid_agent_did'])
  })
})

describe('the trust score in the record of a profile', () => {
  const scores = async (username: string, server = app) => {
    const read = async (format: string) => (await client(server).get(`/u/${username}?format=${format}`)).body
    const html = await client(server).get(`/u/${username}`, { accept: 'text/html' })
    return [
      JSON.parse(await read('json')).trust_score,
      Number(/^trust_score: (\d+)$/m.exec(await read('markdown'))?.[1]),
      Number(/^trust_score: (\d+)$/m.exec(await read('toon'))?.[1]),
      Number(/Trust (\d+) of 100/.exec(html.body)?.[1]),
      (await client(server).get(`/profiles/u/${username}`)).json().trust_score,
    ]
  }

  it('shows the current score in every format, on every instance', async () => {
    const { account, headers } = await signUp(app)
    const { username, id } = account
    const expectScore = async (score: number) => {
      expect(await scores(username)).toEqual(Array(5).fill(score))
      await expect.poll(() => scores(username, elsewhere)).toEqual(Array(5).fill(score))
    }
    await expectScore(0)
    // Without the session the account would be taken over, and its session would end.
    await client(app).post(
      '/auth/verify',
      { token: tokenIn(await mailbox.take(account.email, 'verification')) },
      headers,
    )
    await expectScore(20)
    const wallet = await linkWallet(app, keyOf(78), headers, { issuedAt: clock().toISOString() })
    await expectScore(35)
    await client(app).delete(`/auth/siwe/wallets/${wallet}`, headers)
    await expectScore(20)
    await buy(() => headers, `0x${'b8'.repeat(20)}`)
    await expectScore(40)
    const { items } = await database.storage.read.receipts.list({ accountId: id }, { limit: 1 })
    const receiptId = items[0]?.receiptId
    const refund = { reference: cashWallets.giveBack({ to: `0x${'b8'.repeat(20)}`, from: shop.did }), reason: 'Late' }
    const refunded = await shop.post(`/eep/payment/receipts/${receiptId}/refund`, refund)
    expect(refunded.statusCode, refunded.body).toBe(200)
    await expectScore(20)
  })

  it('grows in the profile document with the age of the account, without an event', async () => {
    const { account } = await signUp(app)
    const { username } = account
    const created = clock().getTime()
    expect(await scores(username)).toEqual(Array(5).fill(0))
    expect(await at(created + 31 * DAY_MS, () => scores(username))).toEqual(Array(5).fill(10))
    expect(await at(created + 366 * DAY_MS, () => scores(username))).toEqual(Array(5).fill(20))
  })
})

describe('the trust scores in lists', () => {
  const listsOf = async (reader: Person, server = app) => {
    const read = (url: string) => client(server).as(reader).get(url)
    const lists = [
      (await read('/dashboard/profiles')).json().profiles,
      (await read('/connections/following')).json().data,
      (await read('/connections/followers')).json().data,
    ] as { username: string; trust_score: number }[][]
    return lists.map((list) => Object.fromEntries(list.map((each) => [each.username, each.trust_score])))
  }

  it('are the scores of the records, on every instance, also of profiles whose fields are gated', async () => {
    const [reader, followed] = [await signUp(app), await signUp(app)]
    const names = [reader.account.username, followed.account.username] as const
    await followed.post(`/connections/u/${names[0]}`)
    const expectScores = async (own: number, other: number) => {
      const lists = [{ [names[0]]: own }, { [names[1]]: other }, { [names[1]]: other }]
      expect(await listsOf(reader)).toEqual(lists)
      await expect.poll(() => listsOf(reader, elsewhere)).toEqual(lists)
      for (const [index, score] of [own, other].entries()) {
        expect((await client(app).get(`/profiles/u/${names[index]}`)).json().trust_score).toBe(score)
      }
    }
    const made = (await reader.post(`/connections/u/${names[1]}`)).json()
    expect([made.follower.trust_score, made.followee.trust_score]).toEqual([0, 0])
    await expectScores(0, 0)
    await followed.post('/auth/verify', {
      token: tokenIn(await mailbox.take(followed.account.email, 'verification')),
    })
    await expectScores(0, 20)
    await linkWallet(app, keyOf(79), reader.headers, { issuedAt: clock().toISOString() })
    await expectScores(15, 20)
    await followed.put('/manage/profile', WHOLE)
    await expectScores(15, 35)
    await buy(() => followed.headers, `0x${'c9'.repeat(20)}`)
    await expectScores(15, 55)
    await followed.put(`/eep/gates/${didOf(followed)}`, {
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*'] },
        reader: { requirements: [{ type: 'trust', min_score: 90 }], access: ['profile.bio', 'profile.avatar_url'] },
      },
    })
    await expectScores(15, 55)
    const again = (await reader.post(`/connections/u/${names[1]}`)).json()
    expect([again.follower.trust_score, again.followee.trust_score]).toEqual([15, 55])
  })

  it('grow with the age of the account, without an event', async () => {
    const { account } = await signUp(app)
    const created = clock().getTime()
    const score = async () => {
      const { token } = (await login(app, account.email)).json()
      const headers = { authorization: `Bearer ${token}` }
      return (await client(app).get('/dashboard/profiles', headers)).json().profiles[0].trust_score
    }
    expect(await score()).toBe(0)
    expect(await at(created + 31 * DAY_MS, score)).toBe(10)
  })
})
