import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { textOf } from '../../../../framework/module/screen-form.ts'
import { fieldHtml, formView, titled } from '../../../../http/html/form-view.ts'
import { html } from '../../../../http/html/html.ts'
import {
  formRoutes,
  type PageAnswer,
  requireOwnForm,
  requireWithinLimit,
  sendPage,
} from '../../../../http/html/html-forms.ts'
import { type HtmlView, hrefOn, type Site } from '../../../../http/html/view.ts'
import { goTo, goToSignIn, pageConfig } from '../../../../http/html/visits.ts'
import { formAlreadySent, idempotencyInFlight } from '../../../../http/idempotency/send-once.ts'
import { clientOf } from '../../../../http/pipeline/client-address.ts'
import { csrf } from '../../../../http/pipeline/identify.ts'
import type { EepRoutes } from '../../../../http/routes.ts'
import { isEepError, sessionRequired } from '../../../../kernel/errors.ts'
import type { Caller } from '../../../../model/caller.ts'
import { recentSignInRequired } from '../../../../model/recent-proof.ts'
import { refusedForm } from '../../../pages/account-pages/index.ts'
import type { Ask, Question } from '../authorize/ask.ts'
import { trustOf } from '../authorize/asked-app.ts'
import { enteredChoice } from '../authorize/choice.ts'
import type { HostProofs } from '../authorize/host-proofs.ts'
import { personOf, readableByNone, readTexts, textsIn } from '../authorize/page-requests.ts'
import { canSpend } from '../clients/app.ts'
import { profileNotAllowed, tooManyUserCodes, userCodeNotFound } from '../consent-errors.ts'
import { consentMessages, deviceMessages } from '../messages.ts'
import type { DeviceConsent, WaitingDevice } from './device-consent.ts'

const MAX_CODE = 16

/** What the mark of a host is for. */
const PROOF_OF = 'device'

export interface DevicePageRoutes {
  readonly device: DeviceConsent
  readonly ask: Ask
  readonly ownOrigins: ReadonlySet<string>
  readonly hostProofs: HostProofs
  readonly publicUrl: string
  /** The path of the page. */
  readonly path: string
  /** Where users of a host prove it again. Undefined where people sign in here. */
  readonly signInUrl: ((returnTo: string, options: { readonly reauthenticate: boolean }) => string) | undefined
}

interface CodePage {
  readonly path: string
  readonly code?: string | undefined
  /** The mark of the way through the sign-in of a host. */
  readonly proof?: string | undefined
  readonly problem?: string | undefined
}

/** The page on which a person enters the code of a device. It asks also when the address has the code. */
function codeView(site: Site, { path, code, proof, problem }: CodePage): HtmlView {
  const say = deviceMessages(site)
  return formView({
    ...titled(site, say('title')),
    problem,
    lead: say('lead'),
    body: html`<form method="post" action="${hrefOn(site, path)}">
${proof && html`<input type="hidden" name="proof" value="${proof}">`}${fieldHtml({ name: 'user_code', label: say('code'), hint: say('codeHint'), autocomplete: 'off', isExact: true, maxLength: MAX_CODE, value: code })}<p>${say('warning')}</p><p><button type="submit">${say('continue')}</button></p></form>`,
  })
}

const doneView = (site: Site, done: 'allowed' | 'denied'): HtmlView => {
  const say = deviceMessages(site)
  return formView({
    ...titled(site, say(done === 'allowed' ? 'allowedTitle' : 'deniedTitle')),
    lead: say(done),
    body: html``,
  })
}

/** The page on which a person enters the code of a device, and then allows what its app may do (RFC 8628). */
export function devicePageRoutes(app: EepRoutes, deps: DevicePageRoutes): void {
  const { device, ask, ownOrigins, hostProofs, publicUrl, path, signInUrl } = deps

  /** Whether a user of a host proved it there within ten minutes. True where people sign in here, who are asked on the page. */
  const isProvedAtHost = async (caller: Caller, mark: string): Promise<boolean> =>
    !signInUrl || (await hostProofs.provenUntil(mark, caller, { id: PROOF_OF })) !== undefined

  /** Shows the page again, with a code that was refused. */
  function refuse(request: FastifyRequest, reply: FastifyReply, code: string | undefined, error: unknown) {
    const { site } = request.eep
    const say = deviceMessages(site)
    let shown: { readonly problem?: string | undefined; readonly answer: PageAnswer }
    if (isEepError(error) && error.code === userCodeNotFound.code) {
      shown = { problem: say('wrong'), answer: { status: 404, error } }
    } else if (isEepError(error) && error.code === tooManyUserCodes.code) {
      shown = { problem: say('tooMany'), answer: { status: 429, error } }
    } else if (isEepError(error) && error.code === 'invalid_client') {
      shown = { problem: consentMessages(site)('unknownApp'), answer: { status: 400 } }
    } else shown = refusedForm(site, error)
    return sendPage(request, reply, codeView(site, { path, code, problem: shown.problem }), shown.answer)
  }

  function questionOf(request: FastifyRequest, caller: Caller, waiting: WaitingDevice): Question {
    const say = deviceMessages(request.eep.site)
    const { minutes, isSameNetwork } = device.originOf(waiting, clientOf(request))
    const network = say(isSameNetwork ? 'sameNetwork' : 'otherNetwork')
    const started = minutes < 1 ? say('now', { network }) : say('started', { count: minutes, network })
    return {
      path,
      app: waiting.app,
      trust: trustOf(waiting.app, undefined),
      answer: { kind: 'device', started: `${started} ${say('warning')}` },
      scopes: waiting.request.scopes,
      maySpend: canSpend(waiting.app, undefined),
      formTargets: [],
      hasFormId: true,
      seal: () => device.seal(waiting, caller),
      hereFor: async () => `${path}?user_code=${waiting.userCode}`,
    }
  }

  app.get(
    path,
    {
      config: pageConfig({
        operationId: 'getDevicePage',
        summary: 'Get the page to enter the code of a device',
        secrets: ['user_code', 'proof'],
      }),
      schema: {
        querystring: z.object({
          user_code: z.string().max(64).optional().catch(undefined),
          proof: z.string().max(1_024).optional().catch(undefined),
          done: z.enum(['allowed', 'denied']).optional().catch(undefined),
        }),
        response: { 200: z.string(), 302: z.undefined(), 303: z.undefined() },
      },
    },
    async (request, reply) => {
      readableByNone(reply)
      const { user_code: given, proof = '', done } = request.query
      const { site } = request.eep
      const caller = personOf(request)
      if (!caller) return goToSignIn(request, reply)
      if (done) return sendPage(request, reply, doneView(site, done))
      const code = given?.slice(0, MAX_CODE)
      // Before the form: browsers follow no redirect of a form to another site.
      if (signInUrl && !(await isProvedAtHost(caller, proof))) {
        const mark = await hostProofs.make(caller, PROOF_OF)
        const query = new URLSearchParams({ ...(code !== undefined && { user_code: code }), proof: mark })
        reply.header('cache-control', 'private, no-store')
        return reply.redirect(signInUrl(`${publicUrl}${path}?${query}`, { reauthenticate: true }), 302)
      }
      return sendPage(request, reply, codeView(site, { path, code, proof }))
    },
  )

  /** Answers the form with the decision. */
  async function decide(request: FastifyRequest, reply: FastifyReply, caller: Caller, waiting: WaitingDevice) {
    const texts = textsIn(request.body)
    const question = questionOf(request, caller, waiting)
    if (await ask.isLimited(request, reply, caller, question)) return reply
    const isDenial = ask.isDenial(texts)
    if (!isDenial && signInUrl && !hostProofs.isReported(caller)) throw recentSignInRequired()
    const choice = isDenial ? null : await ask.readAllowed(request, reply, caller, question)
    if (choice === undefined) return reply
    try {
      return goTo(request, reply, `${path}?done=${await device.decide(caller, waiting, choice ?? undefined)}`)
    } catch (error) {
      if (!isEepError(error) || error.code !== profileNotAllowed.code) throw error
      const problem = consentMessages(request.eep.site)('wrongProfile')
      const entered = enteredChoice(texts, { profile: problem })
      const sealed = textOf(texts, 'request')
      return ask.show(request, reply, caller, question, { entered, problem, answer: error.status, request: sealed })
    }
  }

  formRoutes(
    app,
    (forms) =>
      forms.post(
        path,
        {
          config: pageConfig({
            operationId: 'submitDevicePage',
            summary: 'Enter the code of a device, then allow or deny its app (HTML form)',
            limit: 'auth',
            keepsForm: true,
            hasFormId: true,
            recent: 'in_page',
            errors: [
              csrf,
              sessionRequired,
              userCodeNotFound,
              tooManyUserCodes,
              profileNotAllowed,
              recentSignInRequired,
              formAlreadySent,
              idempotencyInFlight,
            ],
          }),
          schema: { response: { 200: z.string(), 303: z.undefined() } },
        },
        async (request, reply) => {
          readableByNone(reply)
          requireOwnForm(request, ownOrigins)
          const caller = personOf(request)
          if (!caller) return goToSignIn(request, reply, path)
          const texts = textsIn(request.body)
          const sealed = textOf(texts, 'request')
          const code = textOf(texts, 'user_code')?.slice(0, MAX_CODE)
          const address = clientOf(request)
          try {
            if (sealed !== undefined) {
              const waiting = await device.reopen(sealed, caller, address)
              if (!waiting) throw userCodeNotFound()
              return await decide(request, reply, caller, waiting)
            }
            requireWithinLimit(request)
            if (!(await isProvedAtHost(caller, textOf(texts, 'proof') ?? ''))) throw recentSignInRequired()
            const waiting = await device.find(code ?? '', caller, address)
            return await ask.show(request, reply, caller, questionOf(request, caller, waiting))
          } catch (error) {
            return refuse(request, reply, code, error)
          }
        },
      ),
    { read: readTexts },
  )
}
