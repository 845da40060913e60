import type { ProfileVisit } from '../../../../framework/module/screen.ts'
import { actionButton, ofForm, screenForm, shownText, wrongWith } from '../../../../framework/module/screen-form.ts'
import { type Column, tableHtml } from '../../../../framework/module/screen-list.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { lineHtml, selectHtml } from '../../../../http/html/inputs.ts'
import { dayText } from '../../../../model/day-text.ts'
import type { CustomerSum } from '../../../../ports/storage/customers.ts'
import type { GrantRecord } from '../../../../ports/storage/entitlements.ts'
import type { CustomerSales } from '../../../access/receipts/index.ts'
import { customersMessages } from '../messages.ts'
import { atomicText, customerHtml } from '../sale-texts.ts'

/** The decimals of a currency on a network; undefined for one that no rail of the service has. */
export type DecimalsOn = (network: string, currency: string) => number | undefined

/** How many titles of purchases a customer shows. */
const SHOWN_TITLES = 3

function sumsHtml({ site }: ProfileVisit, sums: readonly CustomerSum[], decimalsOn: DecimalsOn): Html {
  return html`<span>${sums.map(({ network, currency, gross }, index) => {
    const decimals = decimalsOn(network, currency)
    const amount = decimals === undefined ? `${gross} ${currency}` : atomicText(site, gross, decimals, currency)
    return html`${index > 0 && html`<br>`}<bdi>${amount}</bdi>`
  })}</span>`
}

/** Writes the customers of a profile, with the titles of their last purchases. */
export function customersTable(visit: ProfileVisit, customers: readonly CustomerSales[], decimalsOn: DecimalsOn): Html {
  const { site } = visit
  const say = customersMessages(site)
  const columns: readonly Column<CustomerSales>[] = [
    {
      label: say('customer'),
      cell: ({ customer, titles }) =>
        html`${customerHtml(site, customer)}${titles.length > 0 && html`<br><small>${titles.slice(0, SHOWN_TITLES).map((title, index) => html`${index > 0 && ' · '}<bdi>${title}</bdi>`)}${titles.length > SHOWN_TITLES && ' …'}</small>`}`,
    },
    { label: say('purchases'), cell: ({ purchases }) => purchases.toLocaleString(site.language), isNumber: true },
    { label: say('refunds'), cell: ({ refunds }) => refunds.toLocaleString(site.language), isNumber: true },
    { label: say('paid'), cell: ({ sums }) => sumsHtml(visit, sums, decimalsOn), isNumber: true },
    { label: say('last'), cell: ({ lastAt }) => dayText(site, lastAt), isNumber: true },
  ]
  return tableHtml(say('title'), columns, customers)
}

/** Writes who holds access. Addresses of email are shown only where a person of the team entered them. */
function holderHtml({ site }: ProfileVisit, { payerNetwork, payerWalletAddress, reason }: GrantRecord): Html {
  const say = customersMessages(site)
  if (payerNetwork === 'account') return html`${say('account')}`
  if (payerNetwork === 'email')
    return reason === 'hand' ? html`<bdi>${payerWalletAddress}</bdi>` : html`${say('buyer')}`
  return html`<code><bdi>${payerWalletAddress}</bdi></code>`
}

/** Writes access that counts now, each with the form that takes it. */
export function accessTable(
  visit: ProfileVisit,
  grants: readonly GrantRecord[],
  nameOf: (pattern: string) => string | undefined,
): Html {
  const { site } = visit
  const say = customersMessages(site)
  const taking = (id: string) =>
    screenForm(
      visit,
      { actions: ['take'], among: { grant: id } },
      html`<p>${say('takeText')}</p><p class="acts">${actionButton(visit, 'take', say('take'), 'danger')}</p>`,
    )
  const columns: readonly Column<GrantRecord>[] = [
    { label: say('holder'), cell: (grant) => holderHtml(visit, grant) },
    {
      label: say('opens'),
      cell: ({ resourcePattern }) => html`<bdi>${nameOf(resourcePattern) ?? say('otherThing')}</bdi>`,
    },
    { label: say('source'), cell: ({ reason }) => say(reason === 'hand' ? 'byHand' : 'bought') },
    {
      label: say('until'),
      cell: ({ validUntil }) => (validUntil ? dayText(site, validUntil) : say('forever')),
      isNumber: true,
    },
    ...(visit.allows('take')
      ? [
          {
            label: say('take'),
            cell: ({ id }: GrantRecord) => html`<details><summary>${say('take')}</summary>${taking(id)}</details>`,
          },
        ]
      : []),
  ]
  return tableHtml(say('access'), columns, grants)
}

/** Writes the form that gives access without a payment. */
export function giveForm(
  visited: ProfileVisit,
  tiers: readonly { readonly name: string; readonly title: string }[],
): Html | false {
  const visit = ofForm(visited, ['give'])
  const say = customersMessages(visit.site)
  if (tiers.length === 0) return visit.allows('give') && html`<p class="soft">${say('noTier')}</p>\n`
  const chosen = shownText(visit, 'tier', tiers[0]?.name)
  const form = screenForm(
    visit,
    { actions: ['give'] },
    html`${lineHtml({ name: 'to', label: say('to'), hint: say('toHint'), isExact: true, isRequired: true, maxLength: 254, value: shownText(visit, 'to', ''), problem: wrongWith(visit, 'to') })}<div class="pair">${selectHtml({ name: 'tier', label: say('tier'), problem: wrongWith(visit, 'tier'), choices: tiers.map(({ name, title }) => ({ value: name, label: title, language: 'und', isChosen: name === chosen })) })}${lineHtml({ name: 'until', type: 'date', label: say('until'), hint: say('untilHint'), value: shownText(visit, 'until', ''), problem: wrongWith(visit, 'until') })}</div>${lineHtml({ name: 'reason', label: say('reason'), hint: say('reasonHint'), maxLength: 256, value: shownText(visit, 'reason', ''), problem: wrongWith(visit, 'reason') })}<p class="acts">${actionButton(visit, 'give', say('give'))}</p>`,
  )
  return form && html`<section class="card"><h2>${say('giveTitle')}</h2>${form}</section>\n`
}
