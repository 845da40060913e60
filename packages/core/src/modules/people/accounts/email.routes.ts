import { callerOf } from '../../../http/pipeline/request-context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { ACTION_ERRORS } from './action-errors.ts'
import { authConfig } from './route-config.ts'
import { doneSchema, verifiedSchema, verifyBody } from './schemas.ts'
import type { AccountService } from './service.ts'
import { done } from './session-answer.ts'

/** Routes that verify the email address of an account. */
export function emailRoutes(app: EepRoutes, accounts: AccountService): void {
  app.post(
    '/auth/verify',
    {
      config: authConfig({
        auth: 'none',
        operationId: 'verifyEmail',
        summary:
          'Verify an email address with an emailed token; in a session of the account, also prove that it owns the address',
        errors: ACTION_ERRORS.verifyEmail,
      }),
      schema: { body: verifyBody, response: { 200: verifiedSchema } },
    },
    async ({ body, eep: { caller } }) => {
      const isOwned = await accounts.verify(body.token, caller)
      return { ...done('The email address is verified'), email_owned: isOwned }
    },
  )

  app.post(
    '/auth/resend-verification',
    {
      config: authConfig({
        auth: 'bearer',
        operationId: 'resendVerification',
        summary: 'Resend the verification email, at most once a minute',
        errors: ACTION_ERRORS.resendVerification,
      }),
      schema: { response: { 200: doneSchema } },
    },
    async (request) => {
      await accounts.resendVerification(callerOf(request))
      return done('An email was sent')
    },
  )
}
