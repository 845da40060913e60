import { type CookiePolicy, clearCookie } from '../../../http/cookies.ts'
import { clientOf } from '../../../http/pipeline/client-address.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import {
  codeExpired,
  loginCapacityExceeded,
  noCodeRequested,
  tooManyWrongPasswords,
  wrongCode,
  wrongPassword,
} from './errors.ts'
import { authConfig } from './route-config.ts'
import { deleteAccountBody, deletionSchema, doneSchema } from './schemas.ts'
import type { AccountService } from './service.ts'

/** Routes that delete the account of the caller. */
export function meRoutes(app: EepRoutes, accounts: AccountService, cookies: CookiePolicy): void {
  app.post(
    '/auth/account/delete-code',
    {
      config: authConfig({
        auth: 'bearer',
        operationId: 'sendAccountDeletionCode',
        summary: 'Send the code that confirms the deletion of the account',
      }),
      schema: { response: { 200: doneSchema } },
    },
    async (request) => {
      await accounts.sendDeleteCode(callerOf(request))
      return { success: true as const, message: 'An email with the code was sent' }
    },
  )

  app.delete(
    '/auth/account',
    {
      config: authConfig({
        auth: 'bearer',
        operationId: 'deleteAccount',
        summary: 'Delete the account: hide it now and purge it after 30 days without a sign-in',
        errors: [wrongPassword, tooManyWrongPasswords, wrongCode, codeExpired, noCodeRequested, loginCapacityExceeded],
      }),
      schema: { body: deleteAccountBody, response: { 200: deletionSchema } },
    },
    async (request, reply) => {
      const { password, code } = request.body
      const proof = password === undefined ? { code: code ?? '' } : { password }
      const at = await accounts.scheduleDeletion(callerOf(request), proof, clientOf(request))
      clearCookie(reply, cookies.names.session, cookies)
      return { success: true as const, deletion_scheduled_at: at.toISOString() }
    },
  )
}
