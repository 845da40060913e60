import { type AccountExporter, jsonListMember } from '../../../framework/module/export-member.ts'
import { allPages } from '../../../kernel/all-pages.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { serializeTransfer } from './schemas.ts'

/** The teams that an account is a member of, and its transfers of profiles without the names of the other accounts. */
export const createTeamExporter = (
  read: Readers<'teams'>,
  profiles: Pick<ProfileService, 'didOf' | 'urlOf'>,
): AccountExporter =>
  async function* ({ account: { id: accountId } }) {
    yield jsonListMember('teams.json', async function* () {
      for await (const { profile, role } of allPages((request) => read.members.listProfiles(accountId, request))) {
        if (role === 'owner') continue
        yield { profile_id: profile.id, did: profiles.didOf(profile), url: profiles.urlOf(profile), role }
      }
    })
    yield jsonListMember('transfers.json', async function* () {
      for await (const each of allPages((request) => read.transfers.listOfAccount(accountId, request))) {
        const { from_username: _from, recipient_username: _recipient, ...transfer } = serializeTransfer(accountId)(each)
        yield transfer
      }
    })
  }
