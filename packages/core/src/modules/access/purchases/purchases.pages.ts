import { fieldHtml, formView, type PageState, titled } from '../../../http/html/form-view.ts'
import { dataScript, type Html, html } from '../../../http/html/html.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { zonedTime } from '../../../http/html/zoned-time.ts'
import type { Page } from '../../../kernel/page.ts'
import { dayText, momentText } from '../../../model/day-text.ts'
import { moneyText } from '../../../model/money-text.ts'
import { purchaseMessages, walletProofMessages } from './messages.ts'
import type { NamedPurchase, PurchaseService } from './purchases.ts'
import { walletProofTexts } from './wallet-proof-texts.ts'

/** The path of the purchases of a visitor. */
export const PURCHASES_PATH = '/purchases'

const MAX_EMAIL = 254
const SHORT_TERMS: ReadonlySet<string> = new Set(['request', 'hour', 'day'])

/** The ways in which a visitor can prove purchases on this service. */
export interface ProofWays {
  readonly byEmail: boolean
  /** The path of the route that issues what a wallet signs. Undefined when no wallet can be proven. */
  readonly walletPath: string | undefined
  /** The path of the route that takes what a wallet signed. Undefined when wallets cannot sign on pages of this service. */
  readonly proofPath: string | undefined
}

/** A form that was refused: what was entered, and what is wrong with it, if it is the field. */
interface RefusedEmail {
  readonly value: string
  readonly problem?: string | undefined
}

function emailForm(site: Site, refused: RefusedEmail | undefined): Html {
  const say = purchaseMessages(site)
  const field = { name: 'email', label: say('email'), type: 'email', autocomplete: 'email' } as const
  return html`<p>${say('emailLead')}</p>
<form method="post" action="${hrefOn(site, PURCHASES_PATH)}">
${fieldHtml({ ...field, maxLength: MAX_EMAIL, ...refused })}<p><button type="submit">${say('sendLink')}</button></p>
</form>\n`
}

/** The button that lets a wallet prove its purchases, and where the script shows the status. */
function walletProof(site: Site, proofPath: string): Html {
  const say = walletProofMessages(site)
  const proof = {
    texts: walletProofTexts(site),
    url: hrefOn(site, proofPath),
    done: hrefOn(site, `${PURCHASES_PATH}?done=recovered`),
  }
  return html`<p><button type="button" hidden data-wallet-proof>${say('button')}</button></p>
<p class="notice" role="status" data-wallet-status hidden></p>
<div class="acts" data-wallet-choice></div>
<noscript><p class="soft">${say('noScript')}</p></noscript>
${dataScript('wallet-proof', proof)}\n`
}

function walletHtml(site: Site, walletPath: string, proofPath: string | undefined): Html {
  const say = purchaseMessages(site)
  return html`<h2>${say('walletTitle')}</h2>
<p>${say('walletLead')}</p>
${proofPath && walletProof(site, proofPath)}<p class="soft">${say('walletPrograms')} <code>POST ${hrefOn(site, walletPath)}</code></p>\n`
}

function otherProofs(
  site: Site,
  { byEmail, walletPath, proofPath }: ProofWays,
  refused: RefusedEmail | undefined,
): Html {
  const say = purchaseMessages(site)
  return html`${byEmail && html`<h2>${say('emailTitle')}</h2>\n${emailForm(site, refused)}`}${walletPath && walletHtml(site, walletPath, proofPath)}`
}

export interface ProofPage extends PageState {
  readonly ways: ProofWays
  readonly refused?: RefusedEmail | undefined
}

/** The page for visitors who have proven nothing. It shows how they can, and nothing about purchases. */
export function proofView(site: Site, { ways, refused, ...state }: ProofPage): HtmlView {
  const say = purchaseMessages(site)
  const signIn = `/login?next=${encodeURIComponent(PURCHASES_PATH)}`
  const view = formView({
    ...titled(site, say('title')),
    ...state,
    lead: say('prove'),
    body: html`${site.has?.('/login') && html`<h2>${say('signInTitle')}</h2>\n<p>${say('signInLead')}</p>\n<p><a class="btn" href="${hrefOn(site, signIn)}">${say('signIn')}</a></p>\n`}${otherProofs(site, ways, refused)}`,
  })
  return { ...view, hasScript: ways.proofPath !== undefined }
}

function stateText(site: Site, { receipt, access }: NamedPurchase): string {
  const say = purchaseMessages(site)
  if (receipt.refund) return say('refunded', { date: dayText(site, receipt.refund.refundedAt) })
  if (!access) return say('ended')
  const { validUntil } = access
  if (!validUntil) return say('openForGood')
  const write = SHORT_TERMS.has(receipt.per) ? momentText : dayText
  return say('openUntil', { date: write(site, validUntil) })
}

function purchaseHtml(site: Site, one: NamedPurchase, pdfPath: string | undefined, byApp: string | undefined): Html {
  const say = purchaseMessages(site)
  const { receipt, purchase, access, sellerName, sellerPath, event } = one
  const starts = event && zonedTime(site, event.startsAt, event.timezone)
  const { decimal, currency } = receipt.amount
  const price = moneyText(site, decimal, currency)
  const link = (href: string, text: string) => html`<a href="${hrefOn(site, href)}">${text}</a>\n`
  return html`<li><p><strong><bdi>${purchase.shown.description || receipt.resource}</bdi></strong></p>
${starts && html`<p><bdi>${event.name}</bdi><br>${starts}</p>\n`}<p>${stateText(site, one)}</p>
<p class="soft">${say('bought', { price, date: dayText(site, receipt.timeline.paidAt) })}${sellerName !== null && html`<br><bdi>${say('seller', { name: sellerName })}</bdi>`}${byApp && html`<br>${byApp}`}</p>
<p class="acts">${access && link(purchase.shown.url, say('open'))}${pdfPath && link(pdfPath, say('receipt'))}${sellerPath !== null && link(sellerPath, say('ask'))}</p></li>\n`
}

export interface PurchasesPage extends PageState {
  readonly page: Page<NamedPurchase>
  readonly limit: number
  readonly pdfPathOf: ((receiptId: string) => string) | undefined
  readonly appText: PurchaseService['appText']
  readonly ways: ProofWays
}

/** The page with the purchases of a visitor. */
export function purchasesView(
  site: Site,
  { page, limit, pdfPathOf, appText, ways, ...state }: PurchasesPage,
): HtmlView {
  const say = purchaseMessages(site)
  const { items, nextCursor } = page
  const next = nextCursor && `${PURCHASES_PATH}?limit=${limit}&cursor=${encodeURIComponent(nextCursor)}`
  const others = ways.byEmail || ways.walletPath
  const view = formView({
    ...titled(site, say('title')),
    ...state,
    body: html`${
      items.length === 0
        ? html`<p>${say('none')}</p>\n`
        : html`<ul class="tiers">${items.map((item) => purchaseHtml(site, item, pdfPathOf?.(item.receipt.receiptId), item.app && appText(site, item.app)))}</ul>\n`
    }${next && html`<p><a rel="next" href="${hrefOn(site, next)}">${say('older')}</a></p>\n`}${others && html`<details><summary>${say('missing')}</summary>\n${otherProofs(site, ways, undefined)}</details>`}`,
  })
  return { ...view, hasScript: ways.proofPath !== undefined }
}
