import { z } from 'zod'
import { sendPage } from '../../http/forms.ts'
import type { EepRoutes } from '../../http/routes.ts'
import { isEepError } from '../../kernel/errors.ts'
import { ACTION_ERRORS, type AccountService, invalidOrExpiredToken, signInToVerify } from '../accounts/index.ts'
import { createForms } from './forms.ts'
import { tokenQuery } from './password.routes.ts'
import { problemMessages } from './problem-messages.ts'
import { refusedForm } from './read-form.ts'
import { verifyView } from './sign-in.pages.ts'
import { signInMessages } from './sign-in-messages.ts'
import { goTo, pageConfig, visitorOf } from './visits.ts'

export interface VerifyPages {
  readonly accounts: Pick<AccountService, 'verify' | 'isOwnVerification'>
  readonly ownOrigins: ReadonlySet<string>
}

const MAX_TOKEN = 256

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
        return sendPage(request, reply, verifyView(site, { token: undefined, visitor, notice }))
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
      errors: ACTION_ERRORS.verifyEmail,
      summary:
        'Verify an email address with an emailed token; without a session of the account, take it over (HTML form)',
    },
    async (request, reply, { token = '', take_over: takeOver }) => {
      const { site, limited } = request.eep
      const caller = visitorOf(request)
      if (limited) {
        const { answer, problem } = refusedForm(site, limited)
        const page = { token: token.slice(0, MAX_TOKEN), visitor: caller?.account, isOwn: takeOver !== 'yes', problem }
        return sendPage(request, reply, verifyView(site, page), answer)
      }
      try {
        const { takenOver } = await accounts.verify(token.slice(0, MAX_TOKEN), caller, {
          mayTakeOver: takeOver === 'yes',
        })
        return goTo(request, reply, `/verify?done=${takenOver ? 'taken_over' : 'verified'}`)
      } catch (error) {
        const { answer, ...state } = refusedForm(site, error)
        const visitor = caller?.account
        // The visitor signed in or out since the page was shown, so it did not warn of the takeover.
        const wasNotWarned = site.has?.('/login') && isEepError(error) && error.code === signInToVerify.code
        const page = wasNotWarned ? { token, visitor } : { token: undefined, visitor, problem: state.problem }
        return sendPage(request, reply, verifyView(site, page), answer)
      }
    },
  )
}
