import { SESSION_COOKIE } from '../../http/authenticate.ts'
import { type CookiePolicy, clearCookie } from '../../http/cookies.ts'
import { callerOf } from '../../http/request-context.ts'
import type { EepRoutes } from '../../http/routes.ts'
import { busy, codeExpired, noCodeRequested, weakPassword, wrongCode, wrongPassword } from './errors.ts'
import { authFacts } from './facts.ts'
import { changePasswordBody, deleteAccountBody, deletionSchema, doneSchema, sessionSchema } from './schemas.ts'
import type { AccountService } from './service.ts'
import { sessionAnswer } from './session-answer.ts'

/** What an account does to itself. */
export function ownAccountRoutes(app: EepRoutes, accounts: AccountService, cookies: CookiePolicy): void {
  app.put(
    '/auth/change-password',
    {
      config: authFacts({
        auth: 'bearer',
        summary: 'Change the password; every session ends and the answer begins a new one',
        errors: [wrongPassword, weakPassword, busy],
      }),
      schema: { body: changePasswordBody, response: { 200: sessionSchema } },
    },
    async (request, reply) => {
      const { current_password: currentPassword, new_password: newPassword } = request.body
      const session = await accounts.changePassword(callerOf(request), { currentPassword, newPassword })
      return sessionAnswer(reply, session, cookies)
    },
  )

  app.post(
    '/auth/account/delete-code',
    {
      config: authFacts({ auth: 'bearer', summary: 'Send the code that confirms the deletion of the account' }),
      schema: { response: { 200: doneSchema } },
    },
    async (request) => {
      await accounts.sendDeleteCode(callerOf(request))
      return { success: true as const, message: 'A mail with the code is on its way' }
    },
  )

  app.delete(
    '/auth/account',
    {
      config: authFacts({
        auth: 'bearer',
        summary: 'Hide the account with its profiles now, and remove it after 30 days unless it signs in',
        errors: [wrongPassword, wrongCode, codeExpired, noCodeRequested, busy],
      }),
      schema: { body: deleteAccountBody, response: { 200: deletionSchema } },
    },
    async (request, reply) => {
      const { password, code } = request.body
      const proof = password === undefined ? { code: code ?? '' } : { password }
      const at = await accounts.scheduleDeletion(callerOf(request), proof)
      clearCookie(reply, SESSION_COOKIE, cookies)
      return { success: true as const, deletion_scheduled_at: at.toISOString() }
    },
  )
}
