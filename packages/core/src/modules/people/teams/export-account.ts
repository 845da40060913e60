import type { AccountExportFile } from '../../../framework/module/account-data.ts'
import { jsonListMember } from '../../../framework/module/export-member.ts'
import { allPages } from '../../../kernel/all-pages.ts'
import { didOf, profilePath } from '../../profiles/profiles/index.ts'
import { serializeTransfer } from './schemas.ts'

/** The teams that an account is a member of, and its transfers of profiles without the names of the other accounts. */
export const exportOfAccount: AccountExportFile<'teams'>['exportOfAccount'] = ({ read, publicUrl }) =>
  async function* ({ account: { id: accountId } }) {
    yield jsonListMember('teams.json', async function* () {
      for await (const { profile, role } of allPages((request) => read.members.listProfiles(accountId, request))) {
        if (role === 'owner') continue
        yield {
          profile_id: profile.id,
          did: didOf(publicUrl, profile),
          url: `${publicUrl}${profilePath(profile)}`,
          role,
        }
      }
    })
    yield jsonListMember('transfers.json', async function* () {
      for await (const each of allPages((request) => read.transfers.listOfAccount(accountId, request))) {
        const { from_username: _from, recipient_username: _recipient, ...transfer } = serializeTransfer(accountId)(each)
        yield transfer
      }
    })
  }
