import { type EepRoutes, routeConfig } from '../../../../http/routes.ts'
import { notFound } from '../../../../kernel/errors.ts'
import type { Keyring } from '../../../../kernel/keyring.ts'
import { pathBelow } from '../../../../kernel/public-url.ts'
import { railUnavailable, settlementPending } from '../../../../ports/payment-rail.ts'
import { profileMoved } from '../../../profiles/profiles/index.ts'
import { serializeEntitlement } from '../../receipts/index.ts'
import { rememberPayer } from '../access/payer-cookies.ts'
import { headersOfPayment } from '../access/require-access.ts'
import {
  accessForbidden,
  nothingToPay,
  notSoldThere,
  notTakenNow,
  paymentIdentifierConflict,
  paymentRequired,
  priceMismatch,
  resourceNotNamed,
  x402NotConfigured,
} from '../errors.ts'
import { purchaseAt, signPrice } from '../pay/host-price-gate.ts'
import { createPurchaseResolver, type PurchaseCoordinates, type ResolvePurchaseDeps } from '../pay/resolve-purchase.ts'
import { paymentResourceUrl } from '../pay/x402.ts'
import {
  challengeBody,
  offersBody,
  offersSchema,
  priceChallengeSchema,
  settledPaymentSchema,
  settlePaymentBody,
} from './schemas.ts'

export interface X402RouteOptions {
  readonly publicUrl: string
  readonly serviceDid: string
  readonly keyring: Pick<Keyring, 'sign'>
  readonly clock: () => Date
}

const shared = { auth: 'none', tag: 'payments', transitional: true } as const
const RAIL = 'x402'

/** x402 payments without requesting the page. */
export function x402Routes(
  app: EepRoutes,
  services: ResolvePurchaseDeps,
  { publicUrl, serviceDid, keyring, clock }: X402RouteOptions,
): void {
  const { paywall } = services
  const { forSale, forPayment } = createPurchaseResolver(services)

  /** Throws `x402_not_configured` where no rail speaks x402. */
  function requireX402(): void {
    if (!paywall.rails.some(({ id, info }) => (info?.protocol ?? id) === RAIL)) throw x402NotConfigured()
  }

  /** The page that a payment names, if it is a page of this service. The name is not signed, so the terms are compared with the sale. */
  function coordinatesIn(paymentSignature: string): PurchaseCoordinates {
    const text = paymentResourceUrl(paymentSignature)
    const resource = text === undefined ? undefined : pathBelow(publicUrl, text)?.replace(/[?#].*$/, '')
    const [, prefix, username] = resource?.split('/') ?? []
    if (!resource || !prefix || !username) throw resourceNotNamed()
    return { did: `${serviceDid}:${prefix}:${username}`, resource }
  }

  app.post(
    '/eep/payment/x402/payment-required',
    {
      config: routeConfig({
        ...shared,
        operationId: 'getPaymentOffers',
        summary: 'Get the offers of the 402 for a page; prefer requesting the page',
        errors: [notFound, profileMoved, nothingToPay, notSoldThere, accessForbidden, x402NotConfigured],
      }),
      schema: { body: offersBody, response: { 200: offersSchema } },
    },
    async (request, reply) => {
      requireX402()
      const { decoded, encoded } = await paywall.offers(await forSale(request, request.body, RAIL))
      if (decoded.accepts.length === 0) throw notSoldThere()
      reply.header('cache-control', 'no-store')
      return { payment_required_b64: encoded, decoded_payment_required: { ...decoded, accepts: [...decoded.accepts] } }
    },
  )

  app.post(
    '/eep/payment/x402/settle',
    {
      config: routeConfig({
        ...shared,
        scope: 'read:content',
        operationId: 'payForResource',
        summary: 'Settle a payment for an offer of this service',
        errors: [
          notFound,
          profileMoved,
          resourceNotNamed,
          nothingToPay,
          notSoldThere,
          paymentRequired,
          accessForbidden,
          paymentIdentifierConflict,
          settlementPending,
          notTakenNow,
          railUnavailable,
          x402NotConfigured,
        ],
      }),
      schema: { body: settlePaymentBody, response: { 200: settledPaymentSchema } },
    },
    async (request, reply) => {
      requireX402()
      const { payment_signature: paymentSignature, did, resource, tier, link_key } = request.body
      const named = did !== undefined && resource !== undefined ? { did, resource } : coordinatesIn(paymentSignature)
      const sale = await forPayment(request, { ...named, tier, link_key }, RAIL, { paymentSignature })
      const result = await paywall.processPayment(sale, { paymentSignature })
      if (result.is !== 'accepted') throw result.refusal
      const { payment } = result
      const [purchase] = sale.purchases
      const held = purchase && (await paywall.findEntitlement(purchase, payment.payer))
      // A purchase for one request is delivered later, with the same payment.
      payment.delivered(held === undefined ? 'unsent' : 'delivered')
      reply.headers({ ...headersOfPayment(payment), 'cache-control': 'private, no-store' })
      rememberPayer(request, reply, paywall, payment)
      const { settlement, receiptId, payer } = payment
      return {
        success: true as const,
        transaction: settlement?.transaction ?? settlement?.reference ?? '',
        network: settlement?.network ?? payer.network,
        payer: payer.wallet,
        receipt_id: receiptId ?? held?.receiptId ?? null,
        entitlement: held ? serializeEntitlement({ ...held, suspendedAt: null, revokedAt: null }) : null,
      }
    },
  )

  app.post(
    '/eep/payment/challenge',
    {
      config: routeConfig({
        ...shared,
        operationId: 'createPaymentChallenge',
        summary: 'Get a signed price for a page or for everything below a wildcard, valid for a few minutes',
        errors: [notFound, profileMoved, nothingToPay, notSoldThere, priceMismatch, accessForbidden],
      }),
      schema: { body: challengeBody, response: { 201: priceChallengeSchema } },
    },
    async (request, reply) => {
      const { pay_to_did: did, resource, link_key, amount, currency } = request.body
      const sale = await forSale(request, { did, resource, link_key, wildcards: true }, RAIL)
      const purchase = purchaseAt(sale, amount, currency)
      reply.code(201).header('cache-control', 'no-store')
      return signPrice(purchase, { issuer: serviceDid, now: clock(), keyring })
    },
  )
}
