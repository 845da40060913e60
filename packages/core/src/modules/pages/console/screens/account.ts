import { z } from 'zod'
import { type Screen, type ScreenVisit, screenAction } from '../../../../framework/module/screen.ts'
import {
  actionButton,
  isChosen,
  ofForm,
  screenForm,
  shownText,
  wrongWith,
} from '../../../../framework/module/screen-form.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { lineHtml, selectHtml } from '../../../../http/html/inputs.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { emailAddress } from '../../../../kernel/email-address.ts'
import { dayText, momentText } from '../../../../model/day-text.ts'
import type { AccountService } from '../../../people/accounts/index.ts'
import { ACCOUNT_PATH } from '../account/account-paths.ts'
import { accountScreenMessages } from '../messages.ts'

const MAX_EMAIL = 254

type AccountKey = Parameters<ReturnType<typeof accountScreenMessages>>[0]

const PROBLEMS = new Map<string, AccountKey>([
  ['email_unchanged', 'sameEmail'],
  ['verification_sent', 'tooManyEmails'],
])

const OUTCOMES = ['sent', 'saved'] as const

/** The other pages of an account, as far as the listener has them. */
const PAGES = [
  { key: 'signIn', path: '/account/sign-in' },
  { key: 'sessions', path: '/account/sessions' },
  { key: 'notifications', path: '/account/notification-settings' },
  { key: 'exports', path: '/account/exports' },
  { key: 'delete', path: '/account/delete' },
] as const

export interface AccountScreen {
  readonly accounts: Pick<AccountService, 'setLanguage' | 'emailChange'>
  /** The languages that the service offers. */
  readonly languages: readonly string[]
  /** Whether accounts sign in at this service, and not at the host, which then has their addresses. */
  readonly hasSignIn: boolean
}

/** The name of a language in that language. */
const languageName = (tag: string): string => new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag

const actionsOf = ({ accounts, languages, hasSignIn }: AccountScreen) => ({
  ...(hasSignIn && {
    email: screenAction({
      recent: true,
      limit: 'auth',
      schema: z.object({ email: emailAddress }),
      async run({ caller, path }: ScreenVisit, { email }) {
        await accounts.emailChange.request(caller, { newEmail: email })
        return { to: path, said: 'sent' }
      },
    }),
  }),
  language: screenAction({
    schema: z.object({ language: z.enum(['', ...languages]) }),
    async run({ caller, path }: ScreenVisit, { language }) {
      await accounts.setLanguage(caller, language === '' ? null : language)
      return { to: path, said: 'saved' }
    },
  }),
})

function nameHtml({ site, caller: { account } }: ScreenVisit): Html {
  const say = accountScreenMessages(site)
  const facts: readonly (readonly [string, string | Html])[] = [
    ...(account.fullName === null ? [] : [[say('name'), html`<bdi>${account.fullName}</bdi>`] as const]),
    [say('username'), html`<bdi>@${account.username}</bdi>`],
    [say('since'), dayText(site, account.createdAt)],
  ]
  return html`<section class="card"><h2>${say('who')}</h2><dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl><p class="soft">${say('nameHint')}</p></section>\n`
}

interface Pending {
  readonly email: string
  readonly until: Date
}

function emailHtml(visited: ScreenVisit, pending: Pending | undefined): Html {
  const actions = ['email']
  const visit = ofForm(visited, actions)
  const { site, caller } = visit
  const say = accountScreenMessages(site)
  const { email, emailOwned } = caller.account
  const state = emailOwned
    ? html`<span class="tag ok">${say('confirmed')}</span>`
    : html`<span class="tag bad">${say('unconfirmed')}</span> <a href="${hrefOn(site, '/dashboard#verify')}">${say('confirm')}</a>`
  return html`<section class="card"><h2>${say('email')}</h2><p><strong><bdi>${email}</bdi></strong> ${state}</p>
${pending && html`<div class="notice"><p>${say('pending', { email: pending.email, time: momentText(site, pending.until) })}</p></div>\n`}${screenForm(
  visit,
  { actions },
  html`${lineHtml({
    name: 'email',
    type: 'email',
    label: say('newEmail'),
    hint: say('emailHint'),
    value: shownText(visit, 'email', ''),
    autocomplete: 'email',
    maxLength: MAX_EMAIL,
    isRequired: true,
    isExact: true,
    problem: wrongWith(visit, 'email'),
  })}<p class="acts">${actionButton(visit, 'email', say('changeEmail'))}</p>`,
)}</section>\n`
}

function languageHtml(visited: ScreenVisit, languages: readonly string[]): Html {
  const actions = ['language']
  const visit = ofForm(visited, actions)
  const say = accountScreenMessages(visit.site)
  const stored = visit.caller.account.language ?? ''
  return html`<section class="card"><h2>${say('language')}</h2>${screenForm(
    visit,
    { actions },
    html`${selectHtml({
      name: 'language',
      label: say('languageLabel'),
      choices: [
        { value: '', label: say('languageOfService'), isChosen: isChosen(visit, 'language', '', stored === '') },
        ...languages.map((tag) => ({
          value: tag,
          label: languageName(tag),
          language: tag,
          isChosen: isChosen(visit, 'language', tag, tag === stored),
        })),
      ],
    })}<p class="acts">${actionButton(visit, 'language', say('save'), 'second')}</p>`,
  )}</section>\n`
}

/** The screen of an account: who it is, its email address and language, and links to what else belongs to it. */
export const accountScreen = (deps: AccountScreen): Screen => ({
  name: 'account',
  path: ACCOUNT_PATH,
  section: 'account',
  nav: { position: 10, label: (page) => accountScreenMessages(page)('nav') },
  title: (page) => accountScreenMessages(page)('title'),
  said(outcome, page) {
    const key = OUTCOMES.find((each) => each === outcome)
    return key && accountScreenMessages(page)(key)
  },
  problem({ code }, page) {
    const key = PROBLEMS.get(code)
    return key && accountScreenMessages(page)(key)
  },
  wrong: (input, page) => (input === 'email' ? accountScreenMessages(page)('wrongEmail') : undefined),
  inputsOf: ({ code }) => (code === 'email_unchanged' ? ['email'] : []),
  post: actionsOf(deps),
  async get(visit) {
    const { site, caller } = visit
    const say = accountScreenMessages(site)
    const pending = deps.hasSignIn ? await deps.accounts.emailChange.pending(caller) : undefined
    const pages = PAGES.filter(({ path }) => site.has?.(path))
    return {
      body: html`${nameHtml(visit)}${emailHtml(visit, pending)}${languageHtml(visit, deps.languages)}<ul class="rows">${pages.map(({ key, path }) => html`<li><strong><a href="${hrefOn(site, path)}">${say(key)}</a></strong><p>${say(`${key}Note`)}</p></li>\n`)}</ul>\n`,
    }
  },
})
