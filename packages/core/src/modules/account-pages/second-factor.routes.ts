import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { csrf } from '../../http/authenticate.ts'
import { clientOf } from '../../http/client-address.ts'
import { type PageAnswer, requireOwnForm, sendPage } from '../../http/forms.ts'
import { type PageState, textsOf } from '../../http/html/form-view.ts'
import type { EepRoutes } from '../../http/routes.ts'
import type { Caller } from '../../model/caller.ts'
import type { SecondFactorService } from '../accounts/index.ts'
import { refusedForm } from './read-form.ts'
import { recoveryCodesView, SECOND_FACTOR_PATH, secondFactorKeyView, secondFactorView } from './second-factor.pages.ts'
import { secondFactorMessages } from './second-factor-messages.ts'
import { goTo, goToSignIn, pageConfig, visitorOf } from './visits.ts'

const query = z.object({
  done: z.enum(['removed']).optional().catch(undefined).describe('The action that led here'),
})
const answers = { 200: z.string(), 303: z.undefined() }

export interface SecondFactorPages {
  readonly secondFactor: SecondFactorService
  readonly ownOrigins: ReadonlySet<string>
}

/** Routes of the pages that turn two-factor authentication on and off. They need no script. */
export function secondFactorPages(app: EepRoutes, { secondFactor, ownOrigins }: SecondFactorPages): void {
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

  /** Performs the action of a form, and sends the page with what went wrong. */
  async function submit(
    request: FastifyRequest,
    reply: FastifyReply,
    act: (caller: Caller, texts: { readonly code: string; readonly password?: string }) => Promise<FastifyReply>,
  ) {
    requireOwnForm(request, ownOrigins)
    const caller = visitorOf(request)
    if (!caller) return goToSignIn(request, reply, SECOND_FACTOR_PATH)
    const { code = '', ...texts } = textsOf(request.body)
    try {
      return await act(caller, { ...texts, code: code.slice(0, 64) })
    } catch (error) {
      const { answer, problem } = refusedForm(request.eep.site, error)
      return sendKey(request, reply, caller, problem, answer)
    }
  }

  app.get(
    SECOND_FACTOR_PATH,
    {
      config: pageConfig({
        operationId: 'getSecondFactorPage',
        summary: 'Get the page of two-factor authentication',
      }),
      schema: { querystring: query, response: answers },
    },
    async (request, reply) => {
      const caller = visitorOf(request)
      if (!caller) return goToSignIn(request, reply)
      const { done } = request.query
      return send(request, reply, caller, { notice: done && secondFactorMessages(request.eep.site)(done) })
    },
  )

  app.post(
    SECOND_FACTOR_PATH,
    {
      config: pageConfig({
        limit: 'auth',
        operationId: 'submitSecondFactorSetup',
        summary: 'Create a key for an authenticator app (HTML form)',
        errors: [csrf],
      }),
      schema: { response: answers },
    },
    (request, reply) =>
      submit(request, reply, async (caller) => {
        await secondFactor.begin(caller)
        return sendKey(request, reply, caller)
      }),
  )

  app.post(
    `${SECOND_FACTOR_PATH}/confirm`,
    {
      config: pageConfig({
        limit: 'auth',
        operationId: 'submitSecondFactorConfirmation',
        summary: 'Confirm the key with a code, and get the page with the recovery codes',
        errors: [csrf],
      }),
      schema: { response: answers },
    },
    (request, reply) =>
      submit(request, reply, async (caller, texts) =>
        sendPage(
          request,
          reply,
          recoveryCodesView(
            request.eep.site,
            await secondFactor.confirm(caller, { ...texts, from: clientOf(request) }),
          ),
        ),
      ),
  )

  app.post(
    `${SECOND_FACTOR_PATH}/remove`,
    {
      config: pageConfig({
        limit: 'auth',
        operationId: 'submitSecondFactorRemoval',
        summary: 'Disable two-factor authentication (HTML form)',
        errors: [csrf],
      }),
      schema: { response: answers },
    },
    (request, reply) =>
      submit(request, reply, async (caller, { code }) => {
        await secondFactor.remove(caller, code)
        return goTo(request, reply, `${SECOND_FACTOR_PATH}?done=removed`)
      }),
  )
}
