import { z } from 'zod'
import { csrf } from '../../http/authenticate.ts'
import { requireOwnForm, sendPage } from '../../http/forms.ts'
import { textsOf } from '../../http/html/form-view.ts'
import type { EepRoutes } from '../../http/routes.ts'
import { type AccountService, forgotPasswordBody, invalidOrExpiredToken, resetPasswordBody } from '../accounts/index.ts'
import { problemMessages } from './problem-messages.ts'
import { readForm, refusedForm } from './read-form.ts'
import { forgotView, resetView } from './sign-in.pages.ts'
import { signInMessages } from './sign-in-messages.ts'
import { goTo, pageConfig } from './visits.ts'

export interface PasswordPages {
  readonly accounts: Pick<AccountService, 'forgotPassword' | 'resetPassword'>
  readonly ownOrigins: ReadonlySet<string>
}

const leaving = { 303: z.undefined() }
const forgotQuery = z.object({
  done: z.enum(['sent']).optional().catch(undefined).describe('The action that led here'),
})
/** A longer token is unknown too, so its page asks to request another link. */
export const tokenQuery = z.object({
  token: z.string().max(256).optional().catch(undefined).describe('The token of the link in the email'),
})

/** Routes of the pages to request a link by email and to choose a new password with it. */
export function passwordPages(app: EepRoutes, { accounts, ownOrigins }: PasswordPages): void {
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
      return sendPage(request, reply, forgotView(site, { notice }))
    },
  )

  app.post(
    '/forgot-password',
    {
      config: pageConfig({
        limit: 'auth',
        operationId: 'submitForgotPasswordPage',
        summary: 'Send a password reset link; the response does not reveal whether the account exists',
        errors: [csrf],
      }),
      schema: { response: leaving },
    },
    async (request, reply) => {
      requireOwnForm(request, ownOrigins)
      const { site } = request.eep
      const { email = '' } = textsOf(request.body)
      const form = readForm(site, forgotPasswordBody, { email })
      if (form.problem) return sendPage(request, reply, forgotView(site, { values: { email }, ...form.problem }), 400)
      accounts.forgotPassword(form.values.email)
      return goTo(request, reply, '/forgot-password?done=sent')
    },
  )

  app.get(
    '/reset-password',
    {
      config: pageConfig({
        operationId: 'getResetPasswordPage',
        summary: 'Get the page of an emailed link for a new password; it does not consume the link',
        secrets: ['token'],
      }),
      schema: { querystring: tokenQuery, response: { 200: z.string() } },
    },
    async (request, reply) => {
      const { site } = request.eep
      const { token } = request.query
      if (token) return sendPage(request, reply, resetView(site, token, {}))
      const problem = problemMessages(site)('missingToken')
      return sendPage(request, reply, resetView(site, undefined, { problem }), 400)
    },
  )

  app.post(
    '/reset-password',
    {
      config: pageConfig({
        limit: 'auth',
        operationId: 'submitResetPasswordPage',
        summary: 'Set a new password with an emailed token, and end all sessions',
        errors: [csrf],
      }),
      schema: { response: leaving },
    },
    async (request, reply) => {
      requireOwnForm(request, ownOrigins)
      const { site } = request.eep
      const { token, password = '' } = textsOf(request.body)
      const form = readForm(site, resetPasswordBody, { token, password })
      if (form.problem?.wrong?.token !== undefined) {
        const problem = problemMessages(site)('missingToken')
        return sendPage(request, reply, resetView(site, undefined, { problem }), 400)
      }
      if (form.problem) return sendPage(request, reply, resetView(site, token, form.problem), 400)
      try {
        await accounts.resetPassword(form.values)
      } catch (error) {
        const { answer, ...problem } = refusedForm(site, error)
        const isOver = error instanceof Error && 'code' in error && error.code === invalidOrExpiredToken.code
        return sendPage(request, reply, resetView(site, isOver ? undefined : token, problem), answer)
      }
      return goTo(request, reply, '/login?done=password_changed')
    },
  )
}
