import type { Invitation, InvitationStore, NamedInvitation, PageRequest } from '@eep/core/ports'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { asc, listPage } from '../list-page.ts'
import { databaseNow } from '../rows.ts'
import { invitationFields, invitationTable, isForRecipient } from './invitation-table.ts'

export const invitations = (db: Db): InvitationStore => ({
  ...invitationTable(db, {
    table: 'invitations',
    groupColumn: 'profile_id',
    groupIdOf: ({ profileId }: Pick<Invitation, 'profileId'>) => profileId,
    isGroupId: () => true,
    ownedBy: (accountId) => db.selectFrom('profiles').select('id').where('owner_account_id', '=', accountId),
    toInvitation,
  }),
  list: (profileId, request) => list(db, sql`invitations.profile_id = ${profileId}`, request),
  listFor: (who, request) => list(db, isForRecipient('invitations', who), request),
})

async function list(db: Db, condition: RawBuilder<SqlBool>, request: PageRequest) {
  const open = db.selectFrom('invitations').where(condition).where('expires_at', '>', databaseNow)
  const shown = open
    .innerJoin('profiles', 'profiles.id', 'invitations.profile_id')
    .innerJoin('accounts as inviter', 'inviter.id', 'invitations.invited_by')
    .leftJoin('accounts as guest', 'guest.id', 'invitations.account_id')
    .where('profiles.withdrawn_at', 'is', null)
  const counted = shown.select((query) => query.fn.countAll<string>().as('count'))
  const query = shown
    .selectAll('invitations')
    .select(['profiles.type', 'profiles.username as profile_username'])
    .select(['inviter.username as inviter_username', 'guest.username as guest_username', counted.as('total')])
  return listPage(query, request, {
    order: [asc('invitations.id', 'number')],
    item: (row): NamedInvitation => ({
      ...toInvitation(row),
      profile: { type: row.type, username: row.profile_username },
      username: row.guest_username,
      inviterUsername: row.inviter_username,
    }),
    key: ({ id }) => [id],
    counted,
  })
}

const toInvitation = (row: Row<'invitations'>): Invitation => ({
  ...invitationFields(row),
  profileId: Number(row.profile_id),
})
