import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type CookiePolicy, clearCookie } from '../../../http/cookies.ts'
import { createForms } from '../../../http/html/account-forms.ts'
import { acceptedLanguages } from '../../../http/html/chosen-language.ts'
import { sendPage } from '../../../http/html/html-forms.ts'
import type { Site } from '../../../http/html/view.ts'
import { goTo, nextOf, pageConfig, visitorOf } from '../../../http/html/visits.ts'
import { clientOf } from '../../../http/pipeline/client-address.ts'
import { sessionCookieOf } from '../../../http/pipeline/identify.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { internalPath, isOfferPath } from '../../../kernel/internal-path.ts'
import { isBlank } from '../../../kernel/text-fields.ts'
import {
  ACTION_ERRORS,
  type AccountService,
  invalidOrExpiredToken,
  loginBody,
  registerBody,
  type Session,
  secondFactorRequired,
  secondStepBody,
  setSessionCookie,
} from '../../people/accounts/index.ts'
import { problemMessages, signInMessages } from './messages.ts'
import { oauthProblemText } from './problems.ts'
import { codeView } from './second-factor.pages.ts'
import { loginView, logoutView, registerView } from './sign-in.pages.ts'
import { submitForm } from './submit-form.ts'

const text = (max: number) => z.string().max(max).optional().catch(undefined)
const NEXT = text(2_048).describe('A path of this service to go to afterwards; anything else is ignored')

const loginQuery = z.object({
  next: NEXT,
  oauth_error: text(64).describe('Why a sign-in with a provider failed'),
  oauth_detail: text(64).describe('The code of the error with which this service refused it'),
  done: z.enum(['signed_out', 'password_changed']).optional().catch(undefined).describe('The action that led here'),
})
const registerQuery = z.object({ next: NEXT })

/** What pages need of accounts, and of the providers. */
export interface SignInPages {
  readonly accounts: Pick<AccountService, 'login' | 'loginWithCode' | 'register' | 'logOut'>
  readonly cookies: CookiePolicy
  readonly ownOrigins: ReadonlySet<string>
  /** The names of the configured providers. */
  readonly providers: readonly string[]
  /** Whether accounts can use passkeys on pages of this service. */
  readonly hasPasskeys: boolean
}

const NOTICES = { signed_out: 'signedOut', password_changed: 'passwordChanged' } as const

/** The token of a sign-in that needs a code. */
function secondStepToken(error: unknown): string | undefined {
  if (!isEepError(error) || error.code !== secondFactorRequired.code) return undefined
  const { token } = (error.details ?? {}) as { readonly token?: string }
  return token
}

/** The problem of a code that arrived after its sign-in had expired. Its token is not one of an email. */
const lateCode = (site: Site, error: unknown): string | undefined =>
  isEepError(error) && error.code === invalidOrExpiredToken.code ? problemMessages(site)('codeTooLate') : undefined

/** The browser that sends a form. It gets a session cookie, and no bearer token. */
const browserOf = ({ headers }: FastifyRequest) => ({ userAgent: headers['user-agent'], cookieOnly: true })

/** Routes of the pages to sign in, to register and to sign out. */
export function signInPages(
  app: EepRoutes,
  { accounts, cookies, ownOrigins, providers, hasPasskeys }: SignInPages,
): void {
  const { form } = createForms(app, ownOrigins)

  const signedIn = (reply: FastifyReply, session: Session) => setSessionCookie(reply, session, cookies)

  const noticeOf = (site: Site, done: keyof typeof NOTICES | undefined) => done && signInMessages(site)(NOTICES[done])

  app.get(
    '/login',
    {
      config: pageConfig({
        operationId: 'getLoginPage',
        summary: 'Get the page to sign in',
        secrets: ['next'],
      }),
      schema: { querystring: loginQuery, response: { 200: z.string(), 303: z.undefined() } },
    },
    async (request, reply) => {
      const { next, oauth_error: reason, oauth_detail: detail, done } = request.query
      const { site } = request.eep
      if (visitorOf(request) && reason === undefined) return goTo(request, reply, nextOf(next))
      const problem = reason === undefined ? undefined : oauthProblemText(reason, detail, site)
      return sendPage(
        request,
        reply,
        loginView(site, { next: internalPath(next), providers, hasPasskeys, problem, notice: noticeOf(site, done) }),
      )
    },
  )

  form(
    {
      path: '/login',
      limit: 'auth',
      operationId: 'submitLoginPage',
      errors: ACTION_ERRORS.login,
      summary: 'Sign in (HTML form)',
    },
    async (request, reply, { email = '', password = '', next }) => {
      const { site } = request.eep
      const page = { next: internalPath(next), providers, hasPasskeys, values: { email } }
      return submitForm(request, reply, {
        schema: loginBody,
        texts: { email, password },
        async submit(values) {
          signedIn(reply, await accounts.login({ ...values, from: clientOf(request), ...browserOf(request) }))
        },
        page(problem, error) {
          const token = secondStepToken(error)
          return token === undefined
            ? loginView(site, { ...page, ...problem })
            : codeView(site, { token, next: internalPath(next) })
        },
        next: nextOf(next),
      })
    },
  )

  form(
    {
      path: '/login/code',
      limit: 'auth',
      operationId: 'submitLoginCodePage',
      errors: ACTION_ERRORS.loginWithCode,
      summary: 'Complete a sign-in with a code (HTML form)',
    },
    async (request, reply, { token = '', code = '', next }) => {
      const { site } = request.eep
      const path = internalPath(next)
      return submitForm(request, reply, {
        schema: secondStepBody,
        texts: { token, code },
        async submit(values) {
          signedIn(reply, await accounts.loginWithCode({ ...values, ...browserOf(request) }))
        },
        page: ({ problem }, error) =>
          error === undefined || (isEepError(error) && error.code === 'wrong_second_factor')
            ? codeView(site, { token, next: path, problem })
            : loginView(site, { next: path, providers, hasPasskeys, problem: lateCode(site, error) ?? problem }),
        next: nextOf(next),
      })
    },
  )

  app.get(
    '/register',
    {
      config: pageConfig({
        operationId: 'getRegisterPage',
        summary: 'Get the page to create an account',
        secrets: ['next'],
      }),
      schema: { querystring: registerQuery, response: { 200: z.string(), 303: z.undefined() } },
    },
    async (request, reply) => {
      const { next } = request.query
      if (visitorOf(request)) return goTo(request, reply, nextOf(next))
      return sendPage(request, reply, registerView(request.eep.site, { next: internalPath(next), providers }))
    },
  )

  form(
    {
      path: '/register',
      limit: 'auth',
      operationId: 'submitRegisterPage',
      errors: ACTION_ERRORS.register,
      summary: 'Create an account and sign in (HTML form)',
    },
    async (request, reply, { email = '', username = '', full_name: name = '', password = '', next }) => {
      const { site } = request.eep
      const page = { next: internalPath(next), providers, values: { email, username, full_name: name } }
      const sent = { email, username, password, ...(isBlank(name) ? {} : { full_name: name }) }
      return submitForm(request, reply, {
        schema: registerBody,
        texts: sent,
        async submit({ full_name: fullName = null, ...values }) {
          const acceptLanguage = acceptedLanguages(request)
          const isReader = isOfferPath(page.next)
          const registration = { ...values, fullName, ...browserOf(request), acceptLanguage, isReader }
          signedIn(reply, await accounts.register(registration))
        },
        page: (problem) => registerView(site, { ...page, ...problem }),
        next: nextOf(next),
      })
    },
  )

  app.get(
    '/logout',
    {
      config: pageConfig({ operationId: 'getLogoutPage', summary: 'Get the page to sign out' }),
      schema: { response: { 200: z.string() } },
    },
    async (request, reply) => sendPage(request, reply, logoutView(request.eep.site, visitorOf(request) !== undefined)),
  )

  form(
    {
      path: '/logout',
      operationId: 'submitLogoutPage',
      summary: 'End the current session and clear its cookie (HTML form)',
    },
    async (request, reply) => {
      const cookie = sessionCookieOf(request)
      if (cookie) await accounts.logOut(cookie)
      clearCookie(reply, cookies.names.session, cookies)
      return goTo(request, reply, '/login?done=signed_out')
    },
  )
}
