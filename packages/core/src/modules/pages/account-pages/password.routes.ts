import { z } from 'zod'
import { createForms } from '../../../http/html/account-forms.ts'
import { sendPage } from '../../../http/html/html-forms.ts'
import { mailboxHint } from '../../../http/html/mailbox-hint.ts'
import { pageConfig } from '../../../http/html/visits.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { isEepError } from '../../../kernel/errors.ts'
import {
  ACTION_ERRORS,
  type AccountService,
  forgotPasswordBody,
  invalidOrExpiredToken,
  resetPasswordBody,
} from '../../people/accounts/index.ts'
import { problemMessages, signInMessages } from './messages.ts'
import { forgotView, resetView } from './sign-in.pages.ts'
import { submitForm } from './submit-form.ts'

export interface PasswordPages {
  readonly accounts: Pick<AccountService, 'forgotPassword' | 'resetPassword'>
  readonly ownOrigins: ReadonlySet<string>
  /** Whether accounts can sign in with passkeys or providers on pages of this service. */
  readonly hasOtherSignIns: boolean
}

const forgotQuery = z.object({
  done: z.enum(['sent']).optional().catch(undefined).describe('The action that led here'),
})
/** A longer token is unknown too, so its page asks to request another link. */
export const tokenQuery = z.object({
  token: z.string().max(256).optional().catch(undefined).describe('The token of the link in the email'),
})

/** Routes of the pages to request a link by email and to choose a new password with it. */
export function passwordPages(app: EepRoutes, { accounts, ownOrigins, hasOtherSignIns }: PasswordPages): void {
  const { form } = createForms(app, ownOrigins)

  app.get(
    '/forgot-password',
    {
      config: pageConfig({
        operationId: 'getForgotPasswordPage',
        summary: 'Get the page to request a link for a new password',
      }),
      schema: { querystring: forgotQuery, response: { 200: z.string() } },
    },
    async (request, reply) => {
      const { site } = request.eep
      const notice = request.query.done && signInMessages(site)('linkSent')
      return sendPage(request, reply, forgotView(site, { notice, note: mailboxHint(site) }))
    },
  )

  form(
    {
      path: '/forgot-password',
      limit: 'auth',
      operationId: 'submitForgotPasswordPage',
      summary: 'Send a password reset link (HTML form); does not reveal whether the account exists',
    },
    async (request, reply, { email = '' }) => {
      const { site } = request.eep
      return submitForm(request, reply, {
        schema: forgotPasswordBody,
        texts: { email },
        submit: (values) => accounts.forgotPassword(values.email),
        page: (problem) => forgotView(site, { values: { email }, ...problem }),
        next: '/forgot-password?done=sent',
      })
    },
  )

  app.get(
    '/reset-password',
    {
      config: pageConfig({
        operationId: 'getResetPasswordPage',
        summary: 'Get the page of an emailed link for a new password; it does not consume the link',
        errors: [invalidOrExpiredToken],
        secrets: ['token'],
      }),
      schema: { querystring: tokenQuery, response: { 200: z.string() } },
    },
    async (request, reply) => {
      const { site } = request.eep
      const { token } = request.query
      if (token) return sendPage(request, reply, resetView(site, token, { hasOtherSignIns }))
      const problem = problemMessages(site)('missingToken')
      return sendPage(request, reply, resetView(site, undefined, { problem, hasOtherSignIns }), 400)
    },
  )

  form(
    {
      path: '/reset-password',
      limit: 'auth',
      operationId: 'submitResetPasswordPage',
      errors: ACTION_ERRORS.resetPassword,
      summary: 'Set a new password with an emailed token, and end all sessions (HTML form)',
    },
    async (request, reply, { token, password = '', remove_other_sign_ins: checked }) => {
      const { site } = request.eep
      return submitForm(request, reply, {
        schema: resetPasswordBody,
        texts: { token, password },
        submit: (values) => accounts.resetPassword({ ...values, removeOtherSignIns: checked === 'yes' }),
        page(problem, error) {
          if (problem.wrong?.token !== undefined) {
            return resetView(site, undefined, { problem: problemMessages(site)('missingToken'), hasOtherSignIns })
          }
          const isOver = isEepError(error) && error.code === invalidOrExpiredToken.code
          return resetView(site, isOver ? undefined : token, {
            ...problem,
            hasOtherSignIns,
            removesOthers: checked === 'yes',
          })
        },
        next: '/login?done=password_changed',
      })
    },
  )
}
