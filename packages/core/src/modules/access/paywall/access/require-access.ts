import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookies } from '../../../../http/cookies.ts'
import { DOCUMENT_TYPES, formatOf, mediaTypeOf, showsErrorsAsHtml } from '../../../../http/documents/negotiation.ts'
import { NO_CONTENT } from '../../../../http/documents/no-content.ts'
import { VARIES_BY_READER } from '../../../../http/documents/public-document.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { countVisit, paywallVisit } from '../../../../http/pipeline/count-visits.ts'
import { onceSent } from '../../../../http/pipeline/dispatched.ts'
import { addV1Response } from '../../../../http/pipeline/x402-v1-response.ts'
import { type EepError, isEepError } from '../../../../kernel/errors.ts'
import { botName } from '../../../../model/bot.ts'
import { type GateProof, readProofs } from '../../../../model/gate-proof.ts'
import { type PayerHint, readPayer } from '../../../../model/payer.ts'
import {
  type CredentialHeaders,
  type Purchase,
  railUnavailable,
  settlementPending,
} from '../../../../ports/payment-rail.ts'
import type { ActivePattern } from '../../../../ports/storage/entitlements.ts'
import { walletChainUnavailable } from '../../../people/wallets/index.ts'
import {
  accessForbidden,
  conflictingPriceHeaders,
  invalidCrawlerPrice,
  legallyRestricted,
  notTakenNow,
  paymentIdentifierConflict,
  paymentRequired,
} from '../errors.ts'
import { type RefusalPage, refusalHtml } from '../pages/refusal-page.ts'
import { requireSpending } from '../pay/app-spending.ts'
import { findCheckoutProcessors, NO_CHECKOUT_PROCESSORS } from '../pay/checkout-processors.ts'
import { crawlerPrice } from '../pay/crawler-price.ts'
import type { AcceptedPayment } from '../pay/deliver.ts'
import { noticeHtml, rememberPurchase, takeNotice } from '../pay/purchase-notice.ts'
import type { Paywall, RefusedAccess } from '../service.ts'
import { forgetOpening, openingOf, rememberOpening, wantsNoContent } from './opening-cookie.ts'
import {
  cookiePayer,
  cookieProof,
  provenPayer,
  provenPayers,
  rememberPayer,
  renewPayerCookies,
} from './payer-cookies.ts'
import { isAboutAccess } from './refusal-problems.ts'
import { type AskedResource, described, type GatedResource } from './resource.ts'
import { type Credentials, carriesPayment, isSamePayer, type Visitor } from './visitor.ts'

/** Access to a resource for one request. */
export interface GrantedRequest {
  readonly is: 'granted'
  /** The resource is gated. */
  readonly restricted: boolean
  /** This request presented a payment: send the whole content, never a 304. */
  readonly paid: boolean
  /** The payer whose payment or sign-in opened the resource. */
  readonly payer?: PayerHint | undefined
  /** Patterns bought for this request only, if the tier is paid per request. */
  readonly bought: readonly ActivePattern[]
}

/** The errors that a route with a gated resource declares. */
export const GATE_ERRORS = [
  paymentRequired,
  accessForbidden,
  legallyRestricted,
  settlementPending,
  notTakenNow,
  paymentIdentifierConflict,
  conflictingPriceHeaders,
  invalidCrawlerPrice,
  railUnavailable,
  walletChainUnavailable,
] as const

const ACCEPT_SIGNATURE = 'sig1=("@authority" "signature-agent");created;expires;nonce;tag="web-bot-auth"'

/** The first value of a header. */
const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value

const hasCookies = ({ headers }: FastifyRequest): boolean => headers.cookie !== undefined

/** The payer that a request names in its headers, else in its cookie, if it need not or does prove it. */
function payerOf(request: FastifyRequest, paywall: Pick<Paywall, 'acceptsPayer'>): PayerHint | undefined {
  const { headers } = request
  const named = readPayer(headerText(headers['x-eep-payer-wallet']), headerText(headers['x-eep-payer-network']))
  const [payer, proof] = hasCookies(request) ? [named ?? cookiePayer(request), cookieProof(request)] : [named]
  return payer && paywall.acceptsPayer(payer, proof) ? payer : undefined
}

/**
 * Returns the credentials of a request for a gate: its caller, agent, payer and proofs.
 *
 * @throws `invalid_proof` when its header of proofs cannot be read
 */
export function credentialsOf(
  request: FastifyRequest,
  paywall: Pick<Paywall, 'acceptsPayer' | 'isProven' | 'readerOf'>,
  proofs: readonly GateProof[] = [],
): Credentials {
  const { headers, eep } = request
  const payer = payerOf(request, paywall)
  const header = headerText(headers['x-eep-proofs']) ?? headerText(headers['x-eep-gate-proofs'])
  return {
    caller: eep.caller,
    agent: eep.agent,
    payer,
    otherPayers: hasCookies(request)
      ? provenPayers(request, paywall).filter((one) => !isSamePayer(one, payer))
      : undefined,
    signIn: headerText(headers['sign-in-with-x']),
    proofs: header === undefined ? proofs : [...readProofs(header), ...proofs],
    authorization: headers.authorization,
    reader: paywall.readerOf(request),
  }
}

/** The headers of a request that may carry a payment. */
export const paymentHeadersOf = ({ headers }: FastifyRequest): CredentialHeaders => ({
  authorization: headers.authorization,
  paymentAuthorization: headerText(headers['payment-authorization']),
  paymentSignature: headerText(headers['payment-signature']),
  xPayment: headerText(headers['x-payment']),
  acceptPayment: headerText(headers['accept-payment']),
  crawlerMaxPrice: headerText(headers['crawler-max-price']),
  crawlerExactPrice: headerText(headers['crawler-exact-price']),
})

/** Whether a request presents a payment of any rail. */
export const presentsPayment = (request: FastifyRequest): boolean => carriesPayment(paymentHeadersOf(request))

/** `X-EEP-Agent-Capabilities: x402, stripe-mpp`: rails in the order the agent prefers. */
const preferenceOf = (header: string | undefined): string[] => header?.split(',').map((name) => name.trim()) ?? []

/** Returns where the listener of a request has a URL of the service. Routes of the host are where the URL names them. */
function pathOn({ eep: { site }, routeOptions }: FastifyRequest): ((url: string) => string) | undefined {
  if (routeOptions.config.eep === undefined) return undefined
  return (url) => new URL(hrefOn(site, url), url).pathname
}

/** Returns the visitor that a request comes from. */
export function visitorOf(request: FastifyRequest, paywall: Pick<Paywall, 'readOpening'>, shown: Credentials): Visitor {
  const { headers, method, eep } = request
  return {
    ...shown,
    payerBot: eep.bot.state === 'verified' ? botName(eep.bot) : undefined,
    credentials: { ...paymentHeadersOf(request), pathOf: pathOn(request) },
    opening: presentsPayment(request) ? undefined : openingOf(request, paywall),
    preference: preferenceOf(headerText(headers['x-eep-agent-capabilities'])),
    // An account that could not be identified may already have access, and would not own a new purchase.
    mayPay: method === 'GET' && eep.unidentified === undefined,
    isOffered: method === 'GET' || method === 'HEAD',
    mimeType: mediaTypeOf(formatOf(request)),
  }
}

/** The headers with which the content of an accepted payment is sent. */
export const headersOfPayment = ({ railHeaders, response }: AcceptedPayment): Record<string, string> => ({
  ...railHeaders,
  ...(response !== undefined && { 'payment-response': response }),
})

/** Sends the headers of an accepted payment, and records whether its content was delivered. */
export function acknowledge(
  request: FastifyRequest,
  reply: FastifyReply,
  paywall: Pick<Paywall, 'proofFor' | 'isProven' | 'crawlerHeaders'>,
  payment: AcceptedPayment,
): void {
  reply.headers(headersOfPayment(payment))
  addV1Response(request, reply, payment.response)
  if (paywall.crawlerHeaders && payment.purchase) reply.header('crawler-charged', crawlerPrice(payment.purchase.price))
  rememberPayer(request, reply, paywall, payment)

  const { raw } = reply
  onceSent(request, reply, (isFinished) => {
    // When the content could not be sent, the response is an error, and the delivery stays open. A route of a host may send
    // it with any other status: a part of a file, or a redirect to it.
    const isContent = raw.headersSent && raw.statusCode < 400 && raw.statusCode !== 304
    payment.delivered(isContent ? (isFinished ? 'delivered' : 'broken') : 'unsent')
  })
}

/** Answers a payment of a browser that opens the content with its next request, and confirms the purchase there. */
function withoutContent(
  request: FastifyRequest,
  reply: FastifyReply,
  paywall: Pick<Paywall, 'proofFor' | 'isProven' | 'signNotice' | 'signOpening'>,
  payment: AcceptedPayment,
): void {
  const { purchase, receiptId } = payment
  reply.headers({
    ...headersOfPayment(payment),
    'cache-control': 'private, no-store',
    'preference-applied': 'return=minimal',
  })
  addV1Response(request, reply, payment.response)
  rememberPayer(request, reply, paywall, payment)
  rememberOpening(request, reply, paywall, payment)
  if (purchase && receiptId && purchase.per !== 'request') rememberPurchase(request, reply, paywall, receiptId)
  payment.delivered('unsent')
}

/** Makes caches keep responses by reader, and asks programs for a signature, which may change the response (RFC 9421, 5.1). */
function varyByReader(request: FastifyRequest, reply: FastifyReply): void {
  request.eep.variesByReader = true
  reply.header('vary', `Accept, ${VARIES_BY_READER}`).header('accept-signature', ACCEPT_SIGNATURE)
}

/** Gates may name many audiences. Responses of gates that name more than these are not cached, as there may be one for each combination. */
const MAX_CACHED_AUDIENCES = 8

/**
 * Lets the response be cached for anonymous readers who belong to the same ones of the audiences that the gate names. A signed request
 * always reaches the gate, because its signature may be used up, and its signer is recorded.
 */
async function cacheByAudience(
  request: FastifyRequest,
  paywall: Pick<Paywall, 'readerOf'>,
  names: readonly string[],
  license: string | undefined,
): Promise<void> {
  if (names.length > MAX_CACHED_AUDIENCES || !request.eep.cacheResponse) return
  const variantOf = async (again: FastifyRequest): Promise<string | undefined> => {
    if (again.eep.botCheck) return undefined
    const audiences = await paywall.readerOf(again).audiences()
    return names.map((name) => Number(audiences.has(name))).join('')
  }
  const key = await variantOf(request)
  if (key === undefined) return
  const prepare = (again: FastifyRequest, answer: FastifyReply) => {
    varyByReader(again, answer)
    addLicense(answer, license)
  }
  request.eep.readerVariant = { key, of: variantOf, prepare }
}

/** Adds the address of the gate and an HTML page to a refusal. */
export function describeGate(
  request: FastifyRequest,
  reply: FastifyReply,
  paywall: Pick<Paywall, 'configPathOf' | 'didOf'>,
  resource: GatedResource,
  {
    checkoutProcessors = NO_CHECKOUT_PROCESSORS,
    portrait,
  }: Partial<Pick<RefusalPage, 'checkoutProcessors' | 'portrait'>> = {},
): void {
  const did = paywall.didOf(resource.profile)
  request.eep.errorView = (error) =>
    isAboutAccess(error)
      ? refusalHtml(error, { resource, did, checkoutProcessors, portrait }, request.eep.site)
      : undefined
  reply
    .header('x-eep-gates-config', `${request.eep.basePath}${paywall.configPathOf(resource)}`)
    .header('eep-entity-did', did)
}

/** Links the terms for crawlers (RSL 1.0). */
function addLicense(reply: FastifyReply, url: string | undefined): void {
  if (url !== undefined) reply.header('link', `<${url}>; rel="license"; type="application/rsl+xml"`)
}

/** Counts a payment that a request presents. */
const countCheckout = (request: FastifyRequest, { profile }: AskedResource) =>
  countVisit(request, { kind: 'checkout', profileId: profile.id }, profile)

/** Whether the response is a page that a person reads. */
const isForPeople = (request: FastifyRequest) =>
  request.routeOptions.config.eep?.produces === DOCUMENT_TYPES && formatOf(request) === 'html'

/** Whether a refusal is a page of this service, for whose resource people can open a checkout. */
const sellsToPeople = (request: FastifyRequest) =>
  request.routeOptions.config.eep !== undefined && showsErrorsAsHtml(request)

/** Adds the confirmation of a purchase to the page: of this request, or of the latest one of the browser. */
async function confirm(
  request: FastifyRequest,
  reply: FastifyReply,
  paywall: Pick<Paywall, 'receiptOf' | 'readNotice' | 'isProven'>,
  asked: AskedResource,
  payment: AcceptedPayment | undefined,
): Promise<void> {
  const { cookies, caller } = request.eep
  const { settlement, purchase, receiptId } = payment ?? {}
  if (settlement && purchase && receiptId) {
    const { per } = purchase
    const isProven = caller !== undefined || payment?.isProof === true
    const bought = { receiptId, per, ...settlement, isProven }
    request.eep.notice = noticeHtml(request, await described(asked), bought)
    return
  }
  if (request.headers.cookie === undefined || !readCookies(request)[cookies.names.purchase]) return
  const isGuest = provenPayer(request, paywall) !== undefined
  const shown = { resource: await described(asked), accountId: caller?.account.id, isGuest }
  request.eep.notice = await takeNotice(request, reply, paywall, shown)
}

/** The patterns of a purchase for one request. */
function singlePurchase(purchase: Purchase | undefined): readonly ActivePattern[] {
  if (purchase?.per !== 'request') return []
  const { access, audience = null } = purchase
  return access.map((resourcePattern) => ({ resourcePattern, validUntil: null, audience }))
}

const describesGate = ({ status }: EepError) => status === 402 || status === 403

/**
 * Asks the paywall for access to a resource on behalf of a request. The route sends the content when access is granted, and
 * `refusal` otherwise: `return reply.send(access.refusal)`. A refusal is returned because most requests for sold content get
 * one, and an exception through many callers costs more than the rest of the response.
 *
 * @throws `settlement_pending`, `proof_replayed` and other errors that are not a decision of the gate; `NO_CONTENT` when the
 * request pays and prefers no content: the next request of the browser gets it, by a cookie
 */
export async function requireAccess(
  request: FastifyRequest,
  reply: FastifyReply,
  paywall: Paywall,
  asked: AskedResource,
): Promise<GrantedRequest | RefusedAccess> {
  try {
    if (presentsPayment(request)) requireSpending(request.eep)
    const shown = credentialsOf(request, paywall)
    const access = await paywall.open(asked, visitorOf(request, paywall, shown))
    const { audiences } = access
    const license = access.is !== 'granted' || access.restricted ? await paywall.listings.licenseOf(asked) : undefined
    addLicense(reply, license)
    if (audiences) {
      varyByReader(request, reply)
      const isSame = access.is === 'granted' ? access.byAudienceAlone : access.repeat !== undefined
      if (isSame) await cacheByAudience(request, paywall, audiences, license)
    }
    if (access.is !== 'granted') {
      const resource = await described(asked)
      const { is, refusal, repeat, price, purchases = [] } = access
      const ofPage = sellsToPeople(request)
        ? {
            checkoutProcessors: await findCheckoutProcessors(paywall, purchases),
            portrait: await paywall.portraitOf(resource.profile),
          }
        : {}
      if (describesGate(refusal)) describeGate(request, reply, paywall, resource, ofPage)
      const visit =
        refusal.status === 402
          ? paywallVisit(resource.profile, resource.path, price && `${price.amount} ${price.currency.toUpperCase()}`)
          : undefined
      if (visit) countVisit(request, visit)
      if (visit && presentsPayment(request)) countCheckout(request, asked)
      if (repeat && (!audiences || request.eep.readerVariant)) {
        const { profile } = resource
        request.eep.cacheResponse?.({
          dependsOn: { profileId: profile.id, accountId: profile.ownerAccountId },
          until: repeat.until,
          visit,
          send(again, answer) {
            describeGate(again, answer, paywall, resource, ofPage)
            addLicense(answer, license)
            return answer.send(repeat.make(pathOn(again)))
          },
        })
      }
      return { is, refusal }
    }
    const { restricted, payment, signedIn, payerHolds } = access
    if (payment && presentsPayment(request)) countCheckout(request, asked)
    if (payment && presentsPayment(request) && wantsNoContent(request) && request.routeOptions.config.eep) {
      withoutContent(request, reply, paywall, payment)
      throw NO_CONTENT
    }
    if (payment) acknowledge(request, reply, paywall, payment)
    if (restricted && !presentsPayment(request) && openingOf(request, paywall)) forgetOpening(request, reply)
    if (isForPeople(request)) await confirm(request, reply, paywall, asked, payment)
    if (signedIn) rememberPayer(request, reply, paywall, { payer: signedIn, isProof: true })
    else if (restricted && !payment && hasCookies(request)) {
      const named = cookiePayer(request)
      const isOpener = payerHolds && named && isSamePayer(named, shown.payer)
      renewPayerCookies(request, reply, paywall, isOpener ? named : undefined)
    }
    return {
      is: 'granted',
      restricted,
      paid: payment !== undefined,
      payer: payment?.payer ?? signedIn,
      bought: singlePurchase(payment?.purchase),
    }
  } catch (error) {
    if (isEepError(error) && describesGate(error)) describeGate(request, reply, paywall, await described(asked))
    throw error
  }
}
