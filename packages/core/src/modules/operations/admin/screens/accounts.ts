import type { Screen, ScreenVisit } from '../../../../framework/module/screen.ts'
import { listedPage, nextPageHtml, tableHtml } from '../../../../framework/module/screen-list.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { lineHtml, selectHtml } from '../../../../http/html/inputs.ts'
import { emptyHtml } from '../../../../http/html/pieces.ts'
import { hrefOn, type Site } from '../../../../http/html/view.ts'
import { dayText } from '../../../../model/day-text.ts'
import { PLANS, type Plan } from '../../../../model/plan.ts'
import type { AccountQuery, ListedAccount } from '../../../../ports/storage/admin.ts'
import { adminMessages } from '../messages.ts'
import type { AdminService } from '../service.ts'

/** The path of the screen that lists accounts. */
export const ACCOUNTS_PATH = '/admin/accounts'

const STATES = ['banned', 'admins'] as const

/** Writes the state of an account in words. */
export function stateHtml(site: Site, { account }: ListedAccount, isAdmin: boolean): Html {
  const say = adminMessages(site)
  const states = [
    account.bannedAt !== null && html`<span class="tag bad">${say('banned')}</span>`,
    account.deletionScheduledAt !== null && html`<span class="tag">${say('leaving')}</span>`,
    isAdmin && html`<span class="tag ok">${say('isAdmin')}</span>`,
    !account.emailVerified && html`<span class="tag">${say('unverified')}</span>`,
  ].filter(Boolean)
  return html`${states.length > 0 ? states.map((state, index) => [index > 0 && ' ', state]) : html`<span class="tag">${say('active')}</span>`}`
}

/** The accounts that the query of the screen names. */
function queryOf({ query: { q, plan, state } }: ScreenVisit): AccountQuery {
  const text = q?.trim()
  return {
    text: text === '' ? undefined : text,
    tier: PLANS.find((each) => each === plan),
    banned: state === 'banned' ? true : undefined,
    isAdmin: state === 'admins' ? true : undefined,
  }
}

function filtersHtml({ site, path, query }: ScreenVisit, planName: (plan: Plan) => string): Html {
  const say = adminMessages(site)
  const any = (value: string | undefined) => ({ value: '', label: say('any'), isChosen: !value })
  return html`<form method="get" action="${hrefOn(site, path)}" role="search" class="filters">${lineHtml({
    name: 'q',
    label: say('searchAccounts'),
    type: 'search',
    value: query.q ?? '',
    maxLength: 128,
  })}${selectHtml({
    name: 'plan',
    label: say('plan'),
    choices: [
      any(query.plan),
      ...PLANS.map((plan) => ({ value: plan, label: planName(plan), language: 'und', isChosen: query.plan === plan })),
    ],
  })}${selectHtml({
    name: 'state',
    label: say('state'),
    choices: [
      any(query.state),
      ...STATES.map((state) => ({ value: state, label: say(state), isChosen: query.state === state })),
    ],
  })}<p class="field"><button class="second" type="submit">${say('search')}</button></p></form>\n`
}

/** What the screens about accounts need. */
export interface AccountScreens {
  readonly admin: AdminService
  /** Returns the name of a plan. */
  readonly planName: (plan: Plan) => string
}

/** The screen that finds accounts. */
export const accountsScreen = ({ admin, planName }: AccountScreens): Screen => ({
  name: 'adminAccounts',
  path: ACCOUNTS_PATH,
  section: 'admin',
  nav: { position: 20 },
  query: ['q', 'plan', 'state', 'cursor'],
  title: (page) => adminMessages(page)('accounts'),
  async get(visit) {
    const { site } = visit
    const say = adminMessages(site)
    const found = await admin.list(queryOf(visit), listedPage(visit))
    const table = tableHtml<ListedAccount>(
      say('accounts'),
      [
        {
          label: say('account'),
          cell: ({ account: { id, username, fullName } }) =>
            html`<a href="${hrefOn(site, `${ACCOUNTS_PATH}/${id}`)}"><bdi>${fullName ?? username}</bdi></a>`,
        },
        { label: say('email'), cell: ({ account }) => html`<bdi>${account.email}</bdi>` },
        { label: say('plan'), cell: ({ account }) => html`<bdi>${planName(account.tier)}</bdi>` },
        { label: say('state'), cell: (listed) => stateHtml(site, listed, admin.administers(listed.account)) },
        { label: say('since'), cell: ({ account }) => dayText(site, account.createdAt), isNumber: true },
      ],
      found.items,
    )
    return {
      body: html`${filtersHtml(visit, planName)}<p class="soft" role="status">${say('found', { count: found.total })}</p>
${found.items.length === 0 ? emptyHtml(say('noAccounts')) : table}${nextPageHtml(visit, found, say('next'))}`,
    }
  },
})
