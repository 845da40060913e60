import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookies, setCookie } from '../../http/cookies.ts'
import { type PayerHint, readPayer } from '../../model/payer.ts'
import type { AcceptedPayment } from './deliver.ts'
import type { Paywall } from './service.ts'
import { isSamePayer, MAX_COOKIE_SECONDS, parsePayer, writePayer } from './visitor.ts'

/** The payer in the cookie of a request, without a check of its proof. */
export const cookiePayer = (request: FastifyRequest): PayerHint | undefined =>
  parsePayer(readCookies(request)[request.eep.cookies.names.payer])

/** The proof in the cookie of a request, which is not checked here. */
export const cookieProof = (request: FastifyRequest): string | undefined =>
  readCookies(request)[request.eep.cookies.names.payerProof]

/** The payer in the cookie of a request, if the request proves that this service set it. */
export function provenPayer(request: FastifyRequest, paywall: Pick<Paywall, 'isProven'>): PayerHint | undefined {
  const { names } = request.eep.cookies
  const jar = readCookies(request)
  const payer = parsePayer(jar[names.payer])
  return payer && paywall.isProven(payer, jar[names.payerProof]) ? payer : undefined
}

/** How many earlier payers a browser keeps. */
const MAX_EARLIER = 8
const BETWEEN = '~'

/** A payer and the proof that was set with its cookie. */
interface KeptPayer {
  readonly payer: PayerHint
  readonly proof: string
}

/** The earlier payers in the cookie of a request whose proofs are valid, the latest first. */
function keptPayers(request: FastifyRequest, paywall: Pick<Paywall, 'isProven'>): readonly KeptPayer[] {
  const kept = readCookies(request)[request.eep.cookies.names.earlierPayers]?.split(BETWEEN) ?? []
  return kept.slice(0, MAX_EARLIER).flatMap((text) => {
    const [wallet, network, proof = ''] = text.split('|')
    const payer = parsePayer(`${wallet}|${network}`)
    return payer && paywall.isProven(payer, proof) ? { payer, proof } : []
  })
}

/**
 * The payers that a browser proved before its present one. Each card payment of a guest has a separate payer, and a second
 * purchase must not lose the first.
 */
export const earlierPayers = (request: FastifyRequest, paywall: Pick<Paywall, 'isProven'>): readonly PayerHint[] =>
  keptPayers(request, paywall).map(({ payer }) => payer)

/** Sets the cookie of earlier payers, each with a new proof. */
function setEarlierPayers(
  request: FastifyRequest,
  reply: FastifyReply,
  paywall: Pick<Paywall, 'cookieFor'>,
  payers: readonly PayerHint[],
): void {
  const { cookies } = request.eep
  const kept = payers.slice(0, MAX_EARLIER)
  const value = kept.map((payer) => `${writePayer(payer)}|${paywall.cookieFor(payer, null).proof}`).join(BETWEEN)
  setCookie(reply, cookies.names.earlierPayers, value, MAX_COOKIE_SECONDS, cookies)
}

/** Keeps the present payer of a browser, before another one takes its place. */
function keepPresentPayer(
  request: FastifyRequest,
  reply: FastifyReply,
  paywall: Pick<Paywall, 'cookieFor' | 'isProven'>,
  next: PayerHint,
): void {
  const payer = provenPayer(request, paywall)
  if (!payer || isSamePayer(payer, next)) return
  const others = earlierPayers(request, paywall).filter((one) => !isSamePayer(one, payer) && !isSamePayer(one, next))
  setEarlierPayers(request, reply, paywall, [payer, ...others])
}

const RENEW_AFTER_SECONDS = 7 * 86_400
const endOf = (proof: string) => Number(proof.split('.')[0])

/** Renews the proofs of earlier payers when one is older than a week, so that returning readers keep access. */
export function renewEarlierPayers(
  request: FastifyRequest,
  reply: FastifyReply,
  paywall: Pick<Paywall, 'cookieFor' | 'isProven'>,
): void {
  const kept = keptPayers(request, paywall)
  const isOld = ({ payer, proof }: KeptPayer) =>
    endOf(paywall.cookieFor(payer, null).proof) - endOf(proof) > RENEW_AFTER_SECONDS
  if (kept.some(isOld)) {
    setEarlierPayers(
      request,
      reply,
      paywall,
      kept.map(({ payer }) => payer),
    )
  }
}

/** A payer that a client presents again, and the end of what it holds: null is permanent. */
interface RememberedPayer extends Pick<AcceptedPayment, 'payer' | 'isProof'> {
  readonly validUntil?: Date | null | undefined
}

/** Sets the payer cookies. They last as long as the entitlement, and at least seven days. */
export function setPayerCookies(
  request: FastifyRequest,
  reply: FastifyReply,
  paywall: Pick<Paywall, 'cookieFor' | 'isProven'>,
  { payer: { wallet, network }, isProof, validUntil }: RememberedPayer,
): void {
  const { cookies } = request.eep
  keepPresentPayer(request, reply, paywall, { wallet, network })
  const { seconds, proof } = paywall.cookieFor({ wallet, network }, validUntil)
  setCookie(reply, cookies.names.payer, writePayer({ wallet, network }), seconds, cookies)
  if (isProof) setCookie(reply, cookies.names.payerProof, proof, seconds, cookies)
}

/** Sends the payer cookies and headers that a client presents on later requests. */
export function rememberPayer(
  request: FastifyRequest,
  reply: FastifyReply,
  paywall: Pick<Paywall, 'cookieFor' | 'isProven'>,
  remembered: RememberedPayer,
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
  paywall: Pick<Paywall, 'cookieFor' | 'isProven'>,
  { payer, validUntil }: Pick<RememberedPayer, 'validUntil'> & { readonly payer: PayerHint },
): void => setPayerCookies(request, reply, paywall, { payer: { ...payer }, isProof: true, validUntil })
