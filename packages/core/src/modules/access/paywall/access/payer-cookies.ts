import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookies, setCookie } from '../../../../http/cookies.ts'
import { type PayerHint, readPayer } from '../../../../model/payer.ts'
import type { AcceptedPayment } from '../pay/deliver.ts'
import type { Paywall } from '../service.ts'
import { isSamePayer, PAYER_COOKIE_SECONDS, PURCHASES_COOKIE_SECONDS, parsePayer, writePayer } from './visitor.ts'

/** The payer in the cookie of a request, without a check of its proof. */
export const cookiePayer = (request: FastifyRequest): PayerHint | undefined =>
  parsePayer(readCookies(request)[request.eep.cookies.names.payer])

/** The proof in the cookie of a request, which is not checked here. */
export const cookieProof = (request: FastifyRequest): string | undefined =>
  readCookies(request)[request.eep.cookies.names.payerProof]

/** How many payers a browser keeps. */
const MAX_KEPT = 5
const BETWEEN = '~'

/** A payer and its proof. */
interface KeptPayer {
  readonly payer: PayerHint
  readonly proof: string
}

/** The payers in the cookie of purchases whose proofs are valid, the latest first. */
function readPurchases(request: FastifyRequest, paywall: Pick<Paywall, 'isProven'>): readonly KeptPayer[] {
  const kept = readCookies(request)[request.eep.cookies.names.purchases]?.split(BETWEEN) ?? []
  return kept.slice(0, MAX_KEPT).flatMap((text) => {
    const [wallet, network, proof = ''] = text.split('|')
    const payer = parsePayer(`${wallet}|${network}`)
    return payer && paywall.isProven(payer, proof) ? { payer, proof } : []
  })
}

/** The payer in the cookie of a request, if the request proves that this service set it. */
function presentPayer(request: FastifyRequest, paywall: Pick<Paywall, 'isProven'>): PayerHint | undefined {
  const payer = cookiePayer(request)
  return payer && paywall.isProven(payer, cookieProof(request)) ? payer : undefined
}

/**
 * The payers that a browser proves, the latest first. Each card payment of a guest has a separate payer, and a second purchase
 * must not lose the first.
 */
export function provenPayers(request: FastifyRequest, paywall: Pick<Paywall, 'isProven'>): readonly PayerHint[] {
  const present = presentPayer(request, paywall)
  const kept = readPurchases(request, paywall).map(({ payer }) => payer)
  return present ? [present, ...kept.filter((one) => !isSamePayer(one, present))] : kept
}

/** The latest payer that a browser proves. */
export const provenPayer = (request: FastifyRequest, paywall: Pick<Paywall, 'isProven'>): PayerHint | undefined =>
  provenPayers(request, paywall)[0]

/** Sets the cookie of purchases: the latest payers of the browser, each with a new proof. */
function setPurchases(
  request: FastifyRequest,
  reply: FastifyReply,
  paywall: Pick<Paywall, 'proofFor'>,
  payers: readonly PayerHint[],
): void {
  const { cookies } = request.eep
  const value = payers
    .slice(0, MAX_KEPT)
    .map((payer) => `${writePayer(payer)}|${paywall.proofFor(payer, PURCHASES_COOKIE_SECONDS)}`)
    .join(BETWEEN)
  setCookie(reply, cookies.names.purchases, value, PURCHASES_COOKIE_SECONDS, cookies)
}

const RENEW_AFTER_SECONDS = 7 * 86_400
const endOf = (proof: string) => Number(proof.split('.')[0])

/** Sets the payer cookie, and its proof if the payer is proven. Both last seven days. */
function setPayer(
  request: FastifyRequest,
  reply: FastifyReply,
  paywall: Pick<Paywall, 'proofFor'>,
  payer: PayerHint,
  isProof: boolean,
): void {
  const { cookies } = request.eep
  setCookie(reply, cookies.names.payer, writePayer(payer), PAYER_COOKIE_SECONDS, cookies)
  if (!isProof) return
  const proof = paywall.proofFor(payer, PAYER_COOKIE_SECONDS)
  setCookie(reply, cookies.names.payerProof, proof, PAYER_COOKIE_SECONDS, cookies)
}

/**
 * Renews the cookies of a browser that read what its payers bought, so that returning readers keep access. `opener` is the payer of the
 * payer cookie, if that payer opened the resource. The cookie of purchases is renewed
 * when a proof is older than a week or a payer is missing in it.
 */
export function renewPayerCookies(
  request: FastifyRequest,
  reply: FastifyReply,
  paywall: Pick<Paywall, 'proofFor' | 'isProven'>,
  opener: PayerHint | undefined,
): void {
  // A payer that was only looked up gets no proof, which would open its receipts.
  if (opener) setPayer(request, reply, paywall, opener, isSamePayer(opener, presentPayer(request, paywall)))
  const kept = readPurchases(request, paywall)
  const isOld = ({ payer, proof }: KeptPayer) =>
    endOf(paywall.proofFor(payer, PURCHASES_COOKIE_SECONDS)) - endOf(proof) > RENEW_AFTER_SECONDS
  const payers = provenPayers(request, paywall)
  if (payers.length > kept.length || kept.some(isOld)) setPurchases(request, reply, paywall, payers)
}

/** Sets the payer cookies. The cookie of purchases keeps a proven payer as long as browsers allow. */
function setPayerCookies(
  request: FastifyRequest,
  reply: FastifyReply,
  paywall: Pick<Paywall, 'proofFor' | 'isProven'>,
  { payer: { wallet, network }, isProof }: Pick<AcceptedPayment, 'payer' | 'isProof'>,
): void {
  const payer = { wallet, network }
  setPayer(request, reply, paywall, payer, isProof)
  if (!isProof) return
  const others = provenPayers(request, paywall).filter((one) => !isSamePayer(one, payer))
  setPurchases(request, reply, paywall, [payer, ...others])
}

/** Sends the payer cookies and headers that a client presents on later requests. */
export function rememberPayer(
  request: FastifyRequest,
  reply: FastifyReply,
  paywall: Pick<Paywall, 'proofFor' | 'isProven'>,
  remembered: Pick<AcceptedPayment, 'payer' | 'isProof'>,
): void {
  const { wallet, network } = remembered.payer
  // A rail may name a payer by something that no header or cookie can hold. Such a payer presents its credential again.
  if (!readPayer(wallet, network)) return
  setPayerCookies(request, reply, paywall, remembered)
  reply.header('x-eep-payer-wallet', wallet).header('x-eep-payer-network', network)
}

/** Sets the payer cookies of a buyer whom a mailed link or the signature of a wallet identified. */
export const rememberBuyer = (
  request: FastifyRequest,
  reply: FastifyReply,
  paywall: Pick<Paywall, 'proofFor' | 'isProven'>,
  payer: PayerHint,
): void => setPayerCookies(request, reply, paywall, { payer, isProof: true })
