import { type CookiePolicy, clearCookie } from '../../http/cookies.ts'
import { callerOf } from '../../http/request-context.ts'
import type { EepRoutes } from '../../http/routes.ts'
import { userDocument } from './document.ts'
import { invalidToken } from './errors.ts'
import { authFacts } from './facts.ts'
import { mailRoutes } from './mail.routes.ts'
import { ownAccountRoutes } from './own.routes.ts'
import { passwordRoutes } from './password.routes.ts'
import { loggedOutSchema, userSchema } from './schemas.ts'
import type { AccountService } from './service.ts'

export interface AccountRouteOptions {
  readonly cookies: CookiePolicy
  /** False where users sign in at the host, and their passwords are the host's. */
  readonly passwords: boolean
}

/** The routes below `/auth`. */
export function accountRoutes(
  app: EepRoutes,
  { accounts }: { readonly accounts: AccountService },
  { cookies, passwords }: AccountRouteOptions,
): void {
  if (passwords) passwordRoutes(app, accounts, cookies)

  app.get(
    '/auth/me',
    {
      config: authFacts({ auth: 'key', summary: 'The account that calls', errors: [invalidToken] }),
      schema: { response: { 200: userSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return userDocument(await accounts.me(callerOf(request)))
    },
  )

  app.post(
    '/auth/logout',
    {
      config: authFacts({ auth: 'bearer', summary: 'Clear the session cookie', errors: [invalidToken] }),
      schema: { response: { 200: loggedOutSchema } },
    },
    async (_request, reply) => {
      clearCookie(reply, cookies.names.session, cookies)
      return { success: true as const }
    },
  )

  mailRoutes(app, accounts)
  ownAccountRoutes(app, accounts, cookies)
}
