import type { RefundProof, RefundTransfer } from '@eep/core/ports'
import type { RefundDoubt } from './chain.ts'
import { sameAddress } from './network.ts'
import { redactError } from './redact-error.ts'
import type { SettlementContext } from './settlement.ts'

const HASH = /^0x[0-9a-fA-F]{64}$/

const REFUTED: Readonly<Record<Exclude<RefundDoubt, 'absent'>, string>> = {
  failed: 'transaction_failed',
  earlier: 'before_settlement',
  other: 'no_such_transfer',
}

/**
 * Proves a refund on the chain of its settlement. Without access to the chain, or while the transaction is not mined, the result
 * is `pending`. Rejects when the chain is unreachable.
 */
export async function verifyRefund(
  contexts: readonly SettlementContext[],
  { reference, settlement }: RefundTransfer,
): Promise<RefundProof> {
  const { network, asset, atomic, payerWallet, transaction } = settlement
  if (!HASH.test(reference)) return { is: 'refuted', reason: 'not_a_transaction_hash' }
  const hash = reference.toLowerCase()
  const context = contexts.find(
    ({ accepted }) => accepted.network === network && sameAddress(accepted.asset.address, asset),
  )
  if (!context?.chain || transaction === null) return { is: 'pending', reason: 'chain_not_configured' }
  const found = await context.chain
    .findRefund(hash, { transaction, payer: payerWallet, value: BigInt(atomic) })
    .catch((error: unknown) => {
      throw redactError(error)
    })
  if (found === 'absent') return { is: 'pending', reason: 'transaction_not_found' }
  if (typeof found === 'string') return { is: 'refuted', reason: REFUTED[found] }
  // A transaction may refund several payers.
  return { is: 'proven', key: `${network}|${hash}|${found.logIndex}`, refundedAt: found.settledAt }
}
