import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import { countVisit, paywallVisit } from '../../../../http/pipeline/count-visits.ts'
import { payloadTooLarge } from '../../../../http/pipeline/error-handler.ts'
import { sha256 } from '../../../../kernel/digest.ts'
import { isEepError } from '../../../../kernel/errors.ts'
import type { CredentialHeaders } from '../../../../ports/payment-rail.ts'
import { provenPayers } from '../access/payer-cookies.ts'
import { checkPrice } from '../access/priced-gate.ts'
import {
  acknowledge,
  credentialsOf,
  describeGate,
  paymentHeadersOf,
  presentsPayment,
  visitorOf,
} from '../access/require-access.ts'
import type { GatedResource } from '../access/resource.ts'
import { requireSpending } from '../pay/app-spending.ts'
import { presentedCredential } from '../pay/credential.ts'
import { chargedAt, type Sale } from '../pay/sale.ts'
import { checkDigest, contentLength, readContent, replay } from './content.ts'
import type { PaidRequests } from './paid-requests.ts'
import { boundRequest, headerDigestOf, type RequestFacts } from './request-facts.ts'
import type { PaidRoute, PaidRouteHost } from './route-host.ts'
import { createRuns, type Run } from './run.ts'
import type { Taken } from './take-payment.ts'

/** The facts known of a request before its body is parsed. */
interface Opened {
  readonly sale: Sale
  readonly facts: RequestFacts
  readonly headers: CredentialHeaders
  readonly resource: GatedResource
  /** Adds the address of the gate to a refusal. */
  readonly describe: () => void
}

/** The hooks of a paid route. */
export function createPaidHooks(host: PaidRouteHost, route: PaidRoute, requests: PaidRequests) {
  const { paywall, sendError } = host
  const { settings } = route
  const opened = new WeakMap<FastifyRequest, Opened>()
  const runs = createRuns({ host, requests, settings })

  /** Sends errors of the service in its format, and throws all others to the host. */
  async function answered(
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<unknown>,
  ): Promise<unknown> {
    try {
      return await work()
    } catch (error) {
      if (!isEepError(error)) throw error
      await sendError(error, request, reply)
      return reply
    }
  }

  /** The headers that may carry a payment. Payments of x402 version 1 are for GET. */
  function headersOf(request: FastifyRequest): CredentialHeaders {
    const headers = paymentHeadersOf(request)
    return request.method === 'GET' ? headers : { ...headers, xPayment: undefined }
  }

  async function resourceOf(request: FastifyRequest, content: Buffer | undefined): Promise<GatedResource> {
    const { resource: name, url, description, mimeType, listing, price } = route
    const profile = await host.findProfile(request)
    const asked = typeof price === 'function' ? await price(request, content) : price
    if (typeof price === 'function') checkPrice(name, asked)
    const path = request.url.split('?', 1)[0] ?? '/'
    return {
      profile,
      name,
      path,
      url: url ?? `${host.origin}${path}`,
      description,
      mimeType,
      preview: null,
      role: await host.roleOf(profile, request),
      gate: asked && host.gateOf(profile.id, asked),
      endpoint: listing,
    }
  }

  /** Decides whether a request may pass, and what it may buy. Undefined when it needs no payment. */
  async function open(
    request: FastifyRequest,
    reply: FastifyReply,
    content: Buffer | undefined,
    isHashed: boolean,
  ): Promise<Opened | undefined> {
    const resource = await resourceOf(request, content)
    const shown = credentialsOf(request, paywall)
    const visitor = {
      ...visitorOf(request, paywall, shown),
      opening: undefined,
      mayPay: request.eep.unidentified === undefined,
      isOffered: true,
    }
    const evaluation = await paywall.evaluate(resource, visitor)
    if (evaluation.is === 'granted') {
      if (evaluation.restricted) reply.header('cache-control', 'private, no-store')
      return undefined
    }
    const describe = () => describeGate(request, reply, paywall, resource)
    if (evaluation.is === 'denied') {
      describe()
      throw evaluation.refusal
    }
    const digest = isHashed ? sha256(content ?? '', 'base64url') : null
    const bound = boundRequest(request, digest)
    const { sale } = evaluation
    const { agent, caller } = request.eep
    return {
      resource,
      describe,
      headers: headersOf(request),
      sale: {
        ...chargedAt(sale, settings.charge, bound),
        // A credential without an offer cannot name a price that depends on the request.
        ...(typeof route.price === 'function' && { roseLately: async () => true }),
      },
      facts: {
        bound,
        headerDigest: headerDigestOf(headersOf(request)),
        proven: {
          accountId: caller?.account.id ?? null,
          did: agent?.verified ? agent.did : null,
          payers: request.headers.cookie === undefined ? [] : provenPayers(request, paywall),
        },
      },
    }
  }

  /** Refuses a request without a payment. */
  async function demand(request: FastifyRequest, reply: FastifyReply, { sale, headers, resource, describe }: Opened) {
    describe()
    const isUnpayable = request.method === 'HEAD' && presentsPayment(request)
    const refusal = await paywall.demand(sale, headers, isUnpayable)
    const [purchase] = sale.purchases
    const price = purchase && `${purchase.price.amount} ${purchase.price.currency.toUpperCase()}`
    countVisit(request, paywallVisit(resource.profile, resource.path, price))
    await sendError(refusal, request, reply)
  }

  /** Reads the body before it is parsed, unless the client may not be asked to send it. */
  async function read(request: FastifyRequest, payload: RequestPayload): Promise<Buffer | 'unread' | undefined> {
    const length = contentLength(request)
    const limit = request.routeOptions.bodyLimit ?? 1_048_576
    if (length !== undefined && length > limit) throw payloadTooLarge()
    if (length === 0) return undefined
    const isSmall = length !== undefined && length <= settings.maxUnpaidBytes
    if (!presentsPayment(request) && !host.isSigned(request) && !isSmall) return 'unread'
    const content = await readContent(payload, limit)
    checkDigest(request, content)
    return content
  }

  /** Takes or reserves the payment of a request. Undefined when it was answered. */
  async function take(request: FastifyRequest, reply: FastifyReply, state: Opened): Promise<Taken | undefined> {
    const { sale, facts, headers } = state
    let rail: string | undefined
    try {
      if (presentsPayment(request)) requireSpending(request.eep)
      const presented = presentedCredential(sale, headers, paywall.rails)
      rail = presented?.rail.id
      if (presented) return await requests.take(sale, presented, headers, facts, settings)
      const owed = await requests.owed(sale, facts)
      if (owed) return owed
      await demand(request, reply, state)
    } catch (error) {
      const refusal = await requests.refuse(sale, headers, error, rail)
      state.describe()
      await sendError(refusal, request, reply)
    }
    return undefined
  }

  return {
    onRequest: (request: FastifyRequest, reply: FastifyReply) =>
      answered(request, reply, () => host.identify(request, reply)),

    preParsing: (request: FastifyRequest, reply: FastifyReply, payload: RequestPayload) =>
      answered(request, reply, async () => {
        const body = settings.digest === 'content' ? await read(request, payload) : 'unread'
        const content = body === 'unread' ? undefined : body
        if (content) request.eep.sentBody ??= content.toString()
        await host.identifyAgent(request, reply)
        const state = await open(request, reply, content, body !== 'unread')
        const next = content ? replay(content) : payload
        if (!state) return next
        opened.set(request, state)
        const mayPay = request.method !== 'HEAD' && request.eep.unidentified === undefined
        if (mayPay && (presentsPayment(request) || (await requests.owes(state.sale, state.facts)))) return next
        if (body === 'unread' && settings.digest === 'content') reply.header('connection', 'close')
        await demand(request, reply, state)
        return reply
      }),

    preHandler: (request: FastifyRequest, reply: FastifyReply) =>
      answered(request, reply, async () => {
        const state = opened.get(request)
        if (!state) return undefined
        const taken = await take(request, reply, state)
        if (!taken) return reply
        if (taken.is === 'lasting') {
          acknowledge(request, reply, paywall, taken.payment)
          reply.header('cache-control', 'private, no-store')
          return undefined
        }
        const run: Run = runs.begin(request, reply, state, taken)
        if (taken.is !== 'taken' || !taken.answer) return undefined
        return run.repeat(taken.answer)
      }),

    onSend: (request: FastifyRequest, reply: FastifyReply, payload: unknown) => runs.answer(request, reply, payload),
  }
}
