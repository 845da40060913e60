import { tableHtml } from '../../../../framework/module/screen-list.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { listedAction, type PageAction } from '../../../../http/html/page-actions.ts'
import { hrefOn, type Site } from '../../../../http/html/view.ts'
import type { Caller } from '../../../../model/caller.ts'
import { dayText } from '../../../../model/day-text.ts'
import { moneyText } from '../../../../model/money-text.ts'
import type { SalesSum } from '../../../../ports/storage/payments.ts'
import { editorPath } from '../content/content-html.ts'
import { overviewMessages } from '../messages.ts'
import { atomicText } from '../sale-texts.ts'
import { type Overview, REVENUE_DAYS, type Step } from './overview.ts'

/** Where each step is done. A step whose page the service does not have is not shown. */
const PATHS: Readonly<Record<Step, { readonly route: string; readonly hash?: string }>> = {
  verify: { route: '/dashboard', hash: '#verify' },
  picture: { route: '/manage/profiles/:id/edit' },
  bio: { route: '/manage/profiles/:id/edit' },
  page: { route: '/manage/profiles/:id/content' },
  price: { route: '/manage/profiles/:id/access' },
  payout: { route: '/account/payouts' },
}

function stepsHtml(site: Site, setup: Overview['setup']): Html | false {
  const say = overviewMessages(site)
  const steps = (setup?.left ?? []).filter((step) => site.has?.(PATHS[step].route))
  const link = (step: Step) => {
    const { route, hash = '' } = PATHS[step]
    return html`<li><a href="${hrefOn(site, route.replace(':id', String(setup?.profileId)) + hash)}">${say(step)}</a></li>\n`
  }
  return steps.length > 0 && html`<h2>${say('steps')}</h2>\n<ol>${steps.map(link)}</ol>\n`
}

function draftsHtml(site: Site, drafts: Overview['drafts']): Html | false {
  const say = overviewMessages(site)
  const row = ({ page, profile }: Overview['drafts'][number]) =>
    html`<li><strong><a href="${hrefOn(site, editorPath(profile.id, page.id))}"><bdi>${page.title}</bdi></a></strong> <small><bdi>${profile.fullName ?? profile.username}</bdi> · ${say('changed')} <time datetime="${page.updatedAt.toISOString()}">${dayText(site, page.updatedAt)}</time></small></li>\n`
  return drafts.length > 0 && html`<h2>${say('drafts')}</h2>\n<ul class="rows">${drafts.map(row)}</ul>\n`
}

/** Returns the decimals of a currency on a rail; undefined for a rail that the service no longer has. */
export type DecimalsOf = (rail: string, currency: string) => number | undefined

/** The revenue in a currency in each of the periods, in the smallest unit. */
interface Earned {
  readonly currency: string
  readonly decimals: number
  readonly amounts: readonly bigint[]
}

/** Revenue without refunds, by currency. Amounts of the same currency with other decimals are never added. */
function earnedBy(sums: readonly (readonly SalesSum[])[], decimalsOf: DecimalsOf): readonly Earned[] {
  const known = sums.map((period) =>
    period.flatMap(({ rail, currency, gross, refunded }) => {
      const decimals = decimalsOf(rail, currency)
      return decimals === undefined ? [] : [{ currency, decimals, amount: BigInt(gross) - BigInt(refunded) }]
    }),
  )
  const keys = new Map(
    known.flat().map(({ currency, decimals }) => [`${currency} ${decimals}`, { currency, decimals }]),
  )
  return [...keys.values()].map(({ currency, decimals }) => ({
    currency,
    decimals,
    amounts: known.map((period) =>
      period
        .filter((one) => one.currency === currency && one.decimals === decimals)
        .reduce((sum, { amount }) => sum + amount, 0n),
    ),
  }))
}

function salesHtml(site: Site, { last, sums }: NonNullable<Overview['sales']>, decimalsOf: DecimalsOf): Html | false {
  const say = overviewMessages(site)
  if (last.length === 0) return false
  const earned = earnedBy(sums, decimalsOf)
  const columns = [
    { label: say('currency'), cell: ({ currency }: Earned) => html`<bdi>${currency.toUpperCase()}</bdi>` },
    ...REVENUE_DAYS.map((days, index) => ({
      label: say('days', { days: String(days) }),
      isNumber: true,
      cell: ({ amounts, decimals, currency }: Earned) =>
        html`<bdi>${atomicText(site, amounts[index] ?? 0n, decimals, currency)}</bdi>`,
    })),
  ]
  const path = '/manage/profiles/:id/sales'
  const row = (sale: NonNullable<Overview['sales']>['last'][number]) => {
    const title = html`<bdi>${sale.title ?? sale.resource}</bdi>`
    const { profileId } = sale.seller
    const shown =
      site.has?.(path) && profileId !== null
        ? html`<a href="${hrefOn(site, path.replace(':id', String(profileId)))}">${title}</a>`
        : title
    return html`<li><strong>${shown}</strong> <small><bdi>${moneyText(site, sale.amount.decimal, sale.amount.currency)}</bdi> · <time datetime="${sale.issuedAt.toISOString()}">${dayText(site, sale.issuedAt)}</time>${sale.refund && html` · ${say('refunded')}`}</small></li>\n`
  }
  return html`${earned.length > 0 && html`<h2>${say('revenue')}</h2>\n<div class="wide" role="region" aria-label="${say('revenue')}" tabindex="0">${tableHtml(say('revenue'), columns, earned)}</div><p class="soft">${say('revenueNote')}</p>\n`}<h2>${say('lastSales')}</h2>\n<ul class="rows">${last.map(row)}</ul>\n`
}

export interface OverviewParts {
  readonly read: (caller: Caller) => Promise<Overview>
  readonly decimalsOf: DecimalsOf
}

/** What the console adds to the dashboard: steps that are left, drafts, revenue and the last sales. */
export function overviewAction({ read, decimalsOf }: OverviewParts): PageAction {
  const action: PageAction<'account', Overview> = {
    key: 'overview',
    on: 'account',
    load: async (_subjects, caller) => new Map([[0, await read(caller)]]),
    html: ({ state, site }) =>
      state !== undefined &&
      html`${stepsHtml(site, state.setup)}${draftsHtml(site, state.drafts)}${state.sales !== undefined && salesHtml(site, state.sales, decimalsOf)}`,
  }
  return listedAction(action)
}
