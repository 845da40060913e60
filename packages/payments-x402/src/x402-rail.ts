import { definePaymentRail, paymentRefused } from '@eep/core/ports'
import { createChain } from './chain.ts'
import type { ChainAccess } from './chain-client.ts'
import { lazyClient } from './chain-client.ts'
import type { Facilitator } from './facilitator.ts'
import type { Asset } from './network.ts'
import { isAddress, resolveAsset, resolveNetwork } from './network.ts'
import type { Market } from './offer.ts'
import { acceptEntry, isForPurchase, isOfMarket, termsOf } from './offer.ts'
import { readPayment } from './payment-payload.ts'
import type { Proof } from './proof.ts'
import { readCheckpoint, toCredential } from './proof.ts'
import { reasons } from './reasons.ts'
import { conclude, recoverPayment, settlePayment } from './settlement.ts'
import { tellable } from './tellable.ts'
import { verifyPayment } from './verify.ts'

/** What the rail sells on, and who settles it. */
export interface X402RailOptions extends ChainAccess {
  /** CAIP-2, or `base`, `base-sepolia`. */
  readonly network: string
  /** The token to be paid in. Default: the network's USDC. One that is not known here is described in full. */
  readonly asset?: string | Asset | undefined
  /** Where the money goes when a seller has no address on this network. Without it such a seller offers nothing here. */
  readonly payTo?: string | undefined
  /** Who puts payments on the chain: `localFacilitator`, `remoteFacilitator`, or a client of the official library. */
  readonly facilitator: Facilitator
  /** How long a payment may wait before it is used. Default and minimum: 120, so that clocks may differ. */
  readonly maxTimeoutSeconds?: number | undefined
  /** How long `settle` waits for the facilitator. Default: 20,000. */
  readonly settleTimeoutMs?: number | undefined
  /** The rail's name; two rails of one service differ in it. Default: `x402`. */
  readonly id?: string | undefined
  readonly now?: (() => Date) | undefined
}

/**
 * Sells for a stablecoin: the exact scheme of x402 v2 on an EVM chain, paid by EIP-3009 authorizations.
 *
 * With `rpcUrl` or `client` every outcome is read from the chain. Without, the facilitator's word is all there is, and
 * an outcome that was not seen can only be closed by its success.
 */
export function x402Rail(options: X402RailOptions) {
  const {
    facilitator,
    maxTimeoutSeconds = 120,
    settleTimeoutMs = 20_000,
    id = 'x402',
    now = () => new Date(),
  } = options
  const market = resolveMarket(options, maxTimeoutSeconds)
  const { network, asset } = market
  const chain =
    options.rpcUrl !== undefined || options.client
      ? createChain(network, asset, lazyClient(network, options))
      : undefined
  const settler = { market, facilitator, chain, settleTimeoutMs, now }
  let checked = false

  return definePaymentRail<Proof>({
    id,
    facts: {
      protocol: 'x402',
      accepts: [{ network, asset: asset.address, currencies: asset.currencies }],
      facilitatorUrl: facilitator.url,
    },

    async offer(purchase) {
      const terms = termsOf(market, purchase)
      return terms && { accept: acceptEntry(market, terms, purchase) }
    },

    read({ paymentSignature }) {
      if (paymentSignature === undefined) return undefined
      const payment = readPayment(paymentSignature, (accepted) => isOfMarket(market, accepted))
      if (payment === 'invalid') throw paymentRefused(reasons.invalidPayload)
      return payment === 'foreign' ? undefined : toCredential(payment)
    },

    matches({ proof }, purchase) {
      const terms = termsOf(market, purchase)
      return terms !== undefined && isForPurchase(terms, proof.accepted, purchase)
    },

    verify: (credential, purchase) => verifyPayment(settler, credential, purchase),
    async settle(credential, purchase, checkpoint) {
      const standing = await settlePayment(settler, credential, readCheckpoint(checkpoint))
      return conclude(market, credential.proof, purchase, standing)
    },

    async recover(credential, purchase, checkpoint) {
      const standing = await recoverPayment(settler, credential, readCheckpoint(checkpoint))
      return conclude(market, credential.proof, purchase, standing)
    },

    /**
     * Compares chain, token and facilitator with the configuration until they have been found right once. Later
     * failures of theirs are answered payment by payment; they are no reason to stop serving what is free.
     */
    async ping() {
      if (checked) return
      const ask = async () => {
        await chain?.check()
        return facilitator.getSupported()
      }
      const { kinds } = await ask().catch((error: unknown) => {
        throw tellable(error)
      })
      const serves = kinds.some((kind) => kind.x402Version === 2 && kind.scheme === 'exact' && kind.network === network)
      if (!serves) throw new Error(`x402: the facilitator does not settle the exact scheme on ${network}`)
      checked = true
    },
  })
}

function resolveMarket({ network: name, asset, payTo }: X402RailOptions, maxTimeoutSeconds: number): Market {
  const network = resolveNetwork(name)
  if (payTo !== undefined && !isAddress(payTo)) throw new Error(`x402: payTo ${payTo} is not an address`)
  if (!Number.isInteger(maxTimeoutSeconds) || maxTimeoutSeconds < 120 || maxTimeoutSeconds > 86_400) {
    throw new Error('x402: maxTimeoutSeconds is a whole number from 120 to 86400')
  }
  return { network, asset: resolveAsset(network, asset), payTo, maxTimeoutSeconds }
}
