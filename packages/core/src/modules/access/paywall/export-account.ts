import type { AccountExportFile } from '../../../framework/module/account-data.ts'
import { jsonListMember } from '../../../framework/module/export-member.ts'
import { allPages } from '../../../kernel/all-pages.ts'

/** The documents of gates that an account accepted. */
export const exportOfAccount: AccountExportFile<'agreements'>['exportOfAccount'] = ({ read }) =>
  async function* ({ account }) {
    yield jsonListMember('agreements.json', async function* () {
      for await (const { profileId, documentHash, documentUrl, acceptedAt } of allPages((request) =>
        read.agreements.listOfAccount(account.id, request),
      )) {
        yield {
          profile_id: profileId,
          document_hash: documentHash,
          document_url: documentUrl,
          accepted_at: acceptedAt.toISOString(),
        }
      }
    })
  }
