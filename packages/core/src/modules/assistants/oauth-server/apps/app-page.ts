import { z } from 'zod'
import { type Screen, type ScreenVisit, screenAction } from '../../../../framework/module/screen.ts'
import {
  actionButton,
  buttonOnly,
  isChosen,
  ofForm,
  screenForm,
  textOf,
  wrongWith,
} from '../../../../framework/module/screen-form.ts'
import { listedPage, nextPageHtml, tableHtml } from '../../../../framework/module/screen-list.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { selectHtml } from '../../../../http/html/inputs.ts'
import { emptyHtml } from '../../../../http/html/pieces.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { validationFailed } from '../../../../kernel/errors.ts'
import { isolated } from '../../../../kernel/isolation.ts'
import { invalidCursor, type Page } from '../../../../kernel/page.ts'
import { dayText } from '../../../../model/day-text.ts'
import { moneyText } from '../../../../model/money-text.ts'
import type { AppReceipt, SpendTotal } from '../../../../ports/storage/app-spending.ts'
import type { AppConnection } from '../../../../ports/storage/connected-apps.ts'
import type { ProfileOfAccount } from '../../../../ports/storage/teams.ts'
import { appCannotSpend, appNotFound, profileNotAllowed } from '../consent-errors.ts'
import { connectedAppsMessages } from '../messages.ts'
import { ALL_PROFILES, withinReach } from '../profile-choice.ts'
import { scopeInputsHtml } from '../scope-inputs-html.ts'
import { chosenLimits, enteredLimits, limitInput, limitInputsHtml, MILLIONTHS, readLimits } from '../spending-html.ts'
import { APPS_PAGE_PATH, appNameHtml, type ConnectedAppsScreens, reachText } from './app-html.ts'

type AppsKey = Parameters<ReturnType<typeof connectedAppsMessages>>[0]

const PROBLEMS = new Map<string, AppsKey>([
  ['connected_app_not_found', 'gone'],
  ['app_cannot_spend', 'cannotSpend'],
  ['app_profile_not_allowed', 'profileGone'],
])

const RECEIPTS = 'receipts'
const LIMIT_INPUTS = ['purchase', 'day', 'month', 'credits'] as const

const limitText = z.string().max(20).optional()
const texts = z.union([z.string(), z.array(z.string())]).optional()

const changesSchema = z.object({
  scope: texts,
  profile: z.union([z.literal(ALL_PROFILES), z.coerce.number().int().positive()]),
  limit_purchase: limitText,
  limit_day: limitText,
  limit_month: limitText,
  limit_credits: limitText,
})

const actionsOf = ({ connectedApps, grantable }: ConnectedAppsScreens) => ({
  save: screenAction({
    recent: 'sometimes',
    schema: changesSchema,
    async run(visit: ScreenVisit, { scope = [], profile, ...entered }) {
      const { caller, path } = visit
      const id = visit.text('app')
      const connection = await connectedApps.get(id, caller)
      const scopes = [scope].flat().filter((name) => grantable.includes(name))
      if (scopes.length === 0) throw validationFailed({ details: { inputs: ['scope'] } })
      const chosen = chosenLimits(connection.spending, connectedApps.limits)
      const typed = Object.fromEntries(Object.entries(entered).filter(([, value]) => value !== undefined)) as Record<
        string,
        string
      >
      const { limits, wrong } = readLimits(enteredLimits(typed), { chosen, most: connectedApps.limits })
      if (wrong) throw validationFailed({ details: { inputs: wrong.map(limitInput) } })
      const profileId = profile === ALL_PROFILES ? null : profile
      await connectedApps.update(
        id,
        { scopes, limits, ...(profileId !== connection.profileId && { profileId }) },
        caller,
      )
      return { to: path, said: 'changed' }
    },
  }),
  end: screenAction({
    schema: z.object({}),
    async run(visit: ScreenVisit) {
      await connectedApps.end(visit.text('app'), visit.caller)
      return { to: APPS_PAGE_PATH, said: 'disconnected' }
    },
  }),
})

/** The form that changes what an app may do. */
function changeHtml(
  visited: ScreenVisit,
  deps: ConnectedAppsScreens,
  connection: AppConnection,
  profiles: readonly ProfileOfAccount[],
): Html | false {
  const actions = ['save']
  const visit = ofForm(visited, actions)
  const { site, entered } = visit
  const say = connectedAppsMessages(site)
  const { maySpend, scopes, profileId } = connection
  const isOffered = (name: string) => maySpend || !name.startsWith('spend:')
  const offered = deps.describe(site, deps.grantable.filter(isOffered))
  const limits = {
    chosen: chosenLimits(connection.spending, deps.connectedApps.limits),
    most: deps.connectedApps.limits,
    hasMoney: deps.grantable.includes('spend:payments'),
    hasCredits: deps.grantable.includes('spend:credits'),
  }
  const ofLimits = entered && { limits: enteredLimits(entered.texts), wrong: entered.wrong }
  const stored = profileId === null ? ALL_PROFILES : String(profileId)
  const shown = (entered && textOf(entered.texts, 'profile')) ?? stored
  return screenForm(
    visit,
    { actions },
    html`${selectHtml({
      name: 'profile',
      label: say('profile'),
      problem: wrongWith(visit, 'profile'),
      choices: [
        ...withinReach(profiles).map(({ profile: { id, fullName, username } }) => ({
          value: String(id),
          label: fullName ?? username,
          language: 'und',
          isChosen: shown === String(id),
        })),
        { value: ALL_PROFILES, label: say('allProfiles'), isChosen: shown === ALL_PROFILES },
      ],
    })}${scopeInputsHtml(site, {
      scopes: offered,
      cannotSpend: false,
      isChosen: ({ name }) => isChosen(visit, 'scope', name, scopes.includes(name)),
      problem: wrongWith(visit, 'scope'),
    })}${maySpend ? limitInputsHtml(site, limits, ofLimits) : html`<p class="soft">${say('cannotSpend')}</p>`}<p class="soft">${say('saveHint')}</p><p>${actionButton(visit, 'save', say('save'))}</p>`,
  )
}

/** What the app spent, by currency. */
function spentHtml({ site }: ScreenVisit, totals: readonly SpendTotal[]): Html | false {
  if (totals.length === 0) return false
  const say = connectedAppsMessages(site)
  const amount = (millionths: number, currency: string) =>
    currency === 'credits'
      ? new Intl.NumberFormat(site.language).format(millionths / MILLIONTHS)
      : moneyText(site, String(millionths / MILLIONTHS), currency)
  const table = tableHtml<SpendTotal>(
    say('spent'),
    [
      { label: say('spent'), cell: ({ currency }) => currency.toUpperCase() },
      { label: say('today'), cell: ({ currency, day }) => html`<bdi>${amount(day, currency)}</bdi>`, isNumber: true },
      {
        label: say('thisMonth'),
        cell: ({ currency, month }) => html`<bdi>${amount(month, currency)}</bdi>`,
        isNumber: true,
      },
    ],
    totals,
  )
  return html`<h2>${say('spent')}</h2><p class="soft">${say('spentHint')}</p>${table}`
}

function receiptsHtml(visit: ScreenVisit, receipts: Page<AppReceipt>): Html {
  const { site } = visit
  const say = connectedAppsMessages(site)
  const list =
    receipts.items.length === 0
      ? emptyHtml(say('noReceipts'))
      : tableHtml<AppReceipt>(
          say('receipts'),
          [
            { label: say('bought'), cell: ({ createdAt }) => dayText(site, createdAt) },
            {
              label: say('receipt'),
              cell: ({ receiptId }) =>
                html`<a href="${hrefOn(site, `/eep/payment/receipts/${encodeURIComponent(receiptId)}`)}"><code>${receiptId}</code></a>`,
            },
          ],
          receipts.items,
        )
  return html`<h2>${say('receipts')}</h2>${list}${nextPageHtml(visit, receipts, say('moreReceipts'), RECEIPTS)}`
}

const inputsOf = (details: unknown): readonly string[] => {
  const { inputs = [] } = (details ?? {}) as { readonly inputs?: readonly string[] }
  return inputs
}

/** The screen with one connected app: what it may do and spend, what it bought, and how it is disconnected. */
export const appScreen = (deps: ConnectedAppsScreens): Screen => ({
  name: 'connectedApp',
  path: `${APPS_PAGE_PATH}/:app`,
  section: 'account',
  texts: ['app'],
  within: 'connectedApps',
  query: [RECEIPTS],
  errors: [appNotFound, appCannotSpend, profileNotAllowed, invalidCursor],
  title: (page) => connectedAppsMessages(page)('app'),
  said: (outcome, page) =>
    outcome === 'changed'
      ? connectedAppsMessages(page)('changed')
      : outcome === 'disconnected'
        ? connectedAppsMessages(page)('disconnected')
        : undefined,
  problem({ code }, page) {
    const key = PROBLEMS.get(code)
    return key && connectedAppsMessages(page)(key)
  },
  wrong: (input, page) =>
    input === 'scope'
      ? connectedAppsMessages(page)('noScope')
      : LIMIT_INPUTS.some((name) => limitInput(name) === input)
        ? connectedAppsMessages(page)('wrongLimit')
        : undefined,
  inputsOf: ({ code, details }) => (code === 'app_profile_not_allowed' ? ['profile'] : inputsOf(details)),
  post: actionsOf(deps),
  async get(visit) {
    const { site, caller } = visit
    const say = connectedAppsMessages(site)
    const connection = await deps.connectedApps.get(visit.text('app'), caller)
    const [{ profiles }, totals, receipts] = await Promise.all([
      deps.accounts.me(caller),
      deps.connectedApps.totals(caller),
      deps.connectedApps.receipts(caller, connection, listedPage(visit, RECEIPTS)),
    ])
    const own = totals.filter(({ spender }) => spender === connection.spender)
    return {
      title: isolated(connection.app.name) || say('app'),
      crumbs: [{ name: say('title'), href: APPS_PAGE_PATH }],
      body: html`<p>${appNameHtml(visit, connection)}<br><small>${say('since', { day: dayText(site, connection.createdAt) })} · ${reachText(visit, connection, profiles)}</small></p>
${changeHtml(visit, deps, connection, profiles)}${connection.maySpend && html`${spentHtml(visit, own)}${receiptsHtml(visit, receipts)}`}<section class="card"><h2>${say('disconnectTitle')}</h2><p>${say('disconnectHint')}</p>${buttonOnly(visit, 'end', say('disconnect'), {}, 'danger')}</section>\n`,
    }
  },
})
