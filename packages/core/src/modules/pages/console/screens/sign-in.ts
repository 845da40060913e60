import { z } from 'zod'
import { type Screen, type ScreenVisit, screenAction } from '../../../../framework/module/screen.ts'
import {
  actionButton,
  buttonOnly,
  isChosen,
  ofForm,
  screenForm,
  wrongWith,
} from '../../../../framework/module/screen-form.ts'
import { fieldHtml } from '../../../../http/html/form-view.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { dayText } from '../../../../model/day-text.ts'
import { isProvedRecently } from '../../../../model/recent-proof.ts'
import type { AccountService, AppsOfSessions } from '../../../people/accounts/index.ts'
import type { Identities, LinkedProvider } from '../../../people/oauth/index.ts'
import { providerLabel } from '../../../people/oauth/index.ts'
import type { PasskeyService } from '../../../people/passkeys/index.ts'
import { weaknessText } from '../../account-pages/index.ts'
import { endAppsHtml, endsApps } from '../account/end-apps-html.ts'
import { signInScreenMessages } from '../messages.ts'

const SIGN_IN_PATH = '/account/sign-in'
const PASSKEYS_PATH = '/account/security'
const SECOND_FACTOR_PATH = '/account/second-factor'
const MAX_PASSWORD = 1_024

type SignInKey = Parameters<ReturnType<typeof signInScreenMessages>>[0]

const PROBLEMS = new Map<string, SignInKey>([
  ['wrong_password', 'wrongPassword'],
  ['too_many_wrong_passwords', 'tooManyPasswords'],
  ['login_capacity_exceeded', 'busy'],
  ['identity_not_found', 'gone'],
  ['last_way_to_sign_in', 'lastWay'],
])

const OUTCOMES = ['changed', 'sent', 'unlinked', 'proved'] as const

const INPUT_OF = new Map([
  ['wrong_password', 'current_password'],
  ['weak_password', 'new_password'],
])

export interface SignInScreen {
  readonly accounts: Pick<AccountService, 'changePassword' | 'forgotPassword' | 'proofsOf' | 'secondFactor'>
  /** Undefined while accounts cannot use passkeys on pages of this service. */
  readonly passkeys: Pick<PasskeyService, 'list'> | undefined
  /** Undefined while the service has no providers. */
  readonly identities: Identities | undefined
  /** The names of the providers that the service offers. */
  readonly providers: readonly string[]
  readonly clock: Clock
  /** The apps that were connected in sessions. Undefined while accounts cannot connect apps. */
  readonly apps: AppsOfSessions | undefined
}

const password = z.string().min(1).max(MAX_PASSWORD)

const actionsOf = ({ accounts, identities, apps }: SignInScreen) => ({
  // The form has the present password, which is the proof of the person.
  password: screenAction({
    limit: 'auth',
    schema: z.object({ current_password: password, new_password: password, apps: endsApps }),
    async run(
      { caller, path, client }: ScreenVisit,
      { current_password: currentPassword, new_password: newPassword, apps: isWithApps },
    ) {
      const { address: from, userAgent } = client
      const change = { currentPassword, newPassword, from, userAgent, cookieOnly: true }
      const session = await accounts.changePassword(caller, change)
      // Every session of before has ended.
      if (isWithApps) await apps?.endOfSessions(caller, { except: undefined })
      return { to: path, said: 'changed', session }
    },
  }),
  send: screenAction({
    limit: 'auth',
    schema: z.object({}),
    async run({ caller, path }: ScreenVisit) {
      accounts.forgotPassword(caller.account.email)
      return { to: path, said: 'sent' }
    },
  }),
  ...(identities && {
    unlink: screenAction({
      recent: true,
      schema: z.object({ identity: z.string().max(64) }),
      async run({ caller, path }: ScreenVisit, { identity }) {
        await identities.remove(caller, identity)
        return { to: path, said: 'unlinked' }
      },
    }),
    prove: screenAction({
      recent: true,
      schema: z.object({}),
      run: async ({ path }: ScreenVisit) => ({ to: path, said: 'proved' }),
    }),
  }),
})

function passwordHtml(visited: ScreenVisit, hasPassword: boolean, hasApps: boolean): Html {
  const actions = ['password']
  const visit = ofForm(visited, actions)
  const { site, caller } = visit
  const say = signInScreenMessages(site)
  if (!hasPassword) {
    return html`<section class="card"><h2>${say('password')}</h2><p>${say('noPassword', { email: caller.account.email })}</p>${buttonOnly(visit, 'send', say('send'))}</section>\n`
  }
  const field = (name: 'current_password' | 'new_password', label: string, hint?: string) =>
    fieldHtml({
      name,
      label,
      hint,
      type: 'password',
      autocomplete: name === 'new_password' ? 'new-password' : 'current-password',
      maxLength: MAX_PASSWORD,
      problem: wrongWith(visit, name),
    })
  return html`<section class="card"><h2>${say('password')}</h2>${screenForm(
    visit,
    { actions },
    html`${field('current_password', say('currentPassword'))}${field('new_password', say('newPassword'), say('passwordHint'))}<p class="soft">${say('passwordEnds')}</p>${hasApps && endAppsHtml(site, 'apps', isChosen(visit, 'apps', 'yes', true))}<p class="acts">${actionButton(visit, 'password', say('changePassword'))}</p>`,
  )}</section>\n`
}

async function passkeysHtml({ site, caller }: ScreenVisit, { passkeys }: SignInScreen): Promise<Html | false> {
  if (!passkeys || !site.has?.(PASSKEYS_PATH)) return false
  const say = signInScreenMessages(site)
  const count = (await passkeys.list(caller)).length
  return html`<section class="card"><h2>${say('passkeys')}</h2><p>${count === 0 ? say('noPasskeys') : say('passkeyCount', { count })}</p><p class="acts"><a class="btn second" href="${hrefOn(site, PASSKEYS_PATH)}">${say(count === 0 ? 'addPasskey' : 'managePasskeys')}</a></p></section>\n`
}

async function secondFactorHtml({ site, caller }: ScreenVisit, { accounts }: SignInScreen): Promise<Html | false> {
  if (!accounts.secondFactor || !site.has?.(SECOND_FACTOR_PATH)) return false
  const say = signInScreenMessages(site)
  const { isEnabled, recoveryCodesLeft } = await accounts.secondFactor.state(caller)
  return html`<section class="card"><h2>${say('secondFactor')}</h2><p>${isEnabled ? say('factorOn', { count: recoveryCodesLeft }) : say('factorOff')}</p><p class="acts"><a class="btn second" href="${hrefOn(site, SECOND_FACTOR_PATH)}">${say(isEnabled ? 'manageFactor' : 'setUpFactor')}</a></p></section>\n`
}

function linkedHtml(visit: ScreenVisit, { id, label, email, createdAt, isOffered, isRemovable }: LinkedProvider): Html {
  const { site } = visit
  const say = signInScreenMessages(site)
  const since = say('linkedSince', { day: dayText(site, createdAt) })
  return html`<li><strong><bdi>${label}</bdi></strong><small>${email !== null && html`<bdi>${email}</bdi> · `}${since}${!isOffered && html` · ${say('notOffered')}`}${!isRemovable && html` · ${say('onlyWay')}`}</small>${isRemovable && html`<div class="aside">${buttonOnly(visit, 'unlink', say('unlink'), { identity: id })}</div>`}</li>\n`
}

/** The linked providers, and how to link others: the browser goes to the provider, so the proof is asked for before. */
async function providersHtml(
  visit: ScreenVisit,
  { identities, providers, clock }: SignInScreen,
): Promise<Html | false> {
  if (!identities) return false
  const { site, caller, path } = visit
  const say = signInScreenMessages(site)
  const linked = await identities.list(caller)
  const others = providers.filter((name) => !linked.some(({ provider }) => provider === name))
  if (linked.length + others.length === 0) return false
  const links = isProvedRecently(caller, clock())
    ? html`<p class="acts">${others.map((name) => html`<a class="btn second" href="${hrefOn(site, `/auth/oauth/${name}?next=${encodeURIComponent(path)}`)}">${say('link', { provider: providerLabel(name) })}</a>`)}</p>`
    : html`<p class="soft">${say('proveFirst')}</p>${buttonOnly(visit, 'prove', say('prove'))}`
  return html`<section class="card"><h2>${say('providers')}</h2><p>${say(linked.length === 0 ? 'noneLinked' : 'providersLead')}</p>${linked.length > 0 && html`<ul class="rows">${linked.map((each) => linkedHtml(visit, each))}</ul>`}${others.length > 0 && links}</section>\n`
}

/** The screen with the ways to sign in to an account: password, passkeys, second factor and providers. */
export const signInScreen = (deps: SignInScreen): Screen => ({
  name: 'accountSignIn',
  path: SIGN_IN_PATH,
  section: 'account',
  nav: { position: 20 },
  title: (page) => signInScreenMessages(page)('title'),
  said(outcome, page) {
    const key = OUTCOMES.find((each) => each === outcome)
    return key && signInScreenMessages(page)(key)
  },
  problem({ code, details }, page) {
    if (code === 'weak_password') return weaknessText(details, page)
    const key = PROBLEMS.get(code)
    return key && signInScreenMessages(page)(key)
  },
  wrong: (input, page) =>
    input === 'current_password' || input === 'new_password' ? signInScreenMessages(page)('required') : undefined,
  inputsOf({ code }) {
    const input = INPUT_OF.get(code)
    return input === undefined ? [] : [input]
  },
  post: actionsOf(deps),
  async get(visit) {
    const [{ password: hasPassword }, withApps, passkeys, secondFactor, providers] = await Promise.all([
      deps.accounts.proofsOf(visit.caller),
      deps.apps?.sessionsOf(visit.caller),
      passkeysHtml(visit, deps),
      secondFactorHtml(visit, deps),
      providersHtml(visit, deps),
    ])
    return {
      lead: signInScreenMessages(visit.site)('lead'),
      body: html`${passwordHtml(visit, hasPassword, withApps !== undefined && withApps.size > 0)}${passkeys}${secondFactor}${providers}`,
    }
  },
})
