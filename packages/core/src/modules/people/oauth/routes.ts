import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { clearCookie, readCookies, setCookie } from '../../../http/cookies.ts'
import type { HttpEnvironment } from '../../../http/environment.ts'
import { acceptedLanguages } from '../../../http/html/chosen-language.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { internalPath } from '../../../kernel/internal-path.ts'
import { isSentByBrowser } from '../../../model/caller.ts'
import { setSessionCookie } from '../accounts/index.ts'
import { oauthStartFailed, providerNotConfigured, unknownProvider } from './errors.ts'
import { SignInFailure } from './failure-reason.ts'
import { callbackQuery, providerParams, startQuery } from './schemas.ts'
import { type OAuthService, STATE_SECONDS } from './service.ts'

const AFTER_SIGN_IN = '/dashboard'

/** How many sign-ins one browser can have in progress, for example in several tabs. */
const MAX_STATES = 5
const BETWEEN = '.'

/** The states in a cookie, the newest last. */
const statesIn = (cookie: string | undefined): readonly string[] =>
  (cookie ?? '')
    .split(BETWEEN)
    .filter((state) => state !== '')
    .slice(-MAX_STATES)

/**
 * The account to link. None for a browser that another site sent: it may be signed in at the provider as
 * an attacker, who would gain access to the account.
 */
const linkerOf = ({ headers, eep: { caller } }: FastifyRequest) =>
  caller !== undefined && isSentByBrowser(caller) && headers['sec-fetch-site'] === 'cross-site' ? undefined : caller

export interface OAuthRouteOptions extends Pick<HttpEnvironment, 'cookies' | 'publicUrl'> {
  /** The site to which users return. */
  readonly frontendUrl: string
}

/** The routes below `/auth/oauth`. */
export function oauthRoutes(
  app: EepRoutes,
  { oauth }: { readonly oauth: OAuthService },
  { cookies, publicUrl, frontendUrl }: OAuthRouteOptions,
): void {
  // Providers redirect to the public URL, also when the sign-in started on another listener.
  const policy = { ...cookies, path: `${new URL(publicUrl).pathname.replace(/\/$/, '')}/auth/oauth` }

  const redirect = (reply: FastifyReply, url: string) => reply.header('cache-control', 'no-store').redirect(url, 302)
  const toFrontend = (reply: FastifyReply, path: string) => redirect(reply, `${frontendUrl}${path}`)

  app.get(
    '/auth/oauth/:provider',
    {
      config: routeConfig({
        auth: 'none',
        limit: 'auth',
        tag: 'auth',
        // The path to return to may contain the token of an invitation.
        secrets: ['next'],
        anyQuery: true,
        operationId: 'startOAuth',
        summary: 'Redirect to a provider to sign in, or to link it when signed in',
        errors: [providerNotConfigured, unknownProvider, oauthStartFailed],
      }),
      schema: { params: providerParams, querystring: startQuery, response: { 302: z.undefined() } },
    },
    async (request, reply) => {
      const { params, query } = request
      const { url, state, next } = await oauth.begin(params.provider, query.next, linkerOf(request)).catch((error) => {
        if (error.code === oauthStartFailed.code) request.log.error({ err: error }, 'a sign-in could not start')
        throw error
      })
      const { oauthState, oauthNext } = cookies.names
      const jar = readCookies(request)
      const states = [...statesIn(jar[oauthState]), state].slice(-MAX_STATES)
      setCookie(reply, oauthState, states.join(BETWEEN), STATE_SECONDS, policy)
      if (next) setCookie(reply, oauthNext, encodeURIComponent(next), STATE_SECONDS, policy)
      // The path of an earlier sign-in is not that of this one.
      else if (jar[oauthNext] !== undefined) clearCookie(reply, oauthNext, policy)
      return redirect(reply, url)
    },
  )

  app.get(
    '/auth/oauth/:provider/callback',
    {
      config: routeConfig({
        auth: 'none',
        limit: 'auth',
        tag: 'auth',
        secrets: ['code', 'state'],
        anyQuery: true,
        operationId: 'finishOAuth',
        summary: 'Return from a provider and redirect to the frontend; failures set `oauth_error`',
        errors: [providerNotConfigured, unknownProvider],
      }),
      schema: { params: providerParams, querystring: callbackQuery, response: { 302: z.undefined() } },
    },
    async (request, reply) => {
      const { params, query, url } = request
      const jar = readCookies(request)
      const { oauthState, oauthNext } = cookies.names
      const browserStates = statesIn(jar[oauthState])
      const own = browserStates.find((state) => state === query.state)
      const isNewest = own !== undefined && own === browserStates.at(-1)
      const mark = url.indexOf('?')
      const search = mark < 0 ? '' : url.slice(mark)
      /** Forgets this sign-in. A callback without a state of this browser ends no sign-in. */
      const forget = () => {
        if (own === undefined) return
        const others = browserStates.filter((state) => state !== own)
        if (others.length > 0) setCookie(reply, oauthState, others.join(BETWEEN), STATE_SECONDS, policy)
        else clearCookie(reply, oauthState, policy)
        if (isNewest && jar[oauthNext] !== undefined) clearCookie(reply, oauthNext, policy)
      }
      try {
        const { session, next } = await oauth.finish(
          params.provider,
          {
            query,
            search,
            browserStates,
            userAgent: request.headers['user-agent'],
            acceptLanguage: acceptedLanguages(request),
          },
          request.eep.caller,
        )
        forget()
        setSessionCookie(reply, session, cookies)
        return toFrontend(reply, next ?? AFTER_SIGN_IN)
      } catch (error) {
        if (!(error instanceof SignInFailure)) throw error
        forget()
        if (error.cause) request.log.warn({ err: error, provider: params.provider }, 'a sign-in failed')
        // The state may be lost, so the path of the newest sign-in comes from the cookie.
        const next = own === undefined || isNewest ? internalPath(jar[oauthNext]) : error.next
        const query = new URLSearchParams({
          oauth_error: error.reason,
          ...(error.detail !== undefined && { oauth_detail: error.detail }),
          ...(next !== undefined && { next }),
        })
        return toFrontend(reply, `/login?${query}`)
      }
    },
  )
}
