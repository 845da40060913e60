import type { AccountExportFile } from '../../../framework/module/account-data.ts'
import { jsonMember } from '../../../framework/module/export-member.ts'

/** The providers that an account is linked to. */
export const exportOfAccount: AccountExportFile<'identities'>['exportOfAccount'] = ({ read }) =>
  async function* ({ account }) {
    const identities = await read.identities.listOfAccount(account.id)
    const linked = identities.map(({ provider, subject, email, createdAt }) => ({
      provider,
      subject,
      email,
      created_at: createdAt.toISOString(),
    }))
    yield jsonMember('identities.json', linked)
  }
