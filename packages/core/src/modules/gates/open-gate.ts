import type { FastifyReply, FastifyRequest } from 'fastify'
import { setCookie } from '../../http/cookies.ts'
import { formatOf, mediaTypeOf } from '../../http/negotiation.ts'
import { type EepError, isEepError } from '../../kernel/errors.ts'
import { railUnavailable, settlementPending } from '../../ports/payment-rail.ts'
import {
  notTakenNow,
  paymentIdentifierConflict,
  paymentRequired,
  type TakenPayment,
  validUntil,
} from '../payments/index.ts'
import { walletChainUnavailable } from '../wallets/index.ts'
import { accessForbidden, legallyRestricted } from './errors.ts'
import type { GatedResource } from './gated-resource.ts'
import { isSamePayer, type PayerHint, readPayer, writePayer } from './payer.ts'
import { refusalHtml } from './refusal-html.ts'
import { cookiePayer, credentialsOf, headerText } from './request-credentials.ts'
import type { GateService } from './service.ts'

/** What a gated route learns when the gate let it through. */
export interface Passage {
  /** The answer is not for everybody. */
  readonly restricted: boolean
  /** A payment was taken or honoured just now: the content is sent whole, never as 304. */
  readonly paid: boolean
  /** The payer whose payment or sign-in let this request through. */
  readonly payer?: PayerHint | undefined
  /** What was bought for this request alone: the patterns of a tier that is paid for each request. */
  readonly bought: readonly string[]
}

/** `X-EEP-Agent-Capabilities: x402, stripe-mpp`: the rails in the order the agent prefers. */
const preferenceOf = (header: string | undefined): string[] => header?.split(',').map((name) => name.trim()) ?? []

/** A payer that a client is to present again, and the end of what it holds: null is permanent. */
interface RememberedPayer extends Pick<TakenPayment, 'payer' | 'isProof'> {
  readonly validUntil?: Date | null | undefined
}

/** Sets the payer cookies. They last as long as the entitlement, and at least seven days. */
function setPayerCookies(
  request: FastifyRequest,
  reply: FastifyReply,
  gates: Pick<GateService, 'cookieFor'>,
  { payer: { wallet, network }, isProof, validUntil }: RememberedPayer,
): void {
  const { cookies } = request.eep
  const { seconds, proof } = gates.cookieFor({ wallet, network }, validUntil)
  setCookie(reply, cookies.names.payer, writePayer({ wallet, network }), seconds, cookies)
  if (proof && isProof) setCookie(reply, cookies.names.payerProof, proof, seconds, cookies)
}

/** Sends the payer cookies and headers that a client presents on later requests. */
export function rememberPayer(
  request: FastifyRequest,
  reply: FastifyReply,
  gates: Pick<GateService, 'cookieFor'>,
  remembered: RememberedPayer,
): void {
  const { wallet, network } = remembered.payer
  // A rail may name its payers by what no header or cookie can hold; such a payer shows its credential again.
  if (!readPayer(wallet, network)) return
  setPayerCookies(request, reply, gates, remembered)
  reply.header('x-eep-payer-wallet', wallet).header('x-eep-payer-network', network)
}

/** Until when what a payment bought opens; undefined where an earlier purchase opens it. */
export const endOfPurchase = ({ purchase, settlement }: Pick<TakenPayment, 'purchase' | 'settlement'>) =>
  purchase && settlement ? validUntil(purchase.per, settlement.settledAt) : undefined

/** Gives the client what it shows next time, and notes when the content was handed over. */
function acknowledge(request: FastifyRequest, reply: FastifyReply, gates: GateService, taken: TakenPayment) {
  reply.headers({ ...taken.headers })
  rememberPayer(request, reply, gates, { ...taken, validUntil: endOfPurchase(taken) })

  const { raw } = reply
  let ended = false
  const end = (isFinished: boolean) => () => {
    if (ended) return
    ended = true
    // What was sent instead of the content, when that failed, was not paid for.
    const isContent = raw.headersSent && raw.statusCode === 200
    taken.delivered(isContent ? (isFinished ? 'delivered' : 'broken') : 'unsent')
  }
  // A client that left while its payment was settled will not leave again.
  if (raw.destroyed) end(false)()
  else raw.once('finish', end(true)).once('close', end(false))
}

/** What {@link openGate} may refuse with. */
export const GATE_ERRORS = [
  paymentRequired,
  accessForbidden,
  legallyRestricted,
  settlementPending,
  notTakenNow,
  paymentIdentifierConflict,
  railUnavailable,
  walletChainUnavailable,
] as const

/** What else is said with a refusal: where the gate is described, and to a person, a page. */
function explain(request: FastifyRequest, reply: FastifyReply, gates: GateService, resource: GatedResource): void {
  request.eep.errorView = (refusal) => refusalHtml(refusal, resource, request.eep.site)
  reply
    .header('x-eep-gates-config', `${request.eep.basePath}${gates.configPathOf(resource.profile)}`)
    .header('eep-entity-did', gates.didOf(resource.profile))
}

/**
 * Asks the gate of a resource about the request at hand: the passage, or the 402 of who brought no payment, for the route
 * to send. Of all refusals it is the one that is given often, and throwing takes longer than making it.
 */
export async function askGate(
  request: FastifyRequest,
  reply: FastifyReply,
  gates: GateService,
  resource: GatedResource,
): Promise<Passage | EepError> {
  const { headers, method } = request
  try {
    const shown = credentialsOf(request, gates)
    const pass = await gates.open(resource, {
      ...shown,
      credentials: {
        authorization: headers.authorization,
        paymentAuthorization: headerText(headers['payment-authorization']),
        paymentSignature: headerText(headers['payment-signature']),
        acceptPayment: headerText(headers['accept-payment']),
      },
      preference: preferenceOf(headerText(headers['x-eep-agent-capabilities'])),
      // The account may hold it already, and what is bought now would not be its own.
      mayPay: method === 'GET' && request.eep.unidentified === undefined,
      mimeType: mediaTypeOf(formatOf(request)),
    })
    if (isEepError(pass)) {
      explain(request, reply, gates, resource)
      return pass
    }
    const { restricted, payment, signedIn, payerHolds } = pass
    if (payment) acknowledge(request, reply, gates, payment)
    if (signedIn) rememberPayer(request, reply, gates, { payer: signedIn, isProof: true, ...payerHolds })
    else if (payerHolds && shown.payer && isSamePayer(shown.payer, cookiePayer(request))) {
      setPayerCookies(request, reply, gates, { payer: shown.payer, isProof: true, ...payerHolds })
    }
    const isSingle = payment?.purchase?.per === 'request'
    return {
      restricted,
      paid: payment !== undefined,
      payer: payment?.payer ?? signedIn,
      bought: isSingle ? payment.purchase.access : [],
    }
  } catch (error) {
    if (isEepError(error) && (error.status === 402 || error.status === 403)) explain(request, reply, gates, resource)
    throw error
  }
}

/** Opens the gate of a resource for the request at hand, or throws the refusal; the route then sends the content. */
export async function openGate(...asked: Parameters<typeof askGate>): Promise<Passage> {
  const passage = await askGate(...asked)
  if (isEepError(passage)) throw passage
  return passage
}
