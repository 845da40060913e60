import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type AccountFormRoute, type AskAgain, createForms, type FormRoute } from '../../../http/html/account-forms.ts'
import type { PageState } from '../../../http/html/form-view.ts'
import { type PageAnswer, requireWithinLimit, sendPage } from '../../../http/html/html-forms.ts'
import { goTo, goToSignIn, pageConfig, visitorOf } from '../../../http/html/visits.ts'
import { clientOf } from '../../../http/pipeline/client-address.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import type { Caller } from '../../../model/caller.ts'
import { ACTION_ERRORS, type SecondFactorService } from '../../people/accounts/index.ts'
import { secondFactorMessages } from './messages.ts'
import { refusedForm } from './read-form.ts'
import { recoveryCodesView, SECOND_FACTOR_PATH, secondFactorKeyView, secondFactorView } from './second-factor.pages.ts'

const query = z.object({
  done: z.enum(['removed']).optional().catch(undefined).describe('The action that led here'),
})

export interface SecondFactorPages {
  readonly secondFactor: SecondFactorService
  readonly askAgain: AskAgain
  readonly ownOrigins: ReadonlySet<string>
}

/** A form that was sent. */
interface FactorForm {
  readonly caller: Caller
  readonly code: string
  readonly password: string | undefined
}

/** Routes of the pages that turn two-factor authentication on and off. They need no script. */
export function secondFactorPages(app: EepRoutes, { secondFactor, askAgain, ownOrigins }: SecondFactorPages): void {
  const { accountForm } = createForms(app, ownOrigins)

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    state: PageState,
    answer?: PageAnswer | undefined,
  ) {
    return sendPage(request, reply, secondFactorView(request.eep.site, await secondFactor.state(caller), state), answer)
  }

  /** Sends the page with the key that waits to be confirmed, or the first page when there is none. */
  async function sendKey(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    problem?: string,
    answer?: PageAnswer,
  ) {
    const pending = await secondFactor.pending(caller)
    if (!pending) return send(request, reply, caller, { problem }, answer)
    const hasPassword = await secondFactor.hasPassword(caller)
    return sendPage(request, reply, secondFactorKeyView(request.eep.site, { ...pending, hasPassword, problem }), answer)
  }

  /** Adds a form whose page shows what went wrong. */
  const factorForm = (
    route: Pick<FormRoute, 'path' | 'operationId' | 'summary' | 'errors'> & Pick<AccountFormRoute, 'isProved'>,
    act: (request: FastifyRequest, reply: FastifyReply, sent: FactorForm) => Promise<FastifyReply>,
  ) =>
    accountForm(
      { ...route, limit: 'auth', page: SECOND_FACTOR_PATH, sendsPage: true },
      async (request, reply, { caller, texts: { code = '', password } }) => {
        try {
          requireWithinLimit(request)
          return await act(request, reply, { caller, code: code.slice(0, 64), password })
        } catch (error) {
          const { answer, problem } = refusedForm(request.eep.site, error)
          return sendKey(request, reply, caller, problem, answer)
        }
      },
    )

  app.get(
    SECOND_FACTOR_PATH,
    {
      config: pageConfig({
        operationId: 'getSecondFactorPage',
        summary: 'Get the page of two-factor authentication',
      }),
      schema: { querystring: query, response: { 200: z.string(), 303: z.undefined() } },
    },
    async (request, reply) => {
      const caller = visitorOf(request)
      if (!caller) return goToSignIn(request, reply)
      const { done } = request.query
      return send(request, reply, caller, { notice: done && secondFactorMessages(request.eep.site)(done) })
    },
  )

  factorForm(
    {
      path: SECOND_FACTOR_PATH,
      isProved: { askAgain },
      operationId: 'submitSecondFactorSetup',
      errors: ACTION_ERRORS.beginSecondFactor,
      summary: 'Create a key for an authenticator app (HTML form)',
    },
    async (request, reply, { caller }) => {
      await secondFactor.begin(caller)
      return sendKey(request, reply, caller)
    },
  )

  factorForm(
    {
      path: `${SECOND_FACTOR_PATH}/confirm`,
      operationId: 'submitSecondFactorConfirmation',
      errors: ACTION_ERRORS.confirmSecondFactor,
      summary: 'Confirm the key with a code, and get the page with the recovery codes',
    },
    async (request, reply, { caller, code, password }) => {
      const codes = await secondFactor.confirm(caller, { code, password, from: clientOf(request) })
      return sendPage(request, reply, recoveryCodesView(request.eep.site, codes))
    },
  )

  factorForm(
    {
      path: `${SECOND_FACTOR_PATH}/remove`,
      operationId: 'submitSecondFactorRemoval',
      errors: ACTION_ERRORS.removeSecondFactor,
      summary: 'Disable two-factor authentication (HTML form)',
    },
    async (request, reply, { caller, code }) => {
      await secondFactor.remove(caller, code)
      return goTo(request, reply, `${SECOND_FACTOR_PATH}?done=removed`)
    },
  )
}
