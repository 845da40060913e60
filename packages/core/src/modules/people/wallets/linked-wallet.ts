import { normalWallet } from '../../../kernel/wallet.ts'
import type { Readers } from '../../../ports/storage/storage.ts'

/** Whether an account has proved that a wallet is its own, on any chain. False in a storage without wallets. */
export async function isLinkedWallet(
  { wallets }: Pick<Readers, 'wallets'>,
  accountId: string,
  wallet: string,
): Promise<boolean> {
  const linked = (await wallets?.listOfAccount(accountId)) ?? []
  return linked.some(({ address }) => normalWallet(address) === normalWallet(wallet))
}
