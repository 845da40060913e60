import type { AccountExportFile } from '../../../framework/module/account-data.ts'
import { jsonMember } from '../../../framework/module/export-member.ts'

/** The passkeys of an account, without their keys. */
export const exportOfAccount: AccountExportFile<'passkeys'>['exportOfAccount'] = ({ read }) =>
  async function* ({ account }) {
    const added = await read.passkeys.listOfAccount(account.id)
    yield jsonMember(
      'passkeys.json',
      added.map(({ name, createdAt, lastUsedAt }) => ({
        name,
        created_at: createdAt.toISOString(),
        last_used_at: lastUsedAt?.toISOString() ?? null,
      })),
    )
  }
