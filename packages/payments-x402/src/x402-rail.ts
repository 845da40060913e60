import type { Credential, Purchase } from '@eep/core/ports'
import { definePaymentRail, paymentRefused, paymentUnknown, x402PaymentIn } from '@eep/core/ports'
import { contextFor, type FurtherAsset, pricesOf, resolveAcceptedAssets, type X402Asset } from './accepted-assets.ts'
import { catalogueNoticeIn } from './extension-responses.ts'
import type { Facilitator } from './facilitator.ts'
import { inspectPayment } from './inspect.ts'
import { acceptEntry, isForPurchase, limitsOf, termsOf } from './offer.ts'
import { type AcceptedOffer, readPayment } from './payment-payload.ts'
import type { Proof } from './proof.ts'
import { readCheckpoint, toCredential } from './proof.ts'
import { reasons } from './reasons.ts'
import { redactError } from './redact-error.ts'
import { recoverPayment, type SettlementContext, settlePayment, toSettlement } from './settlement.ts'
import { verifyPayment } from './verify.ts'
import { verifyRefund } from './verify-refund.ts'
import { v1Contexts, v1Entries } from './version-1.ts'

/** Options of {@link x402Rail}. */
export interface X402RailOptions extends X402Asset {
  /** Submits payments to the chain: `localFacilitator`, `remoteFacilitator`, or a client of the official library. */
  readonly facilitator: Facilitator
  /** Further networks and tokens, each a separate entry of `accepts[]`, after the first. */
  readonly also?: readonly FurtherAsset[] | undefined
  /** The validity of a payment in seconds. Default and minimum: 120, to allow for clock differences. */
  readonly maxTimeoutSeconds?: number | undefined
  /** The time in milliseconds that `settle` waits for the facilitator. Default: 20,000. */
  readonly settleTimeoutMs?: number | undefined
  /**
   * Whether contract wallets (EIP-1271, EIP-7702) can pay. The sender of a payment pays for running their code; see
   * `contractPayers` of `localFacilitator`. Default: true.
   */
  readonly contractPayers?: boolean | undefined
  /**
   * Whether clients of x402 version 1 can buy too, on the networks that this version has a name for, in the first token of each.
   * They read the offers in the JSON body of a 402 and send `X-PAYMENT`. Default: true.
   */
  readonly v1?: boolean | undefined
  /** The name of the rail, unique within a service. Default: `x402`. */
  readonly id?: string | undefined
  readonly now?: (() => Date) | undefined
}

/** Clients of x402 version 1 repeat GET requests only. */
const takesV1 = ({ bound }: Purchase): boolean => bound === undefined || bound.method === 'GET'

/** Readiness probes are frequent, and chains and facilitators limit requests. */
const RECHECK_MS = 30_000

/**
 * Accepts stablecoins: the exact scheme of x402, versions 2 and 1, on EVM chains, paid by EIP-3009 authorizations.
 *
 * With `rpcUrl` or `client`, every outcome is read from the chain. Otherwise the facilitator is trusted, and only an
 * unknown outcome is looked up on the chain, at `recoveryRpcUrl` or the public endpoint of a known network.
 *
 * @throws Error that names an invalid option
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/stablecoins.md
 * @example
 * const rail = x402Rail({ network: 'base', payTo, facilitator: remoteFacilitator({ url }) })
 * await app.register(eep, { ...options, payments: { rails: [rail] } })
 */
export function x402Rail(options: X402RailOptions) {
  const { maxTimeoutSeconds = 120, settleTimeoutMs = 20_000, id = 'x402', now = () => new Date() } = options
  if (!Number.isInteger(maxTimeoutSeconds) || maxTimeoutSeconds < 120 || maxTimeoutSeconds > 86_400) {
    throw new Error('x402: maxTimeoutSeconds must be a whole number from 120 to 86400')
  }
  const { contractPayers: acceptsContracts = true } = options
  const contexts = resolveAcceptedAssets(options, { maxTimeoutSeconds, settleTimeoutMs, now, acceptsContracts })
  const forV1 = options.v1 === false ? [] : v1Contexts(contexts)
  const v1AssetOf = (network: string) =>
    forV1.find(({ accepted }) => accepted.network === network)?.accepted.asset.address
  let checkedAt = Number.NEGATIVE_INFINITY

  /** Returns the facilitator of a claimed payment, even if its token is no longer offered. */
  function contextOf({ proof }: Credential<Proof>): SettlementContext {
    const context = contextFor(contexts, proof.accepted)
    if (context) return context
    const { network, asset } = proof.accepted
    throw paymentUnknown({ cause: new Error(`x402: ${asset} on ${network} is no longer configured`) })
  }

  return definePaymentRail<Proof>({
    id,
    info: {
      protocol: 'x402',
      accepts: contexts.map(({ accepted: { network, asset } }) => ({
        network,
        asset: asset.address,
        currencies: Object.keys(asset.currencies),
        limits: limitsOf(asset),
      })),
      facilitatorUrl: options.facilitator.url,
      v1Networks: forV1.map(({ accepted }) => accepted.network),
    },

    async offer(purchase) {
      const [first, ...others] = pricesOf(contexts, purchase).map((priced) =>
        acceptEntry(priced.accepted, priced, purchase),
      )
      return (
        first && { accept: first, alternatives: others, v1: takesV1(purchase) ? await v1Entries(forV1, purchase) : [] }
      )
    },

    read(headers) {
      const header = x402PaymentIn(headers)
      if (header === undefined) return undefined
      const isOurs = (accepted: AcceptedOffer) => contextFor(contexts, accepted) !== undefined
      const payment = readPayment(header, isOurs, forV1.length > 0 ? v1AssetOf : undefined)
      if (payment === 'invalid') throw paymentRefused(reasons.invalidPayload)
      return payment === 'foreign' ? undefined : toCredential(payment)
    },

    matches({ proof }, purchase) {
      const context = contextFor(contexts, proof.accepted)
      const terms = context && termsOf(context.accepted, purchase)
      const isReadable = proof.v !== 1 || takesV1(purchase)
      return terms !== undefined && isReadable && isForPurchase(terms, proof.accepted, purchase)
    },

    verify: async (credential, purchase, context) => {
      const reserved = context?.reserved.map((one) => one.credential.proof)
      return verifyPayment(contextOf(credential), credential, purchase, reserved)
    },

    settleBy: ({ expiresAt }) => expiresAt,

    isPublic: (checkpoint) => readCheckpoint(checkpoint).used === true,

    barringReasons: [reasons.payerReverted],

    async settle(credential, purchase, checkpoint) {
      const context = contextOf(credential)
      const outcome = await settlePayment(context, credential, purchase, readCheckpoint(checkpoint))
      return toSettlement(context.accepted, credential.proof, purchase, outcome)
    },

    async recover(credential, purchase, checkpoint) {
      const context = contextOf(credential)
      const outcome = await recoverPayment(context, credential, purchase, readCheckpoint(checkpoint))
      return toSettlement(context.accepted, credential.proof, purchase, outcome)
    },

    inspect: (payment) => inspectPayment(contexts, payment),

    verifyRefund: (transfer) => verifyRefund(contexts, transfer),

    onCatalogueNotice(listen) {
      for (const facilitator of new Set(contexts.map((context) => context.facilitator))) {
        facilitator.onExtensionResponses?.((responses) => {
          const notice = catalogueNoticeIn(responses)
          if (notice) listen(notice)
        })
      }
    },

    /** Compares chains, tokens and facilitators with the configuration. A success is cached for 30 seconds. */
    async ping() {
      if (now().getTime() - checkedAt < RECHECK_MS) return
      await Promise.all(contexts.map(check))
      checkedAt = now().getTime()
    },
  })
}

async function check({ accepted: { network }, facilitator, chain }: SettlementContext): Promise<void> {
  const ask = async () => {
    await chain?.check()
    return facilitator.getSupported()
  }
  const { kinds } = await ask().catch((error: unknown) => {
    throw redactError(error)
  })
  const serves = kinds.some((kind) => kind.x402Version === 2 && kind.scheme === 'exact' && kind.network === network)
  if (!serves) throw new Error(`x402: the facilitator does not settle the exact scheme on ${network}`)
}
