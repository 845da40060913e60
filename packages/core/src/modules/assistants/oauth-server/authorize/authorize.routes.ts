import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { textOf } from '../../../../framework/module/screen-form.ts'
import { formRoutes, requireOwnForm, requireWithinLimit, sendPage } from '../../../../http/html/html-forms.ts'
import { signInPath } from '../../../../http/html/sign-in-path.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { pageConfig } from '../../../../http/html/visits.ts'
import { clientOf } from '../../../../http/pipeline/client-address.ts'
import { csrf } from '../../../../http/pipeline/identify.ts'
import type { EepRoutes } from '../../../../http/routes.ts'
import { isEepError, sessionRequired } from '../../../../kernel/errors.ts'
import type { Caller } from '../../../../model/caller.ts'
import { canSpend } from '../clients/app.ts'
import { profileNotAllowed, requestExpired } from '../consent-errors.ts'
import { consentMessages } from '../messages.ts'
import type { Ask, Question } from './ask.ts'
import { formTargetOf, targetOf, trustOf } from './asked-app.ts'
import { enteredChoice } from './choice.ts'
import type { Asked, Consent, ReadRequest } from './consent.ts'
import type { HostProofs } from './host-proofs.ts'
import { personOf, readableByNone, readTexts, textsIn } from './page-requests.ts'
import type { PendingRequests } from './pending-request.ts'
import { type Restart, refusedView, restartView } from './refused-page.ts'

export interface AuthorizeRoutes {
  readonly consent: Consent
  readonly ask: Ask
  readonly pending: PendingRequests
  readonly hostProofs: HostProofs
  readonly ownOrigins: ReadonlySet<string>
  readonly publicUrl: string
  /** The path of the authorization request. */
  readonly path: string
  /** Where users of a host sign in. Undefined where people sign in here. */
  readonly signInUrl: ((returnTo: string, options: { readonly reauthenticate: boolean }) => string) | undefined
}

/** The query of a request as it was sent. */
const queryOf = ({ url }: FastifyRequest): string => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')

/** Sends the answer to an app. Nothing of this page follows it. */
const leave = (reply: FastifyReply, to: string) =>
  reply.headers({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' }).redirect(to, 303)

/** The page on which a person connects an app to their account. */
export function authorizeRoutes(app: EepRoutes, deps: AuthorizeRoutes): void {
  const { consent, ask, pending, hostProofs, ownOrigins, publicUrl, path, signInUrl } = deps

  const restart = (request: FastifyRequest, reply: FastifyReply, why: Restart, status = 400) => {
    const isSignedIn = request.eep.caller !== undefined
    const signIn = isSignedIn ? undefined : signInPath(request, undefined)
    return sendPage(request, reply, restartView(request.eep.site, why, signIn), status)
  }

  /** The address that shows a request which the browser keeps. */
  const keptPath = (id: string) => `${path}?r=${id}`

  /** Sends the visitor to sign in, or a user of the host to prove it again. The request is kept meanwhile. */
  async function signInFirst(
    request: FastifyRequest,
    reply: FastifyReply,
    { query, id, caller }: { query: string; id: string | undefined; caller?: Caller },
  ) {
    const kept = id ?? (await pending.keep(request, reply, query))
    if (kept === undefined) return restart(request, reply, 'signedInStart')
    const to = signInUrl
      ? signInUrl(`${publicUrl}${keptPath(kept)}${caller ? `&proof=${await hostProofs.make(caller, kept)}` : ''}`, {
          reauthenticate: true,
        })
      : signInPath(request, keptPath(kept))
    if (to === undefined) return restart(request, reply, 'signedInStart', 401)
    reply.header('cache-control', 'private, no-store')
    return reply.redirect(hrefOn(request.eep.site, to), 302)
  }

  const questionOf = (
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    asked: Asked,
    { id, provenUntil }: { readonly id?: string | undefined; readonly provenUntil?: number | undefined } = {},
  ): Question => ({
    path,
    app: asked.app,
    trust: trustOf(asked.app, asked.redirectUri),
    answer: targetOf(asked.redirectUri),
    scopes: asked.request.scopes,
    maySpend: canSpend(asked.app, asked.redirectUri),
    maxAge: asked.request.maxAge,
    formTargets: [formTargetOf(asked.redirectUri)],
    seal: () => consent.seal(asked, caller, provenUntil),
    async hereFor({ password, code, passkey }) {
      // Paths that sign-ins lead back to are short, so the request is kept.
      const kept = password || code || passkey ? undefined : (id ?? (await pending.keep(request, reply, asked.query)))
      return kept === undefined ? `${path}?${asked.query}` : keptPath(kept)
    },
  })

  /** Answers a request that a person is not asked about. */
  const answer = (request: FastifyRequest, reply: FastifyReply, read: Exclude<ReadRequest, Asked>) =>
    read.kind === 'answered'
      ? leave(reply, read.to)
      : sendPage(request, reply, refusedView(request.eep.site, read), {
          status: read.error.status === 503 ? 503 : 400,
          error: read.error,
        })

  app.get(
    path,
    {
      config: pageConfig({
        operationId: 'getAuthorizationPage',
        summary: 'Get the page to connect an app (OAuth 2.1)',
        anyQuery: true,
        secrets: ['state', 'r', 'proof'],
      }),
      schema: {
        querystring: z.looseObject({
          r: z.string().max(64).optional().catch(undefined),
          proof: z.string().max(1_024).optional().catch(undefined),
        }),
        response: { 200: z.string(), 302: z.undefined(), 303: z.undefined() },
      },
    },
    async (request, reply) => {
      readableByNone(reply)
      const caller = personOf(request)
      const address = clientOf(request)
      const { r: id, proof = '' } = request.query
      const query = id === undefined ? queryOf(request) : await pending.find(request, id)
      if (query === undefined) return restart(request, reply, 'lost')
      if (!caller) {
        const read = await consent.checkBeforeSignIn(query, address)
        if (read && read.kind !== 'asked') return answer(request, reply, read)
        return signInFirst(request, reply, { query, id })
      }
      const read = await consent.readRequest(query, caller, address)
      if (read.kind !== 'asked') return answer(request, reply, read)
      // The host proves its users again, and reports when. Otherwise they bring the mark of this way, coming back.
      const { maxAge } = read.request
      const provenUntil = signInUrl && (await hostProofs.provenUntil(proof, caller, { id, maxAge }))
      if (signInUrl && provenUntil === undefined) return signInFirst(request, reply, { query, id, caller })
      return ask.show(request, reply, caller, questionOf(request, reply, caller, read, { id, provenUntil }))
    },
  )

  /** Answers the HTML form. */
  async function submit(request: FastifyRequest, reply: FastifyReply, caller: Caller) {
    const texts = textsIn(request.body)
    const address = clientOf(request)
    const { id, asked, isProven } = await consent.reopen(caller, textOf(texts, 'request') ?? '', address)
    if (asked.kind !== 'asked') return answer(request, reply, asked)
    const question = questionOf(request, reply, caller, asked)
    if (await ask.isLimited(request, reply, caller, question)) return reply
    if (ask.isDenial(texts)) return leave(reply, await consent.deny(caller, id, asked))
    if (signInUrl && !(isProven && hostProofs.isReported(caller))) throw requestExpired()
    const choice = await ask.readAllowed(request, reply, caller, question)
    if (!choice) return reply
    try {
      return leave(reply, await consent.approve(caller, id, asked, choice))
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
            operationId: 'submitAuthorization',
            summary: 'Allow or deny an app (HTML form)',
            limit: 'auth',
            keepsForm: true,
            recent: 'in_page',
            errors: [csrf, requestExpired, profileNotAllowed, sessionRequired],
          }),
          schema: { response: { 200: z.string(), 303: z.undefined() } },
        },
        async (request, reply) => {
          readableByNone(reply)
          requireOwnForm(request, ownOrigins)
          const caller = personOf(request)
          if (!caller) return restart(request, reply, 'expired', 401)
          try {
            return await submit(request, reply, caller)
          } catch (error) {
            if (!isEepError(error) || error.code !== requestExpired.code) throw error
            requireWithinLimit(request)
            return restart(request, reply, 'expired')
          }
        },
      ),
    { read: readTexts },
  )
}
