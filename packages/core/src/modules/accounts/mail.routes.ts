import { callerOf } from '../../http/request-context.ts'
import type { EepRoutes } from '../../http/routes.ts'
import { alreadyVerified, invalidOrExpiredToken, verificationSent } from './errors.ts'
import { authFacts } from './facts.ts'
import { doneSchema, verifyBody } from './schemas.ts'
import type { AccountService } from './service.ts'
import { done } from './session-answer.ts'

/** Proof of a mail address. */
export function mailRoutes(app: EepRoutes, accounts: AccountService): void {
  app.post(
    '/auth/verify',
    {
      config: authFacts({
        auth: 'none',
        summary: 'Verify a mail address by the token of a mail',
        errors: [invalidOrExpiredToken],
      }),
      schema: { body: verifyBody, response: { 200: doneSchema } },
    },
    async ({ body }) => {
      await accounts.verify(body.token)
      return done('The mail address is verified')
    },
  )

  app.post(
    '/auth/resend-verification',
    {
      config: authFacts({
        auth: 'bearer',
        summary: 'Send another mail that verifies the address, at most one a minute',
        errors: [alreadyVerified, verificationSent],
      }),
      schema: { response: { 200: doneSchema } },
    },
    async (request) => {
      await accounts.resendVerification(callerOf(request))
      return done('A mail is on its way')
    },
  )
}
