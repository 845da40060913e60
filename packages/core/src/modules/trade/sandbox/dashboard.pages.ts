import { type Html, html } from '../../../http/html/html.ts'
import { MAILBOX } from '../../../http/html/mailbox-hint.ts'
import { emptyHtml } from '../../../http/html/pieces.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { momentText } from '../../../model/day-text.ts'
import { moneyText } from '../../../model/money-text.ts'
import { deskMessages } from './messages.ts'
import type { SandboxPerson } from './people.ts'

/** The path of the page for the person who started the service. */
export const DESK = '/sandbox'

/** A payment or a plan, for people. */
export interface DeskEntry {
  readonly id: string
  readonly title: string
  /** Facts about it, such as its buyer. */
  readonly facts: readonly string[]
  readonly amount?: { readonly decimal: string; readonly currency: string } | undefined
  /** The time of its last change, or when the period of a plan ends. */
  readonly at: Date | null
}

/** A payment by card that was paid. */
export interface PaidEntry extends DeskEntry {
  readonly isRefunded: boolean
  readonly isDisputed: boolean
}

/** A sale that was paid with a test wallet. */
export interface WalletEntry extends DeskEntry {
  readonly isRefunded: boolean
}

/** A plan of an account. */
export interface PlanEntry extends DeskEntry {
  readonly status: 'trialing' | 'active' | 'past_due' | 'canceled'
  /** Whether its next payment fails. */
  readonly failsNext: boolean
}

export interface DeskPage {
  readonly people: readonly SandboxPerson[]
  readonly unknown: readonly DeskEntry[]
  readonly payments: readonly PaidEntry[]
  readonly walletSales: readonly WalletEntry[]
  readonly plans: readonly PlanEntry[]
  readonly notice?: 'done' | 'notPossible' | undefined
}

/** The texts of the states of plans. */
const STATUS = { trialing: 'trialing', active: 'active', past_due: 'pastDue', canceled: 'canceled' } as const

const button = (name: string, value: string, label: string, isSecond = true) =>
  html`<button${isSecond && html` class="second"`} type="submit" name="${name}" value="${value}">${label}</button>`

const form = (site: Site, path: string, buttons: readonly Html[]) =>
  buttons.length > 0 && html`<form class="acts" method="post" action="${hrefOn(site, path)}">${buttons}</form>`

function entryHtml(site: Site, { title, facts, amount, at }: DeskEntry, action: Html | false): Html {
  const known = [
    amount && html`<bdi>${moneyText(site, amount.decimal, amount.currency)}</bdi>`,
    ...facts,
    at !== null && momentText(site, at),
  ]
  return html`<li><div><strong><bdi>${title}</bdi></strong><p>${known.filter((fact) => fact !== undefined && fact !== false).map((fact, index) => [index > 0 && ' · ', fact])}</p>${action}</div></li>\n`
}

const section = (title: string, entries: readonly Html[], empty: string) =>
  html`<section><h2>${title}</h2>\n${entries.length === 0 ? emptyHtml(empty) : html`<ul class="rows">${entries}</ul>`}</section>\n`

/** The page on which a person acts as everybody: as owner, buyer, administrator, bank and clock. */
export function deskView(site: Site, page: DeskPage): HtmlView {
  const say = deskMessages(site)
  const { people, unknown, payments, walletSales, plans, notice } = page
  const toPayment = (id: string, buttons: readonly Html[]) => form(site, `${DESK}/payment-actions/${id}`, buttons)
  const ofUnknown = unknown.map((entry) =>
    entryHtml(
      site,
      entry,
      toPayment(entry.id, [
        button('action', 'paid', say('wasPaid'), false),
        button('action', 'not_paid', say('wasNotPaid')),
      ]),
    ),
  )
  const ofPayments = payments.map(({ isRefunded, isDisputed, ...entry }) => {
    const state = [...(isRefunded ? [say('refunded')] : []), ...(isDisputed ? [say('disputed')] : [])]
    const buttons = [
      ...(isRefunded ? [] : [button('action', 'refund', say('refund'))]),
      ...(isRefunded || isDisputed ? [] : [button('action', 'dispute', say('dispute'))]),
    ]
    return entryHtml(site, { ...entry, facts: [...entry.facts, ...state] }, toPayment(entry.id, buttons))
  })
  const ofWallets = walletSales.map(({ isRefunded, ...entry }) =>
    entryHtml(
      site,
      { ...entry, facts: [...entry.facts, ...(isRefunded ? [say('refunded')] : [])] },
      form(site, `${DESK}/wallet-refunds/${entry.id}`, isRefunded ? [] : [button('action', 'refund', say('refund'))]),
    ),
  )
  const ofPlans = plans.map(({ status, failsNext, ...entry }) =>
    entryHtml(
      site,
      { ...entry, facts: [...entry.facts, say(STATUS[status]), ...(failsNext ? [say('fails')] : [])] },
      form(site, `${DESK}/plan-actions/${entry.id}`, [
        ...(status === 'canceled' ? [] : [button('action', 'end_period', say('endPeriod'))]),
        ...(status === 'canceled' || failsNext ? [] : [button('action', 'fail_next_payment', say('failNext'))]),
      ]),
    ),
  )
  return {
    title: say('title'),
    head: html`<h1>${say('title')}</h1>
${notice && html`<div class="${notice === 'done' ? 'notice' : 'problem'}" role="status"><p>${say(notice)}</p></div>`}<p class="lead">${say('lead')}</p>
${site.has?.(MAILBOX) && html`<p><a href="${hrefOn(site, MAILBOX)}">${say('mailbox')}</a></p>`}
${
  people.length > 0 &&
  html`<section><h2>${say('people')}</h2>${form(
    site,
    `${DESK}/people`,
    people.map((person, index) => button('person', person, say(person), index > 0)),
  )}</section>`
}
${section(say('unknown'), ofUnknown, say('noUnknown'))}${section(say('payments'), ofPayments, say('noPayments'))}${section(say('walletSales'), ofWallets, say('noWalletSales'))}${section(say('plans'), ofPlans, say('noPlans'))}<section><h2>${say('clock')}</h2><p>${say('clockLead')}</p>${form(site, `${DESK}/clock`, [button('by', 'day', say('aDay')), button('by', 'month', say('aMonth'))])}</section>`,
  }
}
