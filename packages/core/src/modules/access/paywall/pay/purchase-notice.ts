import type { FastifyReply, FastifyRequest } from 'fastify'
import { clearCookie, readCookies, setCookie } from '../../../../http/cookies.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { hmac, sameText } from '../../../../kernel/digest.ts'
import type { Keyring } from '../../../../kernel/keyring.ts'
import { moneyText } from '../../../../model/money-text.ts'
import type { Per, Settlement } from '../../../../ports/payment-rail.ts'
import type { Receipt } from '../../../../ports/storage/payments.ts'
import { validUntil } from '../../receipts/index.ts'
import type { GatedResource } from '../access/resource.ts'
import { checkoutMessages } from '../messages.ts'

/** Long enough for the redirect to the page that confirms the purchase. */
const SECONDS = 300
const SIGNED = /^(rcpt_[\w-]{1,100})\.([\w-]{43})$/

/** Signs receipt ids in cookies, so that only browsers that bought something see its confirmation. */
export function createNoticeCookies({ keyring }: { readonly keyring: Pick<Keyring, 'shared'> }) {
  const keys = keyring.shared('purchase-notice')
  return {
    signNotice: (receiptId: string): string => `${receiptId}.${hmac(keys[0].key, receiptId)}`,

    /** The receipt id in a cookie that this service signed. */
    readNotice(cookie: string): string | undefined {
      const [, receiptId, given] = SIGNED.exec(cookie) ?? []
      if (receiptId === undefined || given === undefined) return undefined
      return keys.some(({ key }) => sameText(given, hmac(key, receiptId))) ? receiptId : undefined
    },
  }
}

type NoticeCookies = ReturnType<typeof createNoticeCookies>

/** Lets the next page of this browser confirm a purchase. */
export function rememberPurchase(
  request: FastifyRequest,
  reply: FastifyReply,
  { signNotice }: Pick<NoticeCookies, 'signNotice'>,
  receiptId: string,
): void {
  const { cookies } = request.eep
  setCookie(reply, cookies.names.purchase, signNotice(receiptId), SECONDS, cookies)
}

/** What a confirmation shows about a purchase. */
export interface ConfirmedPurchase {
  readonly receiptId: string
  readonly per: Per
  readonly amount: Settlement['amount']
  readonly settledAt: Date
  /** Whether the visitor proves to be the buyer, by a session or the payer cookie, and can read the receipt. */
  readonly isProven: boolean
}

/** The route of receipts for people, which hosts may not have configured. */
const PDF_ROUTE = '/purchases/:receiptId/receipt.pdf'

/** The bar above a page that was just bought: what was bought, until when, and the receipt. */
export function noticeHtml(
  request: FastifyRequest,
  resource: Pick<GatedResource, 'description'>,
  bought: ConfirmedPurchase,
): Html {
  const { site } = request.eep
  const { receiptId, per, amount, settledAt, isProven } = bought
  const say = checkoutMessages(site)
  const end = validUntil(per, settledAt)
  const format = new Intl.DateTimeFormat(site.language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  const term =
    per === 'request'
      ? say('single')
      : end === null
        ? say('forever')
        : say('until', { date: `${format.format(end)} UTC` })
  const pdf = PDF_ROUTE.replace(':receiptId', receiptId)
  const links = [
    isProven && site.has?.(PDF_ROUTE) && html`<a href="${hrefOn(site, pdf)}">${say('pdf')}</a>`,
    site.has?.('/purchases') && html`<a href="${hrefOn(site, '/purchases')}">${say('purchases')}</a>`,
  ]
  const name = resource.description
  const price = moneyText(site, amount.decimal, amount.currency)
  return html`<div class="notice" role="status"><p><strong>${say('paidTitle')}</strong> ${say('bought', { name, amount: price })} ${term}</p>
<p class="acts">${links.map((link) => link && html`${link} `)}<span>${say('receiptId')}: <code>${receiptId}</code></span></p></div>`
}

interface Notices extends Pick<NoticeCookies, 'readNotice'> {
  receiptOf(receiptId: string): Promise<Receipt | undefined>
}

interface Shown {
  readonly resource: GatedResource
  /** The account that is signed in. */
  readonly accountId: string | undefined
  /** Whether the request proves the payer of its cookie. */
  readonly isGuest: boolean
}

/** The confirmation of the purchase that this browser made last. It is shown once. */
export async function takeNotice(
  request: FastifyRequest,
  reply: FastifyReply,
  { receiptOf, readNotice }: Notices,
  shown: Shown,
): Promise<Html | undefined> {
  const { cookies } = request.eep
  const cookie = readCookies(request)[cookies.names.purchase]
  if (!cookie) return undefined
  clearCookie(reply, cookies.names.purchase, cookies)
  const receiptId = readNotice(cookie)
  const receipt = receiptId === undefined ? undefined : await receiptOf(receiptId)
  if (!receipt || receipt.seller.profileId !== shown.resource.profile.id) return undefined
  const { per, amount, timeline, payerAccountId } = receipt
  const isProven = shown.isGuest || (payerAccountId !== null && payerAccountId === shown.accountId)
  return noticeHtml(request, shown.resource, {
    receiptId: receipt.receiptId,
    per,
    amount,
    settledAt: timeline.settledAt,
    isProven,
  })
}
