import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createForms } from '../../../http/html/account-forms.ts'
import { formView, type PageState } from '../../../http/html/form-view.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { type PageAnswer, requireWithinLimit, sendPage } from '../../../http/html/html-forms.ts'
import { imageHref } from '../../../http/html/image-href.ts'
import { mailboxHint } from '../../../http/html/mailbox-hint.ts'
import { type ActionSubject, actionHtml, loadActionStates } from '../../../http/html/page-actions.ts'
import { faceHtml } from '../../../http/html/pieces.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { goTo, goToSignIn, pageConfig, visitorOf } from '../../../http/html/visits.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import type { Caller } from '../../../model/caller.ts'
import { ACTION_ERRORS, type AccountDescription, type AccountService } from '../../people/accounts/index.ts'
import { profilePath, typeNames } from '../../profiles/profiles/index.ts'
import { dashboardMessages, membershipMessages } from './messages.ts'
import { refusedForm } from './read-form.ts'
import { signInPageTexts } from './sign-in.pages.ts'

const LANGUAGE_PATH = '/dashboard/language'

/** What modules add parts of the page to. */
const ACCOUNT: ActionSubject = { kind: 'account', id: 0 }

const LINKS = [
  { key: 'purchases', path: '/purchases' },
  { key: 'account', path: '/account' },
  { key: 'notifications', path: '/account/notifications' },
  { key: 'messages', path: '/messages' },
  { key: 'bookmarks', path: '/account/bookmarks' },
  { key: 'security', path: '/account/security' },
  { key: 'secondFactor', path: '/account/second-factor' },
  { key: 'subscription', path: '/account/plan' },
  { key: 'pricing', path: '/pricing' },
  { key: 'transfers', path: '/account/transfers' },
  { key: 'teamInvitations', path: '/team/invite' },
  { key: 'workspaceInvitations', path: '/workspaces/invite' },
] as const

/** The name of a language in that language. */
const languageName = (tag: string) => new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag

/** The form that chooses the language of emails. A language that is no longer offered is not shown. */
function languageHtml(site: Site, chosen: string | null, languages: readonly string[]): Html {
  const say = dashboardMessages(site)
  const option = (value: string, label: string, isChosen: boolean) =>
    html`<option value="${value}"${value && html` lang="${value}"`}${isChosen && html` selected`}>${label}</option>`
  return html`<form method="post" action="${hrefOn(site, LANGUAGE_PATH)}"><p><label for="language">${say('emailLanguage')}</label>
<select id="language" name="language">${option('', say('defaultLanguage'), chosen === null)}${languages.map((tag) => option(tag, languageName(tag), tag === chosen))}</select></p>
<p><button class="second" type="submit">${say('saveLanguage')}</button></p></form>\n`
}

/** The screens of the console, where the service has it. */
const NEW_PROFILE = '/manage/profiles/new'
const SCREENS = [
  { key: 'manage', path: '/manage/profiles/:id/edit', roles: ['owner', 'admin', 'editor'] },
  { key: 'write', path: '/manage/profiles/:id/content', roles: ['owner', 'admin', 'editor', 'viewer'] },
] as const

/** Writes a profile of an account: its face, its type, who sees it, and the screens that the role opens. */
function profileHtml(site: Site, { profile, role }: AccountDescription['profiles'][number]): Html {
  const say = dashboardMessages(site)
  const name = profile.fullName ?? profile.username
  const screens = SCREENS.filter(({ path, roles }) => site.has?.(path) && roles.some((each) => each === role))
  const links = screens.map(
    ({ key, path }) => html` · <a href="${hrefOn(site, path.replace(':id', String(profile.id)))}">${say(key)}</a>`,
  )
  return html`<li class="of-face">${faceHtml(name, imageHref(profile.avatarUrl, site), site)}<strong><a href="${hrefOn(site, profilePath(profile))}"><bdi>${name}</bdi></a></strong> <small>${typeNames(site)(profile.type)} · ${say(profile.visibility)} · ${say(role)}${links}</small></li>\n`
}

/** The page with the profiles of an account, and links to its other pages. */
function dashboardView(
  site: Site,
  { account, profiles }: AccountDescription,
  languages: readonly string[],
  state: PageState,
): HtmlView {
  const say = dashboardMessages(site)
  const { say: saySignIn, titled } = signInPageTexts(site)
  const { email, emailVerified, emailOwned, username } = account
  const waits = profiles.some(({ profile }) => profile.visibilityOnceVerified !== null)
  const links = LINKS.filter(({ path }) => site.has?.(path))
  return formView({
    ...titled(say('title')),
    ...state,
    body: html`${!emailOwned && html`<div class="notice" id="verify"><p>${say(emailVerified ? 'unowned' : 'unverified', { email })}${waits && html` ${say('waiting')}`}</p>${mailboxHint(site)}<form method="post" action="${hrefOn(site, '/dashboard/resend-verification')}"><button type="submit">${say('resend')}</button></form></div>\n`}<p class="lead">${say('signedInAs', { name: account.fullName ?? username })}</p>
<h2>${say('profiles')}</h2>
${
  profiles.length === 0
    ? html`<p>${say('noProfiles')}</p>`
    : html`<ul class="rows">${profiles.map((each) => profileHtml(site, each))}</ul>`
}${site.has?.(NEW_PROFILE) && html`<p><a class="btn" href="${hrefOn(site, NEW_PROFILE)}">${say('create')}</a></p>\n`}
${site.actions?.map(({ key }) => actionHtml(key, ACCOUNT, site, '/dashboard'))}${links.length > 0 && html`<h2>${say('more')}</h2>\n<ul>${links.map(({ key, path }) => html`<li><a href="${hrefOn(site, path)}">${say(key)}</a></li>\n`)}</ul>\n`}${!site.has?.('/account') && languageHtml(site, account.language, languages)}${site.has?.('/logout') && html`<form method="post" action="${hrefOn(site, '/logout')}"><button class="second" type="submit">${saySignIn('signOut')}</button></form>`}`,
  })
}

export interface DashboardPages {
  readonly accounts: Pick<AccountService, 'me' | 'resendVerification' | 'setLanguage'>
  readonly ownOrigins: ReadonlySet<string>
  /** The languages that the service offers. */
  readonly languages: readonly string[]
}

const query = z.object({
  done: z
    .enum(['sent', 'joined', 'declined', 'accepted', 'cancelled', 'language'])
    .optional()
    .catch(undefined)
    .describe('The action that led here'),
})

/** Routes of the page of an account. */
export function dashboardPages(app: EepRoutes, { accounts, ownOrigins, languages }: DashboardPages): void {
  const { accountForm } = createForms(app, ownOrigins)

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    state: PageState,
    answer?: PageAnswer | undefined,
  ) {
    const { site } = request.eep
    const onError = (err: unknown) => request.log.error({ err }, 'a part of the dashboard was left out')
    const states = await loadActionStates(site, [ACCOUNT], caller, onError)
    const ofViewer = { ...site, viewer: { ...site.viewer, caller, states } }
    const view = dashboardView(ofViewer, await accounts.me(caller), languages, state)
    return sendPage(request, reply, view, answer)
  }

  app.get(
    '/dashboard',
    {
      config: pageConfig({ operationId: 'getDashboardPage', summary: 'Get the page of the account of the caller' }),
      schema: { querystring: query, response: { 200: z.string(), 303: z.undefined() } },
    },
    async (request, reply) => {
      const caller = visitorOf(request)
      if (!caller) return goToSignIn(request, reply)
      const { done } = request.query
      const { site } = request.eep
      const notice =
        done &&
        (done === 'sent' || done === 'language' ? dashboardMessages(site)(done) : membershipMessages(site)(done))
      return send(request, reply, caller, { notice })
    },
  )

  accountForm(
    {
      path: '/dashboard/resend-verification',
      page: '/dashboard',
      limit: 'auth',
      operationId: 'submitResendVerification',
      errors: ACTION_ERRORS.resendVerification,
      summary: 'Resend the verification email (HTML form)',
    },
    async (request, reply, { caller }) => {
      try {
        requireWithinLimit(request)
        await accounts.resendVerification(caller, { until: 'owned' })
      } catch (error) {
        const { answer, problem } = refusedForm(request.eep.site, error)
        return send(request, reply, caller, { problem }, answer)
      }
      return goTo(request, reply, '/dashboard?done=sent')
    },
  )

  accountForm(
    {
      path: LANGUAGE_PATH,
      page: '/dashboard',
      operationId: 'submitAccountLanguage',
      summary: 'Set the language of emails (HTML form)',
    },
    async (request, reply, { caller, texts: { language = '' } }) => {
      const chosen = languages.find((tag) => tag === language) ?? null
      await accounts.setLanguage(caller, chosen)
      return goTo(request, reply, '/dashboard?done=language')
    },
  )
}
