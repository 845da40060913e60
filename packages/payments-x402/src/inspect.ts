import type { InspectedPayment, RailRecord, RecordedSettlement } from '@eep/core/ports'
import { contextFor } from './accepted-assets.ts'
import { sameAddress } from './network.ts'
import type { Proof } from './proof.ts'
import { readCheckpoint } from './proof.ts'
import { redactError } from './redact-error.ts'
import { outcomeOf, type SettlementContext } from './settlement.ts'

const NOT_CONFIGURED: RailRecord = { is: 'unchecked', reason: 'chain_not_configured' }

const NOT_PAID = { absent: 'transaction_not_found', failed: 'transaction_failed', other: 'no_such_transfer' } as const

/** Looks up the transaction of a settlement. */
async function inspectSettlement(
  contexts: readonly SettlementContext[],
  { transaction, network, asset, atomic, payerWallet }: RecordedSettlement,
): Promise<RailRecord> {
  const context = contexts.find(
    ({ accepted }) => accepted.network === network && sameAddress(accepted.asset.address, asset),
  )
  const chain = context?.chain ?? context?.recoveryChain
  if (!chain) return NOT_CONFIGURED
  if (transaction === null) return { is: 'unchecked', reason: 'transaction_not_recorded' }
  const paid = await chain.findPaid({ transaction, payer: payerWallet, value: BigInt(atomic) })
  if (typeof paid === 'string') return { is: 'none', reason: NOT_PAID[paid] }
  return { is: 'taken', reference: transaction, asset, atomic: `${paid}` }
}

/** Looks up the authorization of a payment without a settlement. */
async function inspectAuthorization(
  contexts: readonly SettlementContext[],
  proof: Proof | null,
  checkpoint: InspectedPayment['checkpoint'],
): Promise<RailRecord> {
  if (proof === null) return { is: 'unchecked', reason: 'authorization_erased' }
  const context = contextFor(contexts, proof.accepted)
  const chain = context?.chain ?? context?.recoveryChain
  if (!context || !chain) return NOT_CONFIGURED
  const outcome = await outcomeOf(context, chain, proof, readCheckpoint(checkpoint))
  switch (outcome.is) {
    case 'settled': {
      const { address: asset } = context.accepted.asset
      return { is: 'taken', reference: outcome.transfer.transaction, asset, atomic: proof.authorization.value }
    }
    case 'refused':
      return { is: 'none', reason: outcome.reason }
    case 'open':
      if (outcome.cause !== undefined) throw outcome.cause
      return { is: 'open' }
  }
}

/** Reads what the chain has of a payment: by the transaction of its settlement, else by the nonce of its authorization. */
export async function inspectPayment(
  contexts: readonly SettlementContext[],
  { credential, checkpoint, settlement }: InspectedPayment<Proof>,
): Promise<RailRecord> {
  try {
    return await (settlement
      ? inspectSettlement(contexts, settlement)
      : inspectAuthorization(contexts, credential.proof, checkpoint))
  } catch (error) {
    throw redactError(error)
  }
}
