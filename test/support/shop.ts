import { cashRail, createCashWallets } from '@eep/core/testing'
import type { FastifyServerOptions, LightMyRequestResponse } from 'fastify'
import { type Person, signUp } from './accounts.ts'
import { createTestApp, type TestApp, type TestAppOptions } from './app.ts'
import { mergeOptions } from './options.ts'

/** Occurs in every paid body and nowhere else. An answer that contains it has sold content. */
export const SECRET_WORD = 'xyzzy-sold-goods'

export interface Price {
  readonly amount?: number
  readonly currency?: string
  readonly per?: string
}

/** A seller with an open page and a gated one, and the paths to them. */
export interface Shop extends Person {
  readonly did: string
  readonly profileId: number
  readonly profile: string
  readonly contents: string
  readonly open: string
  readonly paid: string
  readonly other: string
  /** The id of the page at `other`. */
  readonly otherId: number
}

const tierOf = ({ amount = 0.01, currency = 'usdc', per = 'day' }: Price) => ({
  label: 'Reader',
  requirements: [{ type: 'payment', amount, currency, per }],
  access: ['content.notes.*'],
})

/** The gate configuration of a shop: everything open but what lies in `notes`. */
export const shopGate = (price: Price = {}) => ({
  default_tier: 'public',
  tiers: { public: { requirements: [], access: ['profile.*', 'content.*'] }, reader: tierOf(price) },
})

async function must(response: Promise<LightMyRequestResponse>, status: number) {
  const { statusCode, body } = await response
  if (statusCode !== status) throw new Error(`expected ${status}, got ${statusCode}: ${body}`)
  return JSON.parse(body)
}

/** Opens a shop for a new account. `more` is sent with its gate. */
export async function openShop(app: TestApp, name: string, price: Price = {}, more: object = {}): Promise<Shop> {
  const seller = await signUp(app, name)
  const profileId = seller.account.active_profile_id
  const post = (url: string, payload: object) => must(seller.post(url, payload), 201)
  const category = await post('/manage/categories', { profile_id: profileId, name: 'Notes' })
  const page = (title: string, more: object) =>
    post('/manage/pages', { profile_id: profileId, title, status: 'published', ...more })
  await page('Welcome', { body: 'Everybody may read this.' })
  const sold = { category_id: category.id, body: `Paid reading. ${SECRET_WORD}`, excerpt: 'A taste of it.' }
  await page('Engines', sold)
  const { id: otherId } = await page('Looms', sold)
  const did = app.eep.profiles.didOf({ type: 'person', username: name })
  await must(seller.put(`/eep/gates/${did.replaceAll('%', '%25')}`, { ...shopGate(price), ...more }), 200)
  return {
    ...seller,
    did,
    profileId,
    profile: `/u/${name}`,
    contents: `/u/${name}/content`,
    open: `/u/${name}/content/welcome`,
    paid: `/u/${name}/content/notes/engines`,
    other: `/u/${name}/content/notes/looms`,
    otherId,
  }
}

/** The service with a cash rail, and the wallets that pay through it. */
export async function createCashApp(
  options: TestAppOptions = {},
  server: FastifyServerOptions = {},
  addRoutes?: (app: TestApp) => void,
) {
  const cashWallets = createCashWallets()
  const defaults = { payments: { rails: [cashRail({ cashWallets })] } }
  const test = await createTestApp(mergeOptions(defaults, options), server, addRoutes)
  return {
    ...test,
    cashWallets,
    /** Plays the seller of a receipt that hands the money back: the reference of that transfer. */
    async handBack(receiptId: string): Promise<string> {
      const receipt = await test.storage.read.receipts.get(receiptId)
      if (!receipt) throw new Error(`no receipt ${receiptId}`)
      return cashWallets.giveBack({ to: receipt.payerWalletAddress, amount: receipt.amount.atomic })
    },
  }
}

/** Reads a header that may have come several times as one value. */
export const header = ({ headers }: LightMyRequestResponse, name: string): string => String(headers[name] ?? '')

export const decodeHeader = (response: LightMyRequestResponse, name: string) =>
  JSON.parse(Buffer.from(header(response, name), 'base64').toString('utf8'))

/** The id of the receipt for the payment in a request. */
export const receiptIdOf = (paid: LightMyRequestResponse): string =>
  decodeHeader(paid, 'payment-response').extensions['eep-receipt'].info.receipt_id

/** The value of a cookie that an answer sets; undefined when it sets none of this name. */
export const cookieOf = ({ cookies }: LightMyRequestResponse, name: string): string | undefined =>
  cookies.find((cookie) => cookie.name === name)?.value
