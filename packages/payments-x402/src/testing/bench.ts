import { randomBytes } from 'node:crypto'
import type { Checkpoint, Credential, JsonObject, Purchase, Settlement } from '@eep/core/ports'
import { isEepError, paymentReason } from '@eep/core/ports'
import type { Hex } from 'viem'
import { localFacilitator } from '../local-facilitator.ts'
import type { Proof } from '../proof.ts'
import type { X402RailOptions } from '../x402-rail.ts'
import { x402Rail } from '../x402-rail.ts'
import type { LocalChain } from './local-chain.ts'
import type { PaymentChanges, SignedPayment, Wallet } from './wallet.ts'
import { encodeHeader, signPayment } from './wallet.ts'

/** A purchase at 0.01 usd. */
export const purchaseOf = (changes: Partial<Purchase> = {}): Purchase => ({
  profileId: 1,
  sellerDid: 'did:web:id.example:u:alice',
  resource: 'content.notes.a',
  pattern: 'content.notes.*',
  tier: 'reader',
  access: ['content.notes.*'],
  rails: null,
  per: 'request',
  price: { amount: '0.01', currency: 'usd' },
  shown: { url: 'https://id.example/u/alice/content/a', description: '', mimeType: 'text/markdown' },
  payTo: {},
  ...changes,
})

/** Returns a payment that a rail has parsed. */
export interface Presented {
  readonly signed: SignedPayment
  readonly credential: Credential<Proof>
  readonly purchase: Purchase
}

/** The result of a step of a rail as text. */
export type Outcome = 'settled' | `refused: ${string}` | 'unknown' | `fault: ${string}`

export async function outcomeOf(step: Promise<unknown>): Promise<Outcome> {
  try {
    await step
    return 'settled'
  } catch (error) {
    if (!isEepError(error)) return `fault: ${String(error)}`
    if (error.code === 'payment_refused') return `refused: ${paymentReason(error)}`
    return error.code === 'settlement_pending' ? 'unknown' : `fault: ${error.code}`
  }
}

/** A rail on a local chain with its own receiver, so that a test can count the payments. */
export function createBench(chain: LocalChain, options: Partial<X402RailOptions> = {}) {
  const { network, rpcUrl, wallets } = chain
  const receiver: Hex = `0x${randomBytes(20).toString('hex')}`
  const facilitator = localFacilitator({
    network,
    rpcUrl,
    privateKey: wallets.facilitator.privateKey,
  })
  const rail = x402Rail({ network, rpcUrl, recoveryRpcUrl: false, facilitator, payTo: receiver, ...options })

  const offer = async (purchase: Purchase = purchaseOf()): Promise<JsonObject> => {
    const made = await rail.offer(purchase)
    if (!made?.accept) throw new Error('The rail has no offer for this purchase')
    return made.accept
  }

  const read = (signed: unknown): Credential<Proof> => {
    const credential = rail.read({ paymentSignature: encodeHeader(signed) })
    if (!credential) throw new Error('The rail does not recognize this payment')
    return credential
  }

  const present = async (payer: Wallet = wallets.payer, changes: PaymentChanges = {}): Promise<Presented> => {
    const purchase = purchaseOf()
    const signed = await signPayment(await offer(purchase), payer, changes)
    return { signed, credential: read(signed), purchase }
  }

  const verify = ({ credential, purchase }: Presented): Promise<Checkpoint> => rail.verify(credential, purchase)

  /** A verified payment that is not settled. */
  const verified = async (payer?: Wallet, changes?: PaymentChanges) => {
    const presented = await present(payer, changes)
    const checkpoint = await verify(presented)
    const { credential, purchase } = presented
    return {
      ...presented,
      settle: (): Promise<Settlement> => rail.settle(credential, purchase, checkpoint),
      recover: (): Promise<Settlement> => rail.recover(credential, purchase, checkpoint),
    }
  }

  return {
    rail,
    receiver,
    offer,
    read,
    present,
    verify,
    verified,
    /** The received payments. */
    received: () => chain.paymentsTo(receiver),
  }
}
