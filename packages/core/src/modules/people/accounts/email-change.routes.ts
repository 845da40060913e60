import { clientOf } from '../../../http/pipeline/client-address.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { ACTION_ERRORS } from './action-errors.ts'
import { authConfig } from './route-config.ts'
import { changeEmailBody, doneSchema, verifyBody } from './schemas.ts'
import type { AccountService } from './service.ts'
import { done } from './session-answer.ts'

/** Routes that change the email address of an account. */
export function emailChangeRoutes(app: EepRoutes, { emailChange }: Pick<AccountService, 'emailChange'>): void {
  app.post(
    '/auth/email',
    {
      config: authConfig({
        auth: 'bearer',
        recent: 'sometimes',
        operationId: 'changeEmail',
        summary: 'Send a link to a new email address, soon after signing in or with the password',
        errors: ACTION_ERRORS.changeEmail,
      }),
      schema: { body: changeEmailBody, response: { 202: doneSchema } },
    },
    async (request, reply) => {
      const { new_email: newEmail, password } = request.body
      await emailChange.request(callerOf(request), { newEmail, password, from: clientOf(request) })
      reply.code(202)
      return done('An email was sent to the new address')
    },
  )

  app.post(
    '/auth/email/confirm',
    {
      config: authConfig({
        auth: 'bearer',
        operationId: 'confirmEmailChange',
        summary: 'Replace the email address of the account by the one that a token was sent to',
        errors: ACTION_ERRORS.confirmEmailChange,
      }),
      schema: { body: verifyBody, response: { 200: doneSchema } },
    },
    async (request) => {
      await emailChange.confirm(callerOf(request), request.body.token)
      return done('The email address was changed')
    },
  )

  app.post(
    '/auth/email/undo',
    {
      config: authConfig({
        auth: 'none',
        operationId: 'undoEmailChange',
        summary: 'Restore the former email address, and end sessions and new credentials of the account',
        errors: ACTION_ERRORS.confirmEmailChange,
      }),
      schema: { body: verifyBody, response: { 200: doneSchema } },
    },
    async ({ body }) => {
      await emailChange.undo(body.token)
      return done('The former email address was restored')
    },
  )
}
