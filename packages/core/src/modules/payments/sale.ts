import type { Json, JsonObject } from '../../kernel/json.ts'
import type { Payer, Purchase, Settlement } from '../../ports/payment-rail.ts'
import type { Readers } from '../../ports/storage.ts'
import type { DeliveryOutcome } from './store.ts'

/** What a gate hands over: something for sale, and what a refusal says of it. */
export interface Sale {
  /** The ways to buy it, the best first. At least one. */
  readonly purchases: readonly Purchase[]
  /** The members of a refusal that the gate knows (EEP v0.1, `gate.402-response`). */
  readonly terms: JsonObject
  /** What everyone may see of it: the excerpt of a page, the public part of a profile. */
  readonly preview: Json
  /** Changes whenever the purchases or the terms may. */
  readonly revision: string
  /** Rails in the order the agent prefers; names that are no rail of ours are skipped. */
  readonly preference: readonly string[]
  /** Whether a payer holds what the sale would give; as a transaction sees it, when one is under way. */
  readonly isEntitled: (payer: Payer, tx?: Readers) => Promise<boolean>
  /**
   * Whether a wallet is known to be the buyer's. A sale that says so is to a person and not to a wallet, and takes a
   * payment that anybody may have read on a chain from nobody else.
   */
  readonly isOwnWallet?: ((payer: Payer) => Promise<boolean>) | undefined
  /** Why a `SIGN-IN-WITH-X` header proved nobody; it is said with the 402. */
  readonly signInRefused?: string | undefined
  readonly payerAccountId: string | null
  /** The agent that signed the request; what is bought is its own too. */
  readonly payerDid: string | null
}

/** A payment that opens the resource for this request. */
export interface TakenPayment {
  readonly payer: Settlement['payer']
  /** Whether only the payer can have sent it. Once settled a credential is public, and its repeats prove nothing. */
  readonly isProof: boolean
  /** The payment that was taken; absent when an earlier purchase opens the resource. */
  readonly settlement?: Settlement | undefined
  readonly receiptId?: string | null | undefined
  /** What was bought with it; absent as `settlement` is. */
  readonly purchase?: Purchase | undefined
  /** `PAYMENT-RESPONSE` and what the rail adds. */
  readonly headers: Readonly<Record<string, string>>
  /** To be called once: how the content was handed over. */
  readonly delivered: (outcome: DeliveryOutcome) => void
}
