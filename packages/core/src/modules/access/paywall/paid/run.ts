import type { FastifyReply, FastifyRequest } from 'fastify'
import { onceSent } from '../../../../http/pipeline/dispatched.ts'
import { addV1Response } from '../../../../http/pipeline/x402-v1-response.ts'
import { isEepError } from '../../../../kernel/errors.ts'
import type { CredentialHeaders } from '../../../../ports/payment-rail.ts'
import type { RequestOutcome } from '../../../../ports/storage/paid-requests.ts'
import type { Payment } from '../../../../ports/storage/payments.ts'
import { rememberPayer } from '../access/payer-cookies.ts'
import { headersOfPayment } from '../access/require-access.ts'
import { crawlerPrice } from '../pay/crawler-price.ts'
import type { AcceptedPayment } from '../pay/deliver.ts'
import type { Sale } from '../pay/sale.ts'
import { encodeResponse } from '../pay/x402.ts'
import { answerBytes } from './content.ts'
import type { KeptAnswer } from './kept-answer.ts'
import { answerTooLarge, type ChargeSettings, handlerTimedOut } from './options.ts'
import type { PaidRequests } from './paid-requests.ts'
import { boundText, type RequestFacts } from './request-facts.ts'
import type { PaidRouteHost } from './route-host.ts'
import type { Taken } from './take-payment.ts'

export interface RunDeps {
  readonly host: Pick<PaidRouteHost, 'paywall' | 'sendError'>
  readonly requests: PaidRequests
  readonly settings: ChargeSettings
}

/** A paid request whose handler runs, or whose kept answer is sent. */
export interface Run {
  /** Sends an answer that was kept. */
  repeat(answer: KeptAnswer): FastifyReply
}

/** A request and what it buys. */
interface Asked {
  readonly sale: Sale
  readonly facts: RequestFacts
  readonly headers: CredentialHeaders
  /** Adds the address of the gate to a refusal. */
  readonly describe: () => void
}

type Paid = Exclude<Taken, { readonly is: 'lasting' }>

interface Running extends Asked {
  readonly taken: Paid
  readonly id: string
  /** The names of the headers that were set before the handler ran. */
  readonly ownHeaders: ReadonlyMap<string, unknown>
  readonly timeout: NodeJS.Timeout
  phase: 'running' | 'repeating' | 'answered'
  /** Whether an answer was written whole. */
  isFinished: boolean
  stop(): void
}

/** Headers that belong to one response and are not kept with an answer. */
const OF_RESPONSE = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'set-cookie'])
const OF_PAYMENT = /^(payment-|x-payment|crawler-)/

/** The status of an answer. Fastify sets that of a fetch `Response` only after this hook. */
const statusOf = ({ statusCode }: FastifyReply, payload: unknown): number =>
  Object.prototype.toString.call(payload) === '[object Response]' ? (payload as Response).status : statusCode

/** Runs the handlers of paid requests: charges after them, keeps their answers, and records how they were delivered. */
export function createRuns({ host, requests, settings }: RunDeps) {
  const { paywall, sendError } = host
  const running = new WeakMap<FastifyRequest, Running>()

  /** How an answer with a status was delivered. */
  function outcomeOf(status: number, isSent: boolean): RequestOutcome {
    if (settings.sold(status)) return isSent ? 'delivered' : 'broken'
    return status >= 500 ? 'failed' : 'rejected'
  }

  /**
   * Records once how an answer was delivered. The sent response decides, because an answer may become an error after the hooks: a stream can
   * fail before its first byte.
   */
  function watch(request: FastifyRequest, reply: FastifyReply, { id }: Running, status: number): void {
    const { raw } = reply
    onceSent(request, reply, (isFinished) =>
      requests.end(id, outcomeOf(raw.headersSent ? raw.statusCode : status, isFinished && raw.headersSent)),
    )
  }

  /** Takes back what an answer that is not sent said of its delivery. */
  function retract(reply: FastifyReply, { taken }: Running): void {
    if (taken.is !== 'taken' || settings.sold(reply.statusCode)) return
    for (const name of ['crawler-charged', ...Object.keys(taken.payment.railHeaders ?? {})]) {
      reply.removeHeader(name)
      reply.raw.removeHeader(name)
    }
  }

  /** Sets the headers with which a paid answer is sent. */
  function acknowledge(request: FastifyRequest, reply: FastifyReply, payment: AcceptedPayment, isSold: boolean): void {
    const headers = headersOfPayment(payment)
    // A receipt is for what was delivered.
    const { 'payment-response': response = '' } = headers
    reply.headers(isSold ? headers : { 'payment-response': response })
    addV1Response(request, reply, payment.response)
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-store')
    if (!isSold) return
    if (paywall.crawlerHeaders && payment.purchase)
      reply.header('crawler-charged', crawlerPrice(payment.purchase.price))
    rememberPayer(request, reply, paywall, payment)
  }

  /** Writes an error in place of an answer that must not be released, without any header of the handler. */
  async function withhold(
    request: FastifyRequest,
    reply: FastifyReply,
    error: unknown,
    { ownHeaders, describe }: Pick<Running, 'ownHeaders' | 'describe'>,
  ) {
    for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name)
    for (const [name, value] of ownHeaders) reply.header(name, value)
    if (isEepError(error) && error.status === 402) describe()
    let text = ''
    // The answer is being sent already, so the body is taken from the error handler instead of sending it.
    const writer: FastifyReply = Object.create(reply, {
      send: {
        value: (body: unknown) => {
          text = String(body)
          return writer
        },
      },
    })
    // A reply is a promise of its end, which comes only after this hook.
    Reflect.defineProperty(writer, 'then', { value: undefined })
    await sendError(error, request, writer)
    return text
  }

  /** The answer of a handler, as it is kept. */
  const kept = (reply: FastifyReply, body: Buffer): KeptAnswer => ({
    status: reply.statusCode,
    headers: Object.fromEntries(
      Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
        value === undefined || OF_RESPONSE.has(name) || OF_PAYMENT.test(name) ? [] : [[name, value]],
      ),
    ),
    body,
  })

  /** Sets the headers that describe a payment that was not taken. */
  function notTaken(reply: FastifyReply, { payer }: Payment, reason: string): void {
    const { wallet, network } = payer
    const response = { success: false, errorReason: reason, transaction: '', network, payer: wallet }
    reply.header('payment-response', encodeResponse(response))
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-store')
  }

  /** Charges for an answer that was sold, and releases it only then. */
  async function chargeAfter(
    request: FastifyRequest,
    reply: FastifyReply,
    run: Running,
    payload: unknown,
    payment: Payment,
  ): Promise<unknown> {
    const status = statusOf(reply, payload)
    if (!settings.sold(status)) {
      const reason = status >= 500 ? 'handler_failed' : 'not_used'
      await requests.release(payment, reason)
      notTaken(reply, payment, reason)
      return payload
    }
    const body = answerBytes(payload)
    if (body === undefined || body.length > settings.maxAnswerBytes) {
      await requests.release(payment, 'handler_failed')
      if (
        typeof payload === 'object' &&
        payload !== null &&
        'destroy' in payload &&
        typeof payload.destroy === 'function'
      )
        payload.destroy()
      const text = await withhold(request, reply, answerTooLarge(), run)
      notTaken(reply, payment, 'handler_failed')
      return text
    }
    try {
      const bound = boundText(run.facts.bound)
      const accepted = await requests.chargeAfter(run.sale, payment, bound, kept(reply, body))
      acknowledge(request, reply, accepted, true)
      watch(request, reply, run, status)
      return payload
    } catch (error) {
      const refusal = await requests.refuse(run.sale, run.headers, error, payment.rail).catch((other: unknown) => other)
      return withhold(request, reply, refusal, run)
    }
  }

  /** Ends a request whose answer was written past the hooks of the route: by a hijacked reply, or as what was not found. */
  function bypassed({ raw }: FastifyReply, run: Running): void {
    run.phase = 'answered'
    run.stop()
    const outcome = outcomeOf(raw.statusCode, run.isFinished)
    if (run.taken.is === 'taken') requests.end(run.id, outcome)
    else void requests.release(run.taken.payment, outcome === 'failed' ? 'handler_failed' : 'not_used')
  }

  return {
    /** Begins to answer a request that is paid or reserved. */
    begin(request: FastifyRequest, reply: FastifyReply, asked: Asked, taken: Paid): Run {
      const id = taken.is === 'taken' ? taken.id : taken.payment.id
      request.eep.payment = { id }
      const isLasting = taken.is === 'taken' && taken.answer !== undefined
      const { raw } = reply
      const timeout = setTimeout(() => {
        if (run.phase !== 'running') return
        if (!reply.sent) Promise.resolve(sendError(handlerTimedOut(), request, reply)).catch(() => raw.destroy())
        else if (raw.destroyed) bypassed(reply, run)
      }, settings.handlerTimeoutMs)
      const extending = setInterval(() => requests.extend(id), requests.extendEveryMs)
      extending.unref()
      const stop = () => {
        clearTimeout(timeout)
        clearInterval(extending)
      }
      const run: Running = {
        ...asked,
        taken,
        id,
        ownHeaders: new Map(Object.entries(reply.getHeaders())),
        timeout,
        phase: isLasting ? 'repeating' : 'running',
        isFinished: false,
        stop,
      }
      running.set(request, run)
      raw.once('finish', () => {
        run.isFinished = true
      })
      raw.once('close', () => {
        if (run.phase !== 'answered' && reply.sent) bypassed(reply, run)
      })
      if (taken.is === 'reserved') {
        // An answer written past Fastify would be released before it is paid.
        reply.hijack = () => {
          throw new TypeError('A route that charges after its answer must send it with reply.send')
        }
      }
      return {
        repeat(answer) {
          const { status, headers: before, body } = answer
          reply.code(status)
          for (const [name, value] of Object.entries(before)) reply.header(name, value)
          return reply.send(body)
        },
      }
    },

    /** Is called with each answer of a paid route before it is sent, and returns what is sent. */
    async answer(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
      const run = running.get(request)
      if (!run) return payload
      if (run.phase === 'answered') {
        retract(reply, run)
        return payload
      }
      const isRepeat = run.phase === 'repeating'
      run.phase = 'answered'
      clearTimeout(run.timeout)
      // A client that hangs up does not end the work, so the lease lasts until the answer is sent or lost.
      onceSent(request, reply, run.stop)
      const { taken, id } = run
      if (taken.is === 'reserved') {
        return chargeAfter(request, reply, run, payload, taken.payment)
      }
      const status = statusOf(reply, payload)
      const isSold = settings.sold(status)
      const keepsAnswer = settings.keepAnswer ?? request.method !== 'GET'
      const body = isSold && keepsAnswer && !isRepeat ? answerBytes(payload) : undefined
      if (body && body.length <= settings.maxAnswerBytes) {
        await requests.keep(id, boundText(run.facts.bound), kept(reply, body))
      }
      acknowledge(request, reply, taken.payment, isSold)
      watch(request, reply, run, status)
      return payload
    },
  }
}
