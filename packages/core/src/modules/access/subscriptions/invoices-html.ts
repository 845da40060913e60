import { formView, type PageState, titled } from '../../../http/html/form-view.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { dayText } from '../../../model/day-text.ts'
import type { BillingInvoice } from '../../../ports/billing-processor.ts'
import type { InvoicePage } from './invoices.ts'
import { planPageMessages } from './messages.ts'
import { INVOICES_PATH, PLAN_PATH } from './plan-paths.ts'
import { centsText } from './plan-words-html.ts'

/** Writes the links to the documents of an invoice, labelled with its date. */
function linksHtml(site: Site, { url, pdfUrl }: BillingInvoice, day: string): Html {
  const say = planPageMessages(site)
  const link = (href: string | null, text: string) =>
    href !== null && html`<a href="${href}" rel="noopener" aria-label="${text} ${day}">${text}</a> `
  return html`${link(url, say('show'))}${link(pdfUrl, say('pdf'))}`
}

/** The page with the invoices of an account, the latest first. */
export function invoicesView(site: Site, { items, nextCursor }: InvoicePage, state: PageState = {}): HtmlView {
  const say = planPageMessages(site)
  const rows = items.map((one) => {
    const day = dayText(site, one.createdAt)
    return html`<tr><td>${day}</td><td><bdi>${one.number ?? '–'}</bdi></td><td class="num">${centsText(site, one.totalCents, one.currency)}</td><td>${say(one.status)}</td><td>${linksHtml(site, one, day)}</td></tr>\n`
  })
  const heads = ['date', 'number', 'amount', 'status', 'document'] as const
  const older =
    nextCursor !== undefined &&
    html`<p class="acts"><a href="${hrefOn(site, `${INVOICES_PATH}?cursor=${encodeURIComponent(nextCursor)}`)}">${say('olderInvoices')}</a></p>`
  return formView({
    ...titled(site, say('invoices')),
    ...state,
    lead: items.length > 0 ? say('invoicesLead') : undefined,
    body: html`${
      items.length > 0
        ? html`<div class="wide"><table><thead><tr>${heads.map((key) => html`<th scope="col">${say(key)}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`
        : state.problem === undefined && html`<p>${say('noInvoices')}</p>`
    }${older}
<p class="acts"><a href="${hrefOn(site, PLAN_PATH)}">${say('backToPlan')}</a></p>`,
  })
}
