import { z } from 'zod'
import { type ProfileVisit, type Screen, screenAction } from '../../../../framework/module/screen.ts'
import { actionButton, ofForm, screenForm, shownText, wrongWith } from '../../../../framework/module/screen-form.ts'
import { type Column, listedPage, nextPageHtml, tableHtml } from '../../../../framework/module/screen-list.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { areaHtml, lineHtml } from '../../../../http/html/inputs.ts'
import { emptyHtml } from '../../../../http/html/pieces.ts'
import { hrefOn, type Site } from '../../../../http/html/view.ts'
import { DAY_MS } from '../../../../kernel/durations.ts'
import { dayText, momentText } from '../../../../model/day-text.ts'
import { moneyText } from '../../../../model/money-text.ts'
import type { SalesSum } from '../../../../ports/storage/payments.ts'
import type { Sale, SalesRequest, SalesService } from '../../../access/receipts/index.ts'
import { salesScreenMessages } from '../messages.ts'
import { atomicText, customerHtml } from '../sale-texts.ts'
import { isLive, LIVE_SCRIPT, liveData } from '../sales/live-island.ts'
import { optionalLines } from '../values.ts'

const MAX_REASON = 500
const MAX_REFERENCE = 128
const DAY = /^\d{4}-\d{2}-\d{2}$/

type SalesKey = Parameters<ReturnType<typeof salesScreenMessages>>[0]

const PROBLEMS = new Map<string, SalesKey>([
  ['already_refunded', 'alreadyRefunded'],
  ['receipt_not_found', 'gone'],
  ['refund_not_proven', 'notProven'],
  ['refund_reference_used', 'referenceUsed'],
  ['refund_pending', 'pending'],
  ['payment_disputed', 'disputed'],
  ['validation_failed', 'referenceNeeded'],
  ['forbidden', 'notPaidToYou'],
])

/** What the screen with the sales of a profile needs. */
export interface SalesScreen {
  readonly sales: Pick<SalesService, 'list' | 'sum' | 'refund'>
  /** The decimals of a currency on a rail; undefined for a rail that the service no longer has. */
  readonly decimalsOf: (rail: string, currency: string) => number | undefined
  /** Whether a rail sends refunds itself. For others the seller sends them, and names the transfer. */
  readonly sendsRefunds: (rail: string) => boolean
  /** The prefix of the types of events. */
  readonly eventTypePrefix: string
}

/** A day of the query, as the moment at which it begins in UTC. */
function dayOf(text: string | undefined): Date | undefined {
  if (text === undefined || !DAY.test(text)) return undefined
  const day = new Date(`${text}T00:00:00Z`)
  return Number.isNaN(day.getTime()) ? undefined : day
}

/** The sales that the query of the screen names. The last day is included. */
function requestOf({ profile, query }: ProfileVisit): SalesRequest {
  const until = dayOf(query.to)
  return { profileId: profile.id, from: dayOf(query.from), to: until && new Date(until.getTime() + DAY_MS) }
}

function totalsHtml(site: Site, sums: readonly SalesSum[], decimalsOf: SalesScreen['decimalsOf']): Html {
  const say = salesScreenMessages(site)
  const money = (name: 'gross' | 'refunded' | 'commission') => (sum: SalesSum) => {
    const decimals = decimalsOf(sum.rail, sum.currency)
    return decimals === undefined ? sum[name] : html`<bdi>${atomicText(site, sum[name], decimals, sum.currency)}</bdi>`
  }
  const columns: readonly Column<SalesSum>[] = [
    {
      label: say('rail'),
      cell: ({ rail, currency }) => html`<bdi>${currency.toUpperCase()}</bdi> · <code>${rail}</code>`,
    },
    { label: say('count'), cell: ({ sales }) => String(sales), isNumber: true },
    { label: say('gross'), cell: money('gross'), isNumber: true },
    { label: say('refundedSum'), cell: money('refunded'), isNumber: true },
    { label: say('commission'), cell: money('commission'), isNumber: true },
  ]
  return tableHtml(say('totals'), columns, sums)
}

function stateHtml(site: Site, { refund, refundClaim }: Sale): Html {
  const say = salesScreenMessages(site)
  if (refund) return html`<span class="tag">${say('refunded', { day: dayText(site, refund.refundedAt) })}</span>`
  if (refundClaim) return html`<span class="tag">${say('claimed')}</span>`
  return html`<span class="tag ok">${say('paid')}</span>`
}

/** The times of a sale, from the request that met the price to the settlement. */
function timesHtml({ site }: ProfileVisit, { timeline }: Sale): Html {
  const say = salesScreenMessages(site)
  const { gateHitAt, challengeIssuedAt, basis, paidAt, settledAt } = timeline
  const time = (label: string, at: Date) =>
    html`<dt>${label}</dt><dd><time datetime="${at.toISOString()}">${momentText(site, at)}</time></dd>`
  return html`<details><summary>${say('times')}</summary><dl class="facts">${time(say('gateHit'), gateHitAt)}${time(say(`offered_${basis}`), challengeIssuedAt)}${time(say('paidAt'), paidAt)}${time(say('settledAt'), settledAt)}</dl></details>\n`
}

/** The form that refunds a sale. Wallets are paid back by the seller, who names the transfer. */
function refundForm(visit: ProfileVisit, sale: Sale, sends: SalesScreen['sendsRefunds']): Html | false {
  if (sale.refund || sale.refundClaim) return false
  const { site } = visit
  const say = salesScreenMessages(site)
  const [actions, among] = [['refund'], { receipt: sale.receiptId }]
  const shown = ofForm(visit, actions, among)
  const id = (name: string) => `${name}-${sale.receiptId}`
  const form = screenForm(
    shown,
    { actions, among },
    html`<p>${say('refundText', { amount: moneyText(site, sale.amount.decimal, sale.amount.currency) })}</p>${areaHtml({
      name: 'reason',
      id: id('reason'),
      label: say('reason'),
      rows: 2,
      maxLength: MAX_REASON,
      value: shownText(shown, 'reason', ''),
    })}${
      !sends(sale.rail) &&
      lineHtml({
        name: 'reference',
        id: id('reference'),
        label: say('reference'),
        hint: say('referenceHint', { wallet: sale.payerWalletAddress, network: sale.settlement.network }),
        value: shownText(shown, 'reference', ''),
        maxLength: MAX_REFERENCE,
        isExact: true,
        problem: wrongWith(shown, 'reference'),
      })
    }<p>${actionButton(shown, 'refund', say('refund'), 'danger')}</p>`,
  )
  return form && html`<details${shown.entered && html` open`}><summary>${say('refundTitle')}</summary>${form}</details>`
}

function saleHtml(visit: ProfileVisit, sale: Sale, sends: SalesScreen['sendsRefunds']): Html {
  const { site } = visit
  const { amount, receiptId, issuedAt } = sale
  return html`<li data-sale="${receiptId}"><strong><bdi>${sale.title ?? sale.resource}</bdi></strong> <bdi>${moneyText(site, amount.decimal, amount.currency)}</bdi> ${stateHtml(site, sale)}
<small>${customerHtml(site, sale.customer)}${sale.toldEmail !== null && html` · <a href="mailto:${sale.toldEmail}"><bdi>${sale.toldEmail}</bdi></a>`} · <time datetime="${issuedAt.toISOString()}">${dayText(site, issuedAt)}</time> · <code>${sale.rail}</code> · <code>${receiptId}</code></small>
${timesHtml(visit, sale)}${refundForm(visit, sale, sends)}</li>\n`
}

function filtersHtml({ site, path, query, profile }: ProfileVisit): Html {
  const say = salesScreenMessages(site)
  const day = (name: 'from' | 'to') =>
    lineHtml({ name, label: say(name), type: 'date', value: dayOf(query[name]) ? (query[name] ?? '') : '' })
  return html`<form method="get" action="${hrefOn(site, path)}" class="filters">${day('from')}${day('to')}<p class="field"><button class="second" type="submit">${say('show')}</button> <a href="${hrefOn(site, `/eep/payment/sales.csv?profile_id=${profile.id}`)}" download>${say('csv')}</a></p></form>\n`
}

/** The screen with the sales of a profile: totals, each sale, and its refund. */
export const salesScreen = ({ sales, decimalsOf, sendsRefunds, eventTypePrefix }: SalesScreen): Screen => ({
  name: 'profileSales',
  path: '/manage/profiles/:id/sales',
  section: 'profile',
  permission: 'payments.read',
  nav: { position: 40 },
  query: ['from', 'to', 'cursor'],
  title: (page) => salesScreenMessages(page)('title'),
  said: (outcome, page) =>
    outcome === 'refunded' || outcome === 'claimed'
      ? salesScreenMessages(page)(outcome === 'refunded' ? 'nowRefunded' : 'nowClaimed')
      : undefined,
  problem({ code }, page) {
    const key = PROBLEMS.get(code)
    return key && salesScreenMessages(page)(key)
  },
  inputsOf: ({ code }) =>
    ['refund_not_proven', 'refund_reference_used', 'validation_failed'].includes(code) ? ['reference'] : [],
  post: {
    refund: screenAction({
      permission: 'payments.refund',
      recent: true,
      schema: z.object({
        receipt: z.string().min(1).max(128),
        reason: optionalLines(MAX_REASON),
        reference: z.string().trim().max(MAX_REFERENCE).optional(),
      }),
      async run({ caller, path }: ProfileVisit, { receipt, reason, reference }) {
        const refund = await sales.refund(receipt, { reason, reference: reference || undefined }, caller)
        return { to: path, said: 'refundedAt' in refund ? 'refunded' : 'claimed' }
      },
    }),
  },
  async get(visit) {
    const { site, caller } = visit
    const say = salesScreenMessages(site)
    const request = requestOf(visit)
    const [found, sums] = await Promise.all([
      sales.list(request, listedPage(visit), caller),
      sales.sum(request, caller),
    ])
    const customers = html`<a class="btn second" href="${hrefOn(site, `/manage/profiles/${visit.profile.id}/customers`)}">${say('customers')}</a>`
    return {
      beside: customers,
      scripts: isLive(visit) ? [LIVE_SCRIPT] : undefined,
      body: html`${filtersHtml(visit)}${isLive(visit) && liveData(visit, eventTypePrefix)}<div data-sales>${sums.length > 0 && totalsHtml(site, sums, decimalsOf)}${
        found.items.length === 0
          ? emptyHtml(say('none'))
          : html`<ul class="rows">${found.items.map((sale) => saleHtml(visit, sale, sendsRefunds))}</ul>`
      }${nextPageHtml(visit, found, say('next'))}</div>`,
    }
  },
})
