import type { AccountExportFile } from '../../../framework/module/account-data.ts'
import { jsonMember } from '../../../framework/module/export-member.ts'
import { serializePayout, serializeWallet } from './schemas.ts'

/** The wallets and the payout addresses of an account. */
export const exportOfAccount: AccountExportFile<'wallets'>['exportOfAccount'] = ({ read }) =>
  async function* ({ account: { id } }) {
    const [wallets, payouts] = await Promise.all([read.wallets.listOfAccount(id), read.payouts.listOfAccount(id)])
    yield jsonMember('wallets.json', wallets.map(serializeWallet))
    yield jsonMember('payouts.json', payouts.map(serializePayout))
  }
