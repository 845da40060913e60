import { z } from 'zod'
import { type Screen, type ScreenVisit, screenAction } from '../../../../framework/module/screen.ts'
import { actionButton, buttonOnly, isChosen, ofForm, screenForm } from '../../../../framework/module/screen-form.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { selectHtml } from '../../../../http/html/inputs.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { dayText } from '../../../../model/day-text.ts'
import { PLANS } from '../../../../model/plan.ts'
import { secondFactorNotFound } from '../../../people/accounts/index.ts'
import { cannotModifySelf, cannotResetOwn, namedAdministrator, userNotFound } from '../errors.ts'
import { adminMessages } from '../messages.ts'
import type { AccountDecision, AdminService } from '../service.ts'
import { ACCOUNTS_PATH, type AccountScreens, stateHtml } from './accounts.ts'
import { CHANGES_PATH } from './changes.ts'

const PROBLEMS = new Map<string, 'notSelf' | 'named' | 'gone' | 'noSecondFactor' | 'notOwnSecondFactor'>([
  [cannotModifySelf.code, 'notSelf'],
  [namedAdministrator.code, 'named'],
  [userNotFound.code, 'gone'],
  [secondFactorNotFound.code, 'noSecondFactor'],
  [cannotResetOwn.code, 'notOwnSecondFactor'],
])

type Outcome = 'planned' | 'banned' | 'unbanned' | 'appointed' | 'dismissed' | 'reset'

/** The sentences about the outcomes of the forms. */
const SAID = new Map<string, 'planned' | 'bannedNow' | 'unbanned' | 'appointed' | 'dismissed' | 'factorReset'>([
  ['planned', 'planned'],
  ['banned', 'bannedNow'],
  ['unbanned', 'unbanned'],
  ['appointed', 'appointed'],
  ['dismissed', 'dismissed'],
  ['reset', 'factorReset'],
])

const accountOf = (visit: ScreenVisit) => visit.text('account')

function decide(admin: Pick<AdminService, 'decide'>, said: Outcome, decision: AccountDecision) {
  return screenAction({
    schema: z.object({}),
    async run(visit: ScreenVisit) {
      await admin.decide(accountOf(visit), decision, visit.caller)
      return { to: visit.path, said }
    },
  })
}

const decideFrom = (admin: Pick<AdminService, 'decide'>) =>
  screenAction({
    schema: z.object({ plan: z.enum(PLANS) }),
    async run(visit: ScreenVisit, { plan }) {
      await admin.decide(accountOf(visit), { tier: plan }, visit.caller)
      return { to: visit.path, said: 'planned' }
    },
  })

const resetFactor = (admin: Pick<AdminService, 'resetSecondFactor'>) =>
  screenAction({
    schema: z.object({}),
    async run(visit: ScreenVisit) {
      await admin.resetSecondFactor(accountOf(visit), visit.caller)
      return { to: visit.path, said: 'reset' }
    },
  })

/** A form with what it does in words. */
const section = (title: string, text: string, form: Html | false): Html | false =>
  form && html`<section><h2>${title}</h2><p>${text}</p>${form}</section>\n`

/** The screen of one account: its plan, bans, and the rights of administrators. */
export const accountScreen = ({ admin, planName }: AccountScreens): Screen => ({
  name: 'adminAccount',
  path: `${ACCOUNTS_PATH}/:account`,
  texts: ['account'],
  section: 'admin',
  title: (page) => adminMessages(page)('account'),
  said: (outcome, page) => {
    const key = SAID.get(outcome)
    return key && adminMessages(page)(key)
  },
  problem: ({ code }, page) => {
    const key = PROBLEMS.get(code)
    return key && adminMessages(page)(key)
  },
  post: {
    plan: decideFrom(admin),
    ban: decide(admin, 'banned', { banned: true }),
    unban: decide(admin, 'unbanned', { banned: false }),
    appoint: decide(admin, 'appointed', { isAdmin: true }),
    dismiss: decide(admin, 'dismissed', { isAdmin: false }),
    resetFactor: resetFactor(admin),
  },
  async get(visit) {
    const { site, caller } = visit
    const say = adminMessages(site)
    const listed = await admin.get(accountOf(visit))
    const { account, subscription } = listed
    const isSelf = account.id === caller.account.id
    const isAdmin = admin.administers(account)
    const facts: readonly (readonly [string, Html | string])[] = [
      [say('email'), html`<bdi>${account.email}</bdi>`],
      [say('state'), stateHtml(site, listed, isAdmin)],
      [say('profile'), html`<a href="${hrefOn(site, `/u/${account.username}`)}"><bdi>${account.username}</bdi></a>`],
      [say('since'), dayText(site, account.createdAt)],
      [say('plan'), html`<bdi>${planName(account.tier)}</bdi>`],
      [
        say('subscription'),
        subscription
          ? html`<bdi>${planName(subscription.tier)}</bdi> · <bdi>${subscription.status}</bdi> · <bdi>${subscription.processor}</bdi>`
          : say('none'),
      ],
      ...(account.deletionScheduledAt ? [[say('leavesOn'), dayText(site, account.deletionScheduledAt)] as const] : []),
    ]
    const granted = account.grantedTier ?? 'community'
    const planning = ofForm(visit, ['plan'])
    const planForm = screenForm(
      planning,
      { actions: ['plan'] },
      html`${selectHtml({
        name: 'plan',
        label: say('granted'),
        hint: say('grantedHint'),
        choices: PLANS.map((plan) => ({
          value: plan,
          label: planName(plan),
          language: 'und',
          isChosen: isChosen(planning, 'plan', plan, plan === granted),
        })),
      })}<p>${actionButton(visit, 'plan', say('savePlan'), 'second')}</p>`,
    )
    const ban =
      account.bannedAt === null
        ? section(say('banTitle'), say('banText'), buttonOnly(visit, 'ban', say('ban'), {}, 'danger'))
        : section(
            say('unbanTitle'),
            say('unbanText', { day: dayText(site, account.bannedAt) }),
            buttonOnly(visit, 'unban', say('unban')),
          )
    const rights = isAdmin
      ? section(say('dismissTitle'), say('dismissText'), buttonOnly(visit, 'dismiss', say('dismiss')))
      : section(say('appointTitle'), say('appointText'), buttonOnly(visit, 'appoint', say('appoint')))
    return {
      title: account.fullName ?? account.username,
      crumbs: [{ name: say('accounts'), href: ACCOUNTS_PATH }],
      body: html`<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
<p><a href="${hrefOn(site, `${CHANGES_PATH}?target=accounts/${account.id}`)}">${say('changesOfAccount')}</a></p>
<section><h2>${say('plan')}</h2>${planForm}</section>
${isSelf ? html`<p class="soft">${say('isSelf')}</p>` : html`${ban}${rights}${section(say('factorTitle'), say('factorText'), buttonOnly(visit, 'resetFactor', say('resetFactor')))}`}`,
    }
  },
})
