import type { Facilitator, PaymentPayload } from '@eep/payments-x402'
import { x402Rail } from '@eep/payments-x402'
import { encodeHeader, signPayment, walletOf } from '@eep/payments-x402/testing'

export const RECORDED_NETWORK = 'eip155:84532'
const buyer = walletOf(`0x${'5'.repeat(64)}`)
const SELLER = '0x00000000000000000000000000000000000000aa'

/** A facilitator that records what it is asked and settles everything, without a chain. */
export function recordingFacilitator() {
  const calls: { readonly name: 'verify' | 'settle'; readonly payload: PaymentPayload }[] = []
  const facilitator: Facilitator = {
    async verify(payload) {
      calls.push({ name: 'verify', payload })
      return { isValid: true }
    },
    async settle(payload) {
      calls.push({ name: 'settle', payload })
      const transaction = `0x${String(calls.length).padStart(64, '0')}`
      return { success: true, transaction, network: RECORDED_NETWORK }
    },
    getSupported: async () => ({
      kinds: [{ x402Version: 2, scheme: 'exact', network: RECORDED_NETWORK }],
      extensions: ['bazaar'],
      signers: {},
    }),
  }
  return { calls, facilitator }
}

/** A rail of stablecoins that trusts a facilitator, and never asks a chain. */
export const railOf = (facilitator: Facilitator, id?: string) =>
  x402Rail({ network: RECORDED_NETWORK, payTo: SELLER, facilitator, recoveryRpcUrl: false, id })

/** What a 402 offers, decoded. */
export interface Required {
  readonly resource: {
    readonly url: string
    readonly serviceName?: string
    readonly tags?: readonly string[]
    readonly iconUrl?: string
  }
  readonly accepts: readonly [Parameters<typeof signPayment>[0], ...Parameters<typeof signPayment>[0][]]
  readonly extensions: Record<string, unknown> & { readonly bazaar?: Record<string, unknown> }
}

/** Signs the first offer of a 402 and echoes its resource and extensions, as official clients do. */
export async function paymentFor({ accepts, resource, extensions }: Required, changes: object = {}) {
  const signed = await signPayment(accepts[0], buyer)
  return { 'payment-signature': encodeHeader({ ...signed, resource, extensions, ...changes }) }
}
