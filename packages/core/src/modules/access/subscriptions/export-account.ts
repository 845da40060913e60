import type { AccountExportFile } from '../../../framework/module/account-data.ts'
import { jsonMember } from '../../../framework/module/export-member.ts'
import { serializeSubscription } from './schemas.ts'

/** The subscription of an account. */
export const exportOfAccount: AccountExportFile<'subscriptions'>['exportOfAccount'] = ({ read }) =>
  async function* ({ account }) {
    const live = await read.subscriptions.getLive(account.id)
    yield jsonMember('subscription.json', live ? serializeSubscription(live) : null)
  }
