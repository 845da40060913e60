import { z } from 'zod'
import { createForms } from '../../../http/html/account-forms.ts'
import { sendPage } from '../../../http/html/html-forms.ts'
import { mailboxHint } from '../../../http/html/mailbox-hint.ts'
import { goTo, pageConfig, visitorOf } from '../../../http/html/visits.ts'
import { clientOf } from '../../../http/pipeline/client-address.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { ACTION_ERRORS, type AccountService, invalidOrExpiredToken } from '../../people/accounts/index.ts'
import { problemMessages, signInMessages } from './messages.ts'
import { tokenQuery } from './password.routes.ts'
import { refusedForm } from './read-form.ts'
import { verifyView } from './sign-in.pages.ts'

export interface VerifyPages {
  readonly accounts: Pick<AccountService, 'verify' | 'verifyByPassword' | 'takeOver' | 'isOwnVerification'>
  readonly ownOrigins: ReadonlySet<string>
}

const MAX_TOKEN = 256
const MAX_PASSWORD = 1_024

const query = tokenQuery.extend({
  done: z.enum(['verified', 'taken_over']).optional().catch(undefined).describe('The action that led here'),
})

/** Routes of the page to verify an email address. */
export function verifyPages(app: EepRoutes, { accounts, ownOrigins }: VerifyPages): void {
  const { form } = createForms(app, ownOrigins)

  app.get(
    '/verify',
    {
      config: pageConfig({
        operationId: 'getVerifyPage',
        summary: 'Get the page of an emailed link that verifies an address; it does not consume the link',
        errors: [invalidOrExpiredToken],
        secrets: ['token'],
      }),
      schema: { querystring: query, response: { 200: z.string() } },
    },
    async (request, reply) => {
      const { site } = request.eep
      const { token, done } = request.query
      const caller = visitorOf(request)
      const visitor = caller?.account
      if (done) {
        const notice = signInMessages(site)(done === 'verified' ? 'verified' : 'takenOver')
        const note = done === 'taken_over' && mailboxHint(site)
        return sendPage(request, reply, verifyView(site, { token: undefined, visitor, notice, note }))
      }
      if (token) {
        const isOwn = caller !== undefined && (await accounts.isOwnVerification(token, caller))
        return sendPage(request, reply, verifyView(site, { token, visitor, isOwn }))
      }
      const problem = problemMessages(site)('missingToken')
      return sendPage(request, reply, verifyView(site, { token: undefined, visitor, problem }), 400)
    },
  )

  form(
    {
      path: '/verify',
      limit: 'auth',
      operationId: 'submitVerifyPage',
      errors: ACTION_ERRORS.confirmEmail,
      summary:
        'Verify an email address with an emailed token, in a session or with the password of the account, or take it over (HTML form)',
    },
    async (request, reply, { token: sent = '', password, take_over: takeOver }) => {
      const { site, limited } = request.eep
      const token = sent.slice(0, MAX_TOKEN)
      const caller = visitorOf(request)
      const visitor = caller?.account
      if (limited) {
        const { answer, problem } = refusedForm(site, limited)
        const isOwn = takeOver !== 'yes' && password === undefined
        return sendPage(request, reply, verifyView(site, { token, visitor, isOwn, problem }), answer)
      }
      const isOwn = caller !== undefined && (await accounts.isOwnVerification(token, caller))
      try {
        if (takeOver === 'yes') {
          const isTaken = await accounts.takeOver(token)
          return goTo(request, reply, `/verify?done=${isTaken ? 'taken_over' : 'verified'}`)
        }
        if (isOwn || !site.has?.('/login')) await accounts.verify(token, caller)
        else if (password) {
          const shortened = password.slice(0, MAX_PASSWORD)
          await accounts.verifyByPassword({ token, password: shortened, from: clientOf(request) })
        } else {
          // Also for a visitor who signed in or out since the page was shown.
          const wrong = password === undefined ? {} : { password: problemMessages(site)('required') }
          return sendPage(request, reply, verifyView(site, { token, visitor, wrong }), 400)
        }
        return goTo(request, reply, '/verify?done=verified')
      } catch (error) {
        const { answer, ...state } = refusedForm(site, error)
        const isKept = isEepError(error) && error.code !== invalidOrExpiredToken.code
        return sendPage(
          request,
          reply,
          verifyView(site, { token: isKept ? token : undefined, visitor, ...state }),
          answer,
        )
      }
    },
  )
}
