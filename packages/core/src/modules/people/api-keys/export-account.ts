import type { AccountExportFile } from '../../../framework/module/account-data.ts'
import { jsonMember } from '../../../framework/module/export-member.ts'
import { serializeListedKey } from './serialize.ts'

/** The API keys of an account, without the keys themselves. */
export const exportOfAccount: AccountExportFile<'apiKeys'>['exportOfAccount'] = ({ read }) =>
  async function* ({ account }) {
    const keys = await read.apiKeys.listOfAccount(account.id)
    yield jsonMember('api-keys.json', keys.map(serializeListedKey))
  }
