import type { RefundProof, RefundTransfer } from '@eep/core/ports'
import type { RefundDoubt } from './chain.ts'
import { sameAddress } from './network.ts'
import type { Settler } from './settlement.ts'
import { tellable } from './tellable.ts'

const HASH = /^0x[0-9a-fA-F]{64}$/

const REFUTED: Readonly<Record<Exclude<RefundDoubt, 'absent'>, string>> = {
  failed: 'transaction_failed',
  earlier: 'before_settlement',
  other: 'no_such_transfer',
}

/**
 * Proves a refund on the chain of its settlement. Without a chain to ask, or while the transaction is not mined, the answer
 * is `pending`. Rejects when the chain cannot be asked.
 */
export async function verifyRefund(
  settlers: readonly Settler[],
  { reference, settlement }: RefundTransfer,
): Promise<RefundProof> {
  const { network, asset, atomic, payerWallet, transaction } = settlement
  if (!HASH.test(reference)) return { is: 'refuted', reason: 'not_a_transaction_hash' }
  const hash = reference.toLowerCase()
  const settler = settlers.find(({ market }) => market.network === network && sameAddress(market.asset.address, asset))
  if (!settler?.chain || transaction === null) return { is: 'pending', reason: 'chain_not_configured' }
  const found = await settler.chain
    .findRefund(hash, { transaction, payer: payerWallet, value: BigInt(atomic) })
    .catch((error: unknown) => {
      throw tellable(error)
    })
  if (found === 'absent') return { is: 'pending', reason: 'transaction_not_found' }
  if (typeof found === 'string') return { is: 'refuted', reason: REFUTED[found] }
  return { is: 'proven', key: `${network}|${hash}`, refundedAt: found.settledAt }
}
