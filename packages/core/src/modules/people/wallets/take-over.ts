import type { TakeOverStep } from '../../../framework/module/context.ts'
import { evmNetwork } from '../../../kernel/network.ts'
import { payoutChanged, walletUnlinked } from './events.ts'

/** Unlinks every wallet of an account and deletes its payout addresses. */
export const unlinkWallets: TakeOverStep<'wallets'> = async (tx, emit, accountId) => {
  for (const wallet of await tx.wallets.listOfAccount(accountId)) {
    await tx.wallets.delete(wallet.id)
    emit(walletUnlinked, { walletId: wallet.id, network: evmNetwork(wallet.chainId) }, { accountId })
  }
  for (const payout of await tx.payouts.listOfAccount(accountId)) {
    await tx.payouts.delete(payout.id)
    emit(payoutChanged, { network: payout.network }, { accountId })
  }
}
