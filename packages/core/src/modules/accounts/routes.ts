import { SESSION_COOKIE } from '../../http/authenticate.ts'
import { clearCookie } from '../../http/cookies.ts'
import type { HttpEnvironment } from '../../http/environment.ts'
import { callerOf } from '../../http/request-context.ts'
import type { EepRoutes } from '../../http/routes.ts'
import { usernameReserved, usernameTaken } from '../profiles/index.ts'
import { userDocument } from './document.ts'
import { accountBanned, busy, emailTaken, invalidCredentials, invalidToken, weakPassword } from './errors.ts'
import { authFacts } from './facts.ts'
import { mailRoutes } from './mail.routes.ts'
import { ownAccountRoutes } from './own.routes.ts'
import { loggedOutSchema, loginBody, registerBody, sessionSchema, userSchema } from './schemas.ts'
import type { AccountService } from './service.ts'
import { sessionAnswer } from './session-answer.ts'

/** The routes below `/auth`. */
export function accountRoutes(
  app: EepRoutes,
  { accounts }: { readonly accounts: AccountService },
  { cookies }: Pick<HttpEnvironment, 'cookies'>,
): void {
  app.post(
    '/auth/register',
    {
      config: authFacts({
        auth: 'none',
        summary: 'Make an account with its own person profile, and sign in',
        errors: [weakPassword, emailTaken, usernameTaken, usernameReserved, busy],
      }),
      schema: { body: registerBody, response: { 201: sessionSchema } },
    },
    async ({ body: { email, password, username, full_name } }, reply) => {
      const session = await accounts.register({ email, password, username, fullName: full_name ?? null })
      reply.code(201)
      return sessionAnswer(reply, session, cookies)
    },
  )

  app.post(
    '/auth/login',
    {
      config: authFacts({
        auth: 'none',
        summary: 'Sign in with mail address and password',
        errors: [invalidCredentials, accountBanned, busy],
      }),
      schema: { body: loginBody, response: { 200: sessionSchema } },
    },
    async ({ body }, reply) => sessionAnswer(reply, await accounts.login(body), cookies),
  )

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
      clearCookie(reply, SESSION_COOKIE, cookies)
      return { success: true as const }
    },
  )

  mailRoutes(app, accounts)
  ownAccountRoutes(app, accounts, cookies)
}
