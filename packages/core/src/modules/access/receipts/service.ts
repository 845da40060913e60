import type { Clock } from '../../../kernel/clock.ts'
import { forbidden } from '../../../kernel/errors.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import type { PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { PaymentRail } from '../../../ports/payment-rail.ts'
import type { BuyerReceiptFacts, ReceiptIssuer, ReceiptRenderer } from '../../../ports/receipt-renderer.ts'
import type { ErasedAccount } from '../../../ports/storage/erasure.ts'
import type { Receipt, ReceiptWithRefund } from '../../../ports/storage/payments.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { eraseFromReceipts } from './erase.ts'
import { receiptNotFound, receiptPdfBusy } from './errors.ts'
import { createRefunds, type RefundDeps } from './refunds.ts'

/** The payer of receipts: an account, or an agent that proved its DID. */
export type ReceiptOwner = { readonly caller: Caller } | { readonly did: string }

function isOwner({ payerDid, payerAccountId, seller }: Receipt, owner: ReceiptOwner): boolean {
  if ('did' in owner) return payerDid === owner.did
  const { account, profileId } = owner.caller
  if (payerAccountId === account.id && profileId === undefined) return true
  return seller.accountId === account.id && (profileId ?? seller.profileId) === seller.profileId
}

export interface ReceiptServiceDeps extends GuardedStorage {
  readonly clock: Clock
  readonly keyring: Keyring
  readonly rails: readonly PaymentRail[]
  readonly issuer: ReceiptIssuer
  /** Renders receipts as PDF; undefined when they are off. */
  readonly renderer: ReceiptRenderer | undefined
  readonly onRefundTrouble: RefundDeps['onRefundTrouble']
}

/** Receipts, for payers and sellers. */
export function createReceiptService(deps: ReceiptServiceDeps) {
  const { read, keyring, renderer, issuer } = deps
  return {
    refunds: createRefunds(deps),

    pdf:
      renderer &&
      (async (receipt: ReceiptWithRefund, owner: string, buyer?: BuyerReceiptFacts): Promise<Uint8Array> => {
        const bytes = await renderer.render(receipt, issuer, owner, buyer)
        if (bytes === undefined) throw receiptPdfBusy({ retryAfterMs: 5_000 })
        return bytes
      }),

    /** Removes the names of an account and of its profiles from receipts, in the transaction that erases them. */
    erase: (tx: Stores, account: Pick<ErasedAccount, 'id' | 'profileIds'>, limit: number) =>
      eraseFromReceipts(tx, account, keyring, limit),

    async list(owner: ReceiptOwner, page: PageRequest) {
      if ('did' in owner) return read.receipts.list({ did: owner.did }, page)
      const { account, profileId } = owner.caller
      if (profileId !== undefined)
        throw forbidden({ message: 'An API key of one profile cannot list the receipts of its account' })
      return read.receipts.list({ accountId: account.id }, page)
    },

    /** The newest receipts of payments on a network, of all sellers, with their refunds. */
    ofNetwork: async (network: string, limit: number): Promise<readonly ReceiptWithRefund[]> =>
      (await read.receipts.list({ network }, { limit })).items,

    async get(receiptId: string, owner: ReceiptOwner): Promise<ReceiptWithRefund> {
      const receipt = await read.receipts.get(receiptId)
      if (!receipt || !isOwner(receipt, owner)) throw receiptNotFound()
      const [refund = null, refundClaim = null] = [
        await read.refunds?.get(receiptId),
        await read.refunds?.getClaim(receiptId),
      ]
      return { ...receipt, refund, refundClaim: refund === null ? refundClaim : null }
    },
  }
}

export type ReceiptService = ReturnType<typeof createReceiptService>
