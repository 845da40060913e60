import { callerOf } from '../../http/request-context.ts'
import type { EepRoutes } from '../../http/routes.ts'
import { alreadyVerified, busy, invalidOrExpiredToken, verificationSent, weakPassword } from './errors.ts'
import { authFacts } from './facts.ts'
import { doneSchema, forgotPasswordBody, resetPasswordBody, verifyBody } from './schemas.ts'
import type { AccountService } from './service.ts'

const done = (message: string) => ({ success: true as const, message })

/** What is done by mail: another password, and proof of an address. */
export function mailRoutes(app: EepRoutes, accounts: AccountService): void {
  app.post(
    '/auth/forgot-password',
    {
      config: authFacts({
        auth: 'none',
        summary: 'Send a link for a new password; the answer is the same whether there is such an account',
      }),
      schema: { body: forgotPasswordBody, response: { 200: doneSchema } },
    },
    async ({ body }) => {
      accounts.forgotPassword(body.email)
      return done('If this address has an account, a mail is on its way')
    },
  )

  app.post(
    '/auth/reset-password',
    {
      config: authFacts({
        auth: 'none',
        summary: 'Set a new password by the token of a mail; every session ends',
        errors: [invalidOrExpiredToken, weakPassword, busy],
      }),
      schema: { body: resetPasswordBody, response: { 200: doneSchema } },
    },
    async ({ body }) => {
      await accounts.resetPassword(body)
      return done('The password is changed; sign in with it')
    },
  )

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
