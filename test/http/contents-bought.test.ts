import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { createCashApp, header, openShop, type Shop } from '../support/shop.ts'

let test: Awaited<ReturnType<typeof createCashApp>>
let shop: Shop
let wallets = 0

type Headers = Record<string, string>

beforeAll(async () => {
  test = await createCashApp({ payments: { payerProof: 'signed' } })
  shop = await openShop(test.app, 'contents-shop')
})
afterAll(() => test.close())

const { get } = client(() => test.app)
const MARK = 'You have access'
const readContents = (headers: Headers = {}, path = shop.contents) => get(path, { accept: 'text/html', ...headers })
const cookieOf = (jar: Headers): Headers => ({
  cookie: Object.entries(jar)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('; '),
})

/** Buys a page with a new wallet: the cookies of the answer. */
async function buy({ paid }: Shop, headers: Headers = {}): Promise<Headers> {
  const offer = header(await get(paid), 'payment-required')
  const proof = test.cashWallets.answer(offer, { wallet: `wallet:contents-${++wallets}` })
  const bought = await get(paid, { ...headers, ...proof })
  expect(bought.statusCode, bought.body).toBe(200)
  return Object.fromEntries(bought.cookies.map(({ name, value }) => [name, value]))
}

/** Expects a table of contents as everybody gets it. */
async function expectNoMark(headers: Headers): Promise<void> {
  const answer = await readContents(headers)
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toContain('Engines')
  expect(answer.body).not.toContain(MARK)
}

describe('the table of contents of a reader who bought pages', () => {
  it('states until when they are open, and is not cached', async () => {
    const jar = await buy(shop)
    const answer = await readContents(cookieOf(jar))
    expect(answer.statusCode).toBe(200)
    // Both pages below `notes`, and not the open one.
    expect(answer.body.split(`${MARK} until `)).toHaveLength(3)
    expect(answer.body).toMatch(
      /Engines<\/bdi><\/a><\/strong>.*<small><span class="soft">You have access until <bdi>\w+ \d+, \d{4} at [^<]* UTC<\/bdi></,
    )
    expect(answer.headers['cache-control']).toBe('private, no-store')
    expect(answer.headers.vary).toMatch(/Cookie/)
    expect((await readContents(cookieOf(jar), `${shop.contents}/notes`)).body).toContain(MARK)
    expect((await readContents({ ...cookieOf(jar), 'accept-language': 'de' })).body).toContain('Sie haben Zugang bis')
  })

  it('leaves no trace for the next anonymous reader, nor in other formats', async () => {
    const before = await readContents()
    const jar = await buy(shop)
    expect((await readContents(cookieOf(jar))).body).toContain(MARK)
    const after = await readContents()
    expect(after.body).toBe(before.body)
    expect(after.headers.etag).toBe(before.headers.etag)
    expect(after.headers['cache-control']).toBe('public, max-age=60')
    const asJson = await get(shop.contents, { accept: 'application/json' })
    const again = await get(shop.contents, { accept: 'application/json', ...cookieOf(jar) })
    expect(again.body).toBe(asJson.body)
  })

  it('needs the proof of the cookie or a session, not only the name of a payer', async () => {
    const jar = await buy(shop)
    const { '__Host-eep_payer_sig': proof = '', eep_payer: payer = '' } = jar
    const named = { eep_payer: payer }
    expect(proof).toBeDefined()
    await expectNoMark(cookieOf(named))
    await expectNoMark(cookieOf({ ...named, '__Host-eep_payer_sig': `${proof}x` }))
    const wallet = `wallet:contents-${wallets}`
    await expectNoMark({ 'x-eep-payer-wallet': wallet, 'x-eep-payer-network': 'cash:test' })
    const reader = await signUp(test.app)
    await expectNoMark({ ...reader.headers })
    await buy(shop, { ...reader.headers })
    expect((await readContents({ ...reader.headers })).body).toContain(MARK)
  })

  it('shows nothing at other sellers, and no end of a permanent purchase', async () => {
    const other = await openShop(test.app, 'contents-other', { per: 'once' })
    const jar = await buy(other)
    await expectNoMark(cookieOf(jar))
    const forever = await readContents(cookieOf(jar), other.contents)
    expect(forever.body).toContain(`<span class="soft">${MARK}</span>`)
  })
})
