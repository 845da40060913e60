import { type CookiePolicy, clearCookie } from '../../../http/cookies.ts'
import { listQuery, listResponse } from '../../../http/documents/lists.ts'
import { sessionCookieOf } from '../../../http/pipeline/identify.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { invalidToken, sessionNotFound } from './errors.ts'
import { accountConfig } from './route-config.ts'
import { endedSessionsSchema, endSessionsQuery, loggedOutSchema, sessionListSchema, sessionParams } from './schemas.ts'
import { serializeListedSession } from './serialize.ts'
import type { AccountService } from './service.ts'

/** The sessions of an account, and signing out. */
export function sessionRoutes(app: EepRoutes, accounts: AccountService, cookies: CookiePolicy): void {
  app.post(
    '/auth/logout',
    {
      config: accountConfig({
        auth: 'bearer',
        operationId: 'logout',
        summary: 'End what the session cookie holds, and clear it; a bearer token stays valid',
        errors: [invalidToken],
      }),
      schema: { response: { 200: loggedOutSchema } },
    },
    async (request, reply) => {
      const cookie = sessionCookieOf(request)
      if (cookie) await accounts.logOut(cookie)
      clearCookie(reply, cookies.names.session, cookies)
      return { success: true as const }
    },
  )

  app.get(
    '/auth/sessions',
    {
      config: accountConfig({
        auth: 'bearer',
        operationId: 'listSessions',
        summary: 'List the sessions of the account, newest first',
        errors: [invalidCursor],
      }),
      schema: { querystring: listQuery, response: { 200: sessionListSchema } },
    },
    async (request) =>
      listResponse(await accounts.listSessions(callerOf(request), request.query), serializeListedSession),
  )

  app.delete(
    '/auth/sessions',
    {
      config: accountConfig({
        auth: 'bearer',
        operationId: 'deleteOtherSessions',
        summary: 'End all sessions of the account except the current one',
      }),
      schema: { querystring: endSessionsQuery, response: { 200: endedSessionsSchema } },
    },
    async (request) => {
      const caller = callerOf(request)
      const ended = await accounts.endOtherSessions(caller)
      if (request.query.disconnect_apps) {
        await accounts.appsOfSessions()?.endOfSessions(caller, { except: caller.sessionId })
      }
      return { success: true as const, ended }
    },
  )

  app.delete(
    '/auth/sessions/:id',
    {
      config: accountConfig({
        auth: 'bearer',
        operationId: 'deleteSession',
        summary: 'End a session of the account',
        errors: [sessionNotFound],
      }),
      schema: { params: sessionParams, querystring: endSessionsQuery, response: { 200: loggedOutSchema } },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const { id } = request.params
      try {
        await accounts.endSession(id, caller)
      } finally {
        // Also for a session that has ended, so that a repeated request does what the first one could not.
        if (request.query.disconnect_apps) await accounts.appsOfSessions()?.endOfSessions(caller, { id })
      }
      if (id === caller.sessionId) clearCookie(reply, cookies.names.session, cookies)
      return { success: true as const }
    },
  )
}
