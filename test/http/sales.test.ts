import { createHash, createPublicKey, verify } from 'node:crypto'
import { serviceProbe } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, makeAdministrator, signUp } from '../support/accounts.ts'
import { keyAgent } from '../support/agents.ts'
import { client, type Headers } from '../support/client.ts'
import { createCashApp, header, openShop, receiptIdOf, type Shop } from '../support/shop.ts'

let test: Awaited<ReturnType<typeof createCashApp>>
let shop: Shop
let sold = 0

const probe = serviceProbe()

beforeAll(async () => {
  test = await createCashApp({ modules: [probe.module] })
  shop = await openShop(test.app, 'bookseller')
})
afterAll(() => test.close())

const { get } = client(() => test.app)

async function newAdmin() {
  const admin = await signUp(test.app)
  await makeAdministrator(test, admin)
  return admin
}

/** Buys the gated page. Returns the receipt and the headers that open the page from then on. */
async function sell(more: Record<string, string> = {}, at: Shop = shop) {
  const wallet = `wallet:buyer-${++sold}`
  const offer = await get(at.paid)
  const paid = await get(at.paid, {
    ...test.cashWallets.answer(header(offer, 'payment-required'), { wallet }),
    ...more,
  })
  if (paid.statusCode !== 200) throw new Error(paid.body)
  const payer = { 'x-eep-payer-wallet': wallet, 'x-eep-payer-network': 'cash:test' }
  return { id: receiptIdOf(paid), wallet, payer }
}

/** What these tests read of a sale. */
interface Sale {
  readonly title: string
  readonly customer: { readonly kind: string; readonly name: string | null }
}

describe('a receipt', () => {
  it('verifies a receipt offline with the published keys', async () => {
    const { id } = await sell()
    const { signature, refund, ...facts } = (await get(`/eep/payment/receipts/${id}`, shop.headers)).json()
    expect(refund).toBeNull()
    const [head, payload, mac] = signature.split('.') as [string, string, string]
    const { keys } = (await get('/.well-known/jwks.json')).json()
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString())
    const key = createPublicKey({ key: keys.find((one: { kid: string }) => one.kid === kid), format: 'jwk' })
    expect(verify(null, Buffer.from(`${head}.${payload}`), key, Buffer.from(mac, 'base64url'))).toBe(true)
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual(facts)
  })

  it('sends a receipt as a PDF with the same bytes each time', async () => {
    const buyer = await signUp(test.app)
    const { id } = await sell(buyer.headers)
    const read = (headers: Record<string, string>) => get(`/eep/payment/receipts/${id}.pdf`, headers)
    const [first, second] = [await read(buyer.headers), await read({ ...shop.headers })]
    expect(first.statusCode, first.body.slice(0, 200)).toBe(200)
    expect(first.headers['content-type']).toBe('application/pdf')
    expect(first.headers['content-disposition']).toBe(`inline; filename="${id}.pdf"`)
    expect(first.headers['cache-control']).toBe('private, no-store')
    expect(first.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    expect(first.rawPayload.includes('/FontFile2')).toBe(true)
    const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
    expect(digest(first.rawPayload)).toBe(digest(second.rawPayload))
    expect((await read((await signUp(test.app)).headers)).statusCode).toBe(404)
    expect((await get('/eep/payment/receipts/rcpt_none.pdf', buyer.headers)).statusCode).toBe(404)
  })

  it('lists a receipt to the agent that signed the payment, and to no other', async () => {
    const agent = keyAgent()
    const { id } = await sell(agent.sign({ path: shop.paid }))
    const list = '/eep/payment/receipts'
    const own = await get(list, agent.sign({ path: list }))
    expect(own.json().data.map((one: { receipt_id: string }) => one.receipt_id)).toEqual([id])
    expect(own.json().data[0].payer_did).toBe(agent.did)
    const path = `${list}/${id}`
    expect((await get(path, agent.sign({ path }))).statusCode).toBe(200)
    expect((await get(`${path}.pdf`, agent.sign({ path: `${path}.pdf` }))).statusCode).toBe(200)
    const other = keyAgent()
    expect((await get(list, other.sign({ path: list }))).json().data).toEqual([])
    expect((await get(path, other.sign({ path }))).statusCode).toBe(404)
    expect((await get(list, { 'eep-agent-did': agent.did })).statusCode).toBe(401)
    expect((await get(list, { ...agent.sign({ path: list }), 'eep-signature': 'AAAA' })).statusCode).toBe(401)
  })
})

describe('a seller', () => {
  it('lists sales to the seller by page and time, as JSON and CSV', async () => {
    const books = await openShop(test.app, 'stationer')
    for (let count = 0; count < 3; count += 1) await sell({}, books)
    const url = `/eep/payment/sales?profile_id=${books.profileId}&limit=2`
    const first = (await get(url, books.headers)).json()
    expect([first.data.length, first.pagination.total]).toEqual([2, 3])
    const second = (await get(`${url}&cursor=${first.pagination.next_cursor}`, books.headers)).json()
    expect(second.data).toHaveLength(1)
    const later = encodeURIComponent(new Date(Date.now() + 60_000).toISOString())
    expect((await get(`${url}&from=${later}`, books.headers)).json().pagination.total).toBe(0)

    const csv = await get(`/eep/payment/sales.csv?profile_id=${books.profileId}`, books.headers)
    expect(csv.headers['content-type']).toContain('text/csv')
    const lines = csv.body.trim().split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[0]?.split(',').slice(0, 3)).toEqual(['receipt_id', 'issued_at', 'resource'])
    expect(lines[1]).toContain(first.data[0].receipt_id)

    expect((await get(url, (await signUp(test.app)).headers)).statusCode).toBe(403)
    expect((await get('/eep/payment/sales?profile_id=x', books.headers)).statusCode).toBe(400)
  })

  it('names what was sold and the account that bought it', async () => {
    const books = await openShop(test.app, 'bookbinder')
    const buyer = await signUp(test.app, 'reader-of-books')
    await sell(buyer.headers, books)
    await sell({}, books)
    const { data } = (await get(`/eep/payment/sales?profile_id=${books.profileId}`, books.headers)).json()
    expect(data.map(({ title, customer }: Sale) => [title, customer.kind, customer.name])).toEqual([
      ['Engines', 'wallet', null],
      ['Engines', 'account', 'reader-of-books'],
    ])
    const csv = await get(`/eep/payment/sales.csv?profile_id=${books.profileId}`, books.headers)
    expect(csv.body).toContain(',Engines,')
  })

  it('returns the sums of sales, refunds and commission', async () => {
    const books = await openShop(test.app, 'printer')
    const sales = [await sell({}, books), await sell({}, books), await sell({}, books)]
    const sold = sales[0]?.id ?? ''
    const reference = await test.handBack(sold)
    await books.post(`/eep/payment/receipts/${sold}/refund`, { reference })
    const report = await get(`/eep/payment/sales/report?profile_id=${books.profileId}`, books.headers)
    expect(report.json().pagination).toEqual({ total: 1, has_more: false })
    expect(report.json().data).toEqual([
      {
        rail: 'cash',
        network: 'cash:test',
        asset: expect.any(String),
        currency: 'usdc',
        sales: 3,
        gross: '30000',
        refunds: 1,
        refunded: '10000',
        commission: '2000',
        net: '18000',
      },
    ])
  })

  it('refunds a sale once, and revokes its access', async () => {
    const { id, payer } = await sell()
    expect((await get(shop.paid, payer)).statusCode).toBe(200)
    const url = `/eep/payment/receipts/${id}/refund`
    const unnamed = await shop.post(url, {})
    expect([unnamed.statusCode, codeOf(unnamed)]).toEqual([400, 'validation_failed'])

    const answers = await Promise.all(
      Array.from({ length: 5 }, async () => shop.post(url, { reference: await test.handBack(id), reason: 'Late' })),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409, 409])
    const refunded = (await get(`/eep/payment/receipts/${id}`, shop.headers)).json()
    expect(refunded.refund).toMatchObject({ state: 'refunded', reason: 'Late', refunded_at: expect.any(String) })
    expect((await get(shop.paid, payer)).statusCode).toBe(402)
    expect((await get(`/eep/payment/receipts/${id}.pdf`, shop.headers)).statusCode).toBe(200)
  })

  it('revokes only the access of the refunded payment', async () => {
    const books = await openShop(test.app, 'binder')
    const price = (amount: number, per: string) => [{ type: 'payment', amount, currency: 'usdc', per }]
    const tiers = {
      public: { requirements: [], access: ['profile.*'] },
      reader: { requirements: price(0.01, 'week'), access: ['content.notes.*'] },
      patron: { requirements: price(0.02, 'year'), access: ['content.welcome', 'content.notes.*'] },
    }
    const payload = { default_tier: 'public', tiers }
    const put = {
      method: 'PUT',
      url: `/eep/gates/${books.did.replaceAll('%', '%25')}`,
      headers: books.headers,
    } as const
    expect((await test.app.inject({ ...put, payload })).statusCode).toBe(200)
    const wallet = 'wallet:collector'
    const payer = { 'x-eep-payer-wallet': wallet, 'x-eep-payer-network': 'cash:test' }
    async function buy(path: string) {
      const paid = await get(path, test.cashWallets.answer(header(await get(path), 'payment-required'), { wallet }))
      expect(paid.statusCode, paid.body).toBe(200)
      return receiptIdOf(paid)
    }
    const statuses = async () =>
      Promise.all([books.paid, books.open].map(async (path) => (await get(path, payer)).statusCode))
    const refund = async (id: string) => {
      const reference = await test.handBack(id)
      return books.post(`/eep/payment/receipts/${id}/refund`, { reference })
    }
    const held = async () =>
      (await get(`/manage/entitlements?profile_id=${books.profileId}&active=true`, books.headers)).json().data

    const week = await buy(books.paid)
    const year = await buy(books.open)
    expect(await statuses()).toEqual([200, 200])
    expect((await refund(year)).statusCode).toBe(200)
    expect(await statuses()).toEqual([200, 402])
    expect(await held()).toMatchObject([{ tier: 'reader', receipt_id: week, resource_pattern: 'content.notes.*' }])
    const left = new Date((await held())[0].valid_until).getTime() - test.cashWallets.clock().getTime()
    expect(left / 86_400_000).toBeCloseTo(7, 1)
    expect((await refund(week)).statusCode).toBe(200)
    expect(await statuses()).toEqual([402, 402])

    // Both concurrently leave nothing, in either order.
    const both = [await buy(books.paid), await buy(books.open)]
    expect((await Promise.all(both.map(refund))).map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(await statuses()).toEqual([402, 402])

    // What the owner took back by hand is not given again by a later refund.
    await buy(books.paid)
    for (const { id } of await held()) await books.delete(`/manage/entitlements/${id}`)
    expect((await refund(await buy(books.open))).statusCode).toBe(200)
    expect(await statuses()).toEqual([402, 402])
  })

  it('refunds a sale of a profile that its seller deleted, and no other account does', async () => {
    const gone = await openShop(test.app, 'gone-bookseller')
    const { id, payer } = await sell({}, gone)
    expect((await gone.delete('/profiles/u/gone-bookseller')).statusCode).toBe(200)
    const url = `/eep/payment/receipts/${id}/refund`
    const reference = await test.handBack(id)
    expect((await shop.post(url, { reference })).statusCode).toBe(404)
    expect((await gone.post(url, { reference })).statusCode).toBe(200)
    expect((await gone.post(url, { reference })).statusCode).toBe(409)
    expect((await get(gone.paid, payer)).statusCode).toBe(404)
  })

  it('lets a seller refund only its own sales', async () => {
    const { id } = await sell()
    const url = `/eep/payment/receipts/${id}/refund`
    const other = await signUp(test.app)
    expect((await other.post(url, { reference: 'x' })).statusCode).toBe(403)
    expect((await shop.post('/eep/payment/receipts/rcpt_none/refund', { reference: 'x' })).statusCode).toBe(404)
  })
})

describe("a seller's claim of a refund", () => {
  const refundOf = (id: string, reference: string, headers: Headers = shop.headers) =>
    client(test.app).with(headers).post(`/eep/payment/receipts/${id}/refund`, { reference })
  const refundIn = async (id: string) => (await get(`/eep/payment/receipts/${id}`, shop.headers)).json().refund

  it('changes neither access nor commission until the refund is proven', async () => {
    const books = await openShop(test.app, 'claimer')
    const { id, payer } = await sell({}, books)
    const claimed = await refundOf(id, 'my word', books.headers)
    expect([claimed.statusCode, claimed.json()]).toEqual([
      202,
      { state: 'claimed', reference: 'my word', reason: null, refunded_at: null },
    ])
    expect((await get(books.paid, payer)).statusCode).toBe(200)
    const [report] = (await get(`/eep/payment/sales/report?profile_id=${books.profileId}`, books.headers)).json().data
    expect(report).toMatchObject({ refunds: 0, refunded: '0', commission: '1000' })
    const [sale] = (await get(`/eep/payment/sales?profile_id=${books.profileId}`, books.headers)).json().data
    expect(sale.refund).toMatchObject({ state: 'claimed', reference: 'my word' })

    const named = await refundOf(id, await test.handBack(id), books.headers)
    expect([named.statusCode, named.json().state]).toEqual([200, 'refunded'])
    expect((await get(books.paid, payer)).statusCode).toBe(402)
  })

  it('rejects a claim of a wrong or already used transfer', async () => {
    const [one, other] = [await sell(), await sell()]
    for (const wrong of [
      test.cashWallets.giveBack({ to: one.wallet, amount: '9999' }),
      test.cashWallets.giveBack({ to: 'wallet:other', from: shop.did, amount: '10000' }),
      test.cashWallets.giveBack({ to: one.wallet, from: 'did:web:other.example' }),
      test.cashWallets.giveBack({ to: one.wallet, asset: 'slips' }),
      test.cashWallets.giveBack({ to: one.wallet, at: new Date(0) }),
    ]) {
      const refused = await refundOf(one.id, wrong)
      expect([refused.statusCode, codeOf(refused)]).toEqual([400, 'refund_not_proven'])
    }
    expect(await refundIn(one.id)).toBeNull()

    const otherRefund = await refundOf(other.id, await test.handBack(one.id))
    expect([otherRefund.statusCode, codeOf(otherRefund)]).toEqual([400, 'refund_not_proven'])
  })

  it('accepts one transfer for one refund under concurrent claims', async () => {
    const books = await openShop(test.app, 'twice', { per: 'request' })
    const receipts: string[] = []
    for (let count = 0; count < 2; count += 1) {
      const proof = test.cashWallets.answer(header(await get(books.paid), 'payment-required'), {
        wallet: 'wallet:regular',
      })
      receipts.push(receiptIdOf(await get(books.paid, proof)))
    }
    const back = await test.handBack(receipts[0] ?? '')
    const answers = await Promise.all(receipts.map((id) => refundOf(id, back, books.headers)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect(answers.filter(({ statusCode }) => statusCode === 409).map(codeOf)).toEqual(['refund_reference_used'])
  })

  it('proves a pending claim later in the background', async () => {
    const { id, payer } = await sell()
    const reference = await test.handBack(id)
    test.cashWallets.next('verifyRefund', { lose: 'answer' })
    expect((await refundOf(id, reference)).statusCode).toBe(202)
    expect((await get(shop.paid, payer)).statusCode).toBe(200)
    await probe.services.receipts?.refunds.checkClaims()
    expect(await refundIn(id)).toMatchObject({ state: 'refunded', reference })
    expect((await get(shop.paid, payer)).statusCode).toBe(402)
  })

  it('drops a refuted claim', async () => {
    const { id, wallet, payer } = await sell()
    const reference = test.cashWallets.giveBack({ to: wallet, amount: '1' })
    test.cashWallets.next('verifyRefund', { lose: 'answer' })
    expect((await refundOf(id, reference)).statusCode).toBe(202)
    await probe.services.receipts?.refunds.checkClaims()
    expect(await refundIn(id)).toBeNull()
    expect((await get(shop.paid, payer)).statusCode).toBe(200)
  })

  it('lists the claims that wait for confirmation, and the recorded refunds, to administrators only', async () => {
    const admin = await newAdmin()
    const [first, second] = [await sell(), await sell()]
    for (const { id } of [first, second]) expect((await refundOf(id, 'by bank transfer')).statusCode).toBe(202)
    const list = async (query = '') => (await get(`/admin/refunds${query}`, admin.headers)).json()
    const page = await list('?limit=1')
    expect(page.data).toMatchObject([
      {
        receipt_id: second.id,
        seller: { profile_id: shop.profileId },
        refund: { state: 'claimed', reference: 'by bank transfer' },
        claimed_at: expect.any(String),
      },
    ])
    const { data: next } = await list(`?limit=1&state=claimed&cursor=${page.pagination.next_cursor}`)
    expect(next.map(({ receipt_id }: { receipt_id: string }) => receipt_id)).toEqual([first.id])
    await admin.post(`/admin/receipts/${first.id}/refund/confirm`)
    const [latest] = (await list('?state=refunded&limit=1')).data
    expect(latest).toMatchObject({ receipt_id: first.id, refund: { state: 'refunded' }, claimed_at: null })
    const waiting = (await list('?limit=100')).data.map(({ receipt_id }: { receipt_id: string }) => receipt_id)
    expect([waiting.includes(first.id), waiting.includes(second.id)]).toEqual([false, true])
    for (const query of ['?state=lost', '?cursor=x', '?limit=0'])
      expect((await get(`/admin/refunds${query}`, admin.headers)).statusCode, query).toBe(400)
    expect((await get('/admin/refunds', shop.headers)).statusCode).toBe(403)
  })

  it('lets only an administrator confirm a claim, once, with an audit entry', async () => {
    const { id, payer } = await sell()
    const url = `/admin/receipts/${id}/refund/confirm`
    const admin = await newAdmin()
    const early = await admin.post(url)
    expect([early.statusCode, codeOf(early)]).toEqual([409, 'refund_not_claimed'])
    expect((await refundOf(id, 'by bank transfer')).statusCode).toBe(202)
    expect((await shop.post(url)).statusCode).toBe(403)
    const answers = await Promise.all([1, 2, 3].map(() => admin.post(url)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409])
    expect(await refundIn(id)).toMatchObject({ state: 'refunded', reference: 'by bank transfer' })
    expect((await get(shop.paid, payer)).statusCode).toBe(402)
    const { data } = (await get(`/admin/audit?target=receipts/${id}`, admin.headers)).json()
    expect(data).toMatchObject([{ action: 'refund.confirmed', actor_account_id: admin.account.id }])
  })
})

describe('entitlements', () => {
  const list = async (query = '') =>
    (await get(`/manage/entitlements?profile_id=${shop.profileId}${query}`, shop.headers)).json()

  it('are listed to the seller, who can revoke them immediately', async () => {
    const { payer, wallet, id } = await sell()
    const { data } = await list(`&payer_wallet=${wallet}`)
    expect(data).toMatchObject([
      { payer_wallet_address: wallet, resource_pattern: 'content.notes.*', tier: 'reader', receipt_id: id },
    ])
    const revoke = () => shop.delete(`/manage/entitlements/${data[0].id}?reason=abuse`)
    const answers = await Promise.all([revoke(), revoke(), revoke()])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404, 404])
    expect((await get(shop.paid, payer)).statusCode).toBe(402)
    expect((await list(`&payer_wallet=${wallet}&active=true`)).pagination.total).toBe(0)
    expect((await list(`&payer_wallet=${wallet}`)).data[0].revoked_at).not.toBeNull()
  })

  it('can be bought again after a revocation', async () => {
    const { payer, wallet } = await sell()
    const [held] = (await list(`&payer_wallet=${wallet}`)).data
    await shop.delete(`/manage/entitlements/${held.id}`)
    const offer = await get(shop.paid)
    const paid = await get(shop.paid, test.cashWallets.answer(header(offer, 'payment-required'), { wallet }))
    expect(paid.statusCode).toBe(200)
    expect((await get(shop.paid, payer)).statusCode).toBe(200)
  })

  it('are granted without a payment, to a wallet or an agent, with or without an expiry', async () => {
    const given = await shop.post('/manage/entitlements', {
      profile_id: shop.profileId,
      tier: 'reader',
      payer_wallet: 'wallet:press',
      payer_network: 'cash:test',
      valid_until: new Date(Date.now() + 3_600_000).toISOString(),
      reason: 'A review copy',
    })
    expect(given.statusCode, given.body).toBe(201)
    expect(given.json().data).toMatchObject([{ receipt_id: null, tier: 'reader', revoked_at: null }])
    const press = { 'x-eep-payer-wallet': 'wallet:press', 'x-eep-payer-network': 'cash:test' }
    expect((await get(shop.paid, press)).statusCode).toBe(200)

    const agent = keyAgent()
    const grant = { profile_id: shop.profileId, tier: 'reader', payer_did: agent.did }
    expect((await shop.post('/manage/entitlements', grant)).statusCode).toBe(201)
    expect((await get(shop.paid, agent.sign({ path: shop.paid }))).statusCode).toBe(200)

    for (const wrong of [
      { ...grant, tier: 'gold' },
      { ...grant, payer_wallet: 'wallet:x', payer_network: 'cash:test' },
      { profile_id: shop.profileId, tier: 'reader' },
    ]) {
      expect((await shop.post('/manage/entitlements', wrong)).statusCode).toBe(400)
    }
    const otherUser = await signUp(test.app)
    expect((await otherUser.post('/manage/entitlements', grant)).statusCode).toBe(403)
  })
})
