import type { CookiePolicy } from '../../../http/cookies.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { isApp } from '../../../model/caller.ts'
import { emailRoutes } from './email.routes.ts'
import { emailChangeRoutes } from './email-change.routes.ts'
import { invalidToken } from './errors.ts'
import { meRoutes } from './me.routes.ts'
import { passwordRoutes } from './password.routes.ts'
import { proveRoutes } from './prove.routes.ts'
import { accountConfig, authConfig } from './route-config.ts'
import { callerAccountSchema, updateAccountBody, userSchema } from './schemas.ts'
import { secondFactorRoutes } from './second-factor.routes.ts'
import { serializeForApp, serializeUser } from './serialize.ts'
import type { AccountService } from './service.ts'
import { sessionRoutes } from './sessions.routes.ts'

export interface AccountRouteOptions {
  readonly cookies: CookiePolicy
  /** False when users sign in at the host, which manages their passwords. */
  readonly passwords: boolean
  /** The languages that the service offers. */
  readonly languages: readonly string[]
}

/** The routes below `/auth`. */
export function accountRoutes(
  app: EepRoutes,
  { accounts }: { readonly accounts: AccountService },
  { cookies, passwords, languages }: AccountRouteOptions,
): void {
  if (passwords) passwordRoutes(app, accounts, cookies)
  if (passwords) emailChangeRoutes(app, accounts)
  if (passwords) proveRoutes(app, accounts)
  const { secondFactor } = accounts
  if (passwords && secondFactor) secondFactorRoutes(app, accounts, secondFactor, cookies)

  app.get(
    '/auth/me',
    {
      config: accountConfig({
        auth: 'key',
        appScope: 'read:profiles',
        operationId: 'getAccount',
        summary: 'Get the account of the caller',
        errors: [invalidToken],
      }),
      schema: { response: { 200: callerAccountSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const caller = callerOf(request)
      const described = await accounts.me(caller)
      return isApp(caller) ? serializeForApp(described) : serializeUser(described)
    },
  )

  app.patch(
    '/auth/me',
    {
      config: authConfig({
        auth: 'bearer',
        operationId: 'updateAccount',
        summary: 'Set the language of the emails of the account',
        errors: [invalidToken],
      }),
      schema: { body: updateAccountBody(languages), response: { 200: userSchema } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return serializeUser(await accounts.setLanguage(callerOf(request), request.body.language))
    },
  )

  sessionRoutes(app, accounts, cookies)
  emailRoutes(app, accounts)
  meRoutes(app, accounts, cookies)
}
