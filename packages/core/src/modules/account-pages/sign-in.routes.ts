import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { csrf } from '../../http/authenticate.ts'
import { clientOf } from '../../http/client-address.ts'
import { type CookiePolicy, clearCookie, setCookie } from '../../http/cookies.ts'
import { requireOwnForm, sendPage } from '../../http/forms.ts'
import { textsOf } from '../../http/html/form-view.ts'
import type { Site } from '../../http/html/view.ts'
import type { EepRoutes } from '../../http/routes.ts'
import { internalPath } from '../../kernel/internal-path.ts'
import { type AccountService, loginBody, registerBody, SESSION_SECONDS, type Session } from '../accounts/index.ts'
import { oauthProblemText } from './problems.ts'
import { readForm, refusedForm } from './read-form.ts'
import { loginView, logoutView, registerView } from './sign-in.pages.ts'
import { signInMessages } from './sign-in-messages.ts'
import { goTo, nextOf, pageConfig, visitorOf } from './visits.ts'

const text = (max: number) => z.string().max(max).optional().catch(undefined)
const NEXT = text(2_048).describe('A path of this service to go to afterwards; anything else is ignored')

const loginQuery = z.object({
  next: NEXT,
  oauth_error: text(64).describe('Why a sign-in with a provider failed'),
  done: z.enum(['signed_out', 'password_changed']).optional().catch(undefined).describe('The action that led here'),
})
const registerQuery = z.object({ next: NEXT })
const leaving = { 303: z.undefined() }

/** What pages need of accounts, and of the providers. */
export interface SignInPages {
  readonly accounts: Pick<AccountService, 'login' | 'register' | 'logOut'>
  readonly cookies: CookiePolicy
  readonly ownOrigins: ReadonlySet<string>
  /** The names of the configured providers. */
  readonly providers: readonly string[]
}

const NOTICES = { signed_out: 'signedOut', password_changed: 'passwordChanged' } as const

/** Routes of the pages to sign in, to register and to sign out. */
export function signInPages(app: EepRoutes, { accounts, cookies, ownOrigins, providers }: SignInPages): void {
  const signedIn = (reply: FastifyReply, { token }: Session) =>
    setCookie(reply, cookies.names.session, token, SESSION_SECONDS, cookies)

  const noticeOf = (site: Site, done: keyof typeof NOTICES | undefined) => done && signInMessages(site)(NOTICES[done])

  app.get(
    '/login',
    {
      config: pageConfig({
        operationId: 'getLoginPage',
        summary: 'Get the page to sign in',
        secrets: ['next'],
      }),
      schema: { querystring: loginQuery, response: { 200: z.string() } },
    },
    async (request, reply) => {
      const { next, oauth_error: reason, done } = request.query
      const { site } = request.eep
      if (visitorOf(request) && reason === undefined) return goTo(request, reply, nextOf(next))
      const problem = reason === undefined ? undefined : oauthProblemText(reason, site)
      return sendPage(
        request,
        reply,
        loginView(site, { next: internalPath(next), providers, problem, notice: noticeOf(site, done) }),
      )
    },
  )

  app.post(
    '/login',
    {
      config: pageConfig({
        limit: 'auth',
        operationId: 'submitLoginPage',
        summary: 'Sign in with the form of the page',
        errors: [csrf],
      }),
      schema: { response: leaving },
    },
    async (request, reply) => {
      requireOwnForm(request, ownOrigins)
      const { site } = request.eep
      const { email = '', password = '', next } = textsOf(request.body)
      const page = { next: internalPath(next), providers, values: { email } }
      const form = readForm(site, loginBody, { email, password })
      if (form.problem) return sendPage(request, reply, loginView(site, { ...page, ...form.problem }), 400)
      try {
        const userAgent = request.headers['user-agent']
        signedIn(reply, await accounts.login({ ...form.values, from: clientOf(request), userAgent }))
      } catch (error) {
        const { answer, ...problem } = refusedForm(site, error)
        return sendPage(request, reply, loginView(site, { ...page, ...problem }), answer)
      }
      return goTo(request, reply, nextOf(next))
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
      schema: { querystring: registerQuery, response: { 200: z.string() } },
    },
    async (request, reply) => {
      const { next } = request.query
      if (visitorOf(request)) return goTo(request, reply, nextOf(next))
      return sendPage(request, reply, registerView(request.eep.site, { next: internalPath(next), providers }))
    },
  )

  app.post(
    '/register',
    {
      config: pageConfig({
        limit: 'auth',
        operationId: 'submitRegisterPage',
        summary: 'Create an account with the form of the page, and sign in',
        errors: [csrf],
      }),
      schema: { response: leaving },
    },
    async (request, reply) => {
      requireOwnForm(request, ownOrigins)
      const { site } = request.eep
      const { email = '', username = '', full_name: name = '', password = '', next } = textsOf(request.body)
      const page = { next: internalPath(next), providers, values: { email, username, full_name: name } }
      const sent = { email, username, password, ...(name.trim() === '' ? {} : { full_name: name }) }
      const form = readForm(site, registerBody, sent)
      if (form.problem) return sendPage(request, reply, registerView(site, { ...page, ...form.problem }), 400)
      try {
        const { full_name: fullName = null, ...rest } = form.values
        const userAgent = request.headers['user-agent']
        signedIn(reply, await accounts.register({ ...rest, fullName, userAgent }))
      } catch (error) {
        const { answer, ...problem } = refusedForm(site, error)
        return sendPage(request, reply, registerView(site, { ...page, ...problem }), answer)
      }
      return goTo(request, reply, nextOf(next))
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

  app.post(
    '/logout',
    {
      config: pageConfig({
        operationId: 'submitLogoutPage',
        summary: 'End the current session and clear its cookie',
        errors: [csrf],
      }),
      schema: { response: leaving },
    },
    async (request, reply) => {
      requireOwnForm(request, ownOrigins)
      const caller = visitorOf(request)
      if (caller) await accounts.logOut(caller)
      clearCookie(reply, cookies.names.session, cookies)
      return goTo(request, reply, '/login?done=signed_out')
    },
  )
}
