import type { AccountExportFile } from '../../../framework/module/account-data.ts'
import { jsonMember } from '../../../framework/module/export-member.ts'

/** How an account gets notifications. */
export const exportOfAccount: AccountExportFile<'notifications'>['exportOfAccount'] = ({ read }) =>
  async function* ({ account }) {
    const chosen = await read.notifications.listPreferences([account.id])
    const preferences = chosen.map(({ kind, inApp, email }) => ({ kind, in_app: inApp, email }))
    yield jsonMember('notification-preferences.json', preferences)
  }
