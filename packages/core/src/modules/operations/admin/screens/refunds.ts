import { z } from 'zod'
import { type Screen, type ScreenVisit, screenAction } from '../../../../framework/module/screen.ts'
import { buttonOnly } from '../../../../framework/module/screen-form.ts'
import { listedPage, nextPageHtml } from '../../../../framework/module/screen-list.ts'
import { html } from '../../../../http/html/html.ts'
import { emptyHtml } from '../../../../http/html/pieces.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { momentText } from '../../../../model/day-text.ts'
import { moneyText } from '../../../../model/money-text.ts'
import {
  alreadyRefunded,
  receiptNotFound,
  refundNotClaimed,
  type SalesService,
} from '../../../access/receipts/index.ts'
import { adminMessages } from '../messages.ts'

const STATES = ['claimed', 'refunded'] as const

const PROBLEMS: ReadonlyMap<string, 'refundGone' | 'refundedAlready'> = new Map([
  [receiptNotFound.code, 'refundGone'],
  [refundNotClaimed.code, 'refundGone'],
  [alreadyRefunded.code, 'refundedAlready'],
])

export interface RefundScreen {
  readonly sales: Pick<SalesService, 'listRefunds' | 'confirmRefund'>
}

/** The screen with the refunds of all sellers: those that no rail can prove are confirmed here. */
export const refundsScreen = ({ sales }: RefundScreen): Screen => ({
  name: 'adminRefunds',
  path: '/admin/refund-claims',
  section: 'admin',
  nav: { position: 50 },
  query: ['state', 'cursor'],
  title: (page) => adminMessages(page)('refunds'),
  said: (outcome, page) => (outcome === 'confirmed' ? adminMessages(page)('confirmed') : undefined),
  problem({ code }, page) {
    const key = PROBLEMS.get(code)
    return key && adminMessages(page)(key)
  },
  post: {
    confirm: screenAction({
      schema: z.object({ receipt: z.string().min(1).max(128) }),
      async run({ caller, path }: ScreenVisit, { receipt }) {
        await sales.confirmRefund(receipt, caller)
        return { to: path, said: 'confirmed' }
      },
    }),
  },
  async get(visit) {
    const { site, path, query } = visit
    const say = adminMessages(site)
    const state = STATES.find((each) => each === query.state) ?? 'claimed'
    const found = await sales.listRefunds(state, listedPage(visit))
    const tabs = STATES.map(
      (each) =>
        html`<li><a href="${hrefOn(site, `${path}?state=${each}`)}"${each === state && html` aria-current="true"`}>${say(each)}</a></li>`,
    )
    return {
      lead: say('refundsLead'),
      body: html`<ul class="langs">${tabs}</ul>
${
  found.items.length === 0
    ? emptyHtml(say('noRefunds'))
    : html`<ul class="rows">${found.items.map((receipt) => {
        const { refund, refundClaim } = receipt
        const told = refund ?? refundClaim
        const at = refund?.refundedAt ?? refundClaim?.claimedAt
        return html`<li><strong><bdi>${receipt.resource}</bdi></strong> <bdi>${moneyText(site, receipt.amount.decimal, receipt.amount.currency)}</bdi>
<p class="soft"><code>${receipt.receiptId}</code>${at && html` · <time datetime="${at.toISOString()}">${momentText(site, at)}</time>`}</p>
<dl class="facts"><dt>${say('seller')}</dt><dd><bdi>${receipt.seller.did}</bdi></dd><dt>${say('reference')}</dt><dd><code>${told?.reference}</code></dd><dt>${say('reason')}</dt><dd><bdi>${told?.reason}</bdi></dd></dl>
${state === 'claimed' && buttonOnly(visit, 'confirm', say('confirm'), { receipt: receipt.receiptId })}</li>\n`
      })}</ul>`
}${nextPageHtml(visit, found, say('next'))}`,
    }
  },
})
