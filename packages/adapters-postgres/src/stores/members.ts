import type { MemberStore, PageRequest, TeamMember } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { asc, listPage } from '../list-page.ts'
import { isOfProfiles, isUuid, toDate } from '../rows.ts'
import { eraseInvitations } from './invitation-table.ts'
import { toProfile } from './profiles.ts'

export function members(db: Db): MemberStore {
  return {
    async getRole(profileId, accountId) {
      if (!isUuid(accountId)) return undefined
      const row = await db
        .selectFrom('members')
        .select('role')
        .where('profile_id', '=', profileId)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row?.role
    },

    listOfProfile: (profileId, request) => listOfProfile(db, profileId, request),
    listProfiles: (accountId, request) => listProfiles(db, accountId, request),

    async put({ profileId, accountId, role, createdAt }) {
      await db
        .insertInto('members')
        .values({ profile_id: profileId, account_id: accountId, role, created_at: createdAt })
        .onConflict((conflict) => conflict.columns(['profile_id', 'account_id']).doUpdateSet({ role }))
        .execute()
    },

    async delete(profileId, accountId) {
      if (!isUuid(accountId)) return false
      const { numDeletedRows } = await db
        .deleteFrom('members')
        .where('profile_id', '=', profileId)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    deleteOfAccount: (accountId) => deleteOfAccount(db, accountId),

    async eraseAccount(account) {
      const { id } = account
      await db.deleteFrom('members').where('account_id', '=', id).execute()
      await eraseInvitations(db, 'invitations', account)
      await db
        .deleteFrom('transfers')
        .where((where) => where.or([where('from_account_id', '=', id), where('to_account_id', '=', id)]))
        .execute()
    },
  }
}

async function deleteOfAccount(db: Db, accountId: string) {
  if (!isUuid(accountId)) return []
  const locked = await db
    .selectFrom('profiles')
    .select('id')
    .where((where) =>
      where.or([
        where('owner_account_id', '=', accountId),
        where('id', 'in', (query) =>
          query.selectFrom('members').select('members.profile_id').where('members.account_id', '=', accountId),
        ),
      ]),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const rows = await db
    .deleteFrom('members')
    .where(isOfProfiles(locked.map(({ id }) => Number(id))))
    .where((where) =>
      where.or([
        where('account_id', '=', accountId),
        where('profile_id', 'in', (query) =>
          query.selectFrom('profiles').select('profiles.id').where('profiles.owner_account_id', '=', accountId),
        ),
      ]),
    )
    .returning(['profile_id', 'account_id'])
    .execute()
  return rows.map((row) => ({ profileId: Number(row.profile_id), accountId: row.account_id }))
}

async function listOfProfile(db: Db, profileId: number, request: PageRequest) {
  const ofProfile = db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .where('members.profile_id', '=', profileId)
    .where('accounts.deletion_scheduled_at', 'is', null)
  const counted = ofProfile.select((query) => query.fn.countAll<string>().as('count'))
  const query = ofProfile
    .select(['members.account_id', 'members.role', 'members.created_at', 'accounts.username', 'accounts.full_name'])
    .select(counted.as('total'))
  return listPage(query, request, {
    order: [asc('members.created_at', 'moment'), asc('accounts.username', 'text')],
    item: (row): TeamMember => ({
      profileId,
      accountId: row.account_id,
      role: row.role,
      createdAt: toDate(row.created_at),
      username: row.username,
      fullName: row.full_name,
    }),
    key: ({ createdAt, username }) => [createdAt.getTime(), username],
    counted,
  })
}

async function listProfiles(db: Db, accountId: string, request: PageRequest) {
  const owner = isUuid(accountId) ? accountId : null
  // Both halves by their index; an `or` would read every profile.
  const theirs = db
    .selectFrom('profiles')
    .leftJoin('members', (join) =>
      join.onRef('members.profile_id', '=', 'profiles.id').on('members.account_id', '=', owner),
    )
    .where('profiles.id', 'in', (query) =>
      query
        .selectFrom('profiles as owned')
        .select('owned.id')
        .where('owned.owner_account_id', '=', owner)
        .unionAll(
          db.selectFrom('members as joined').select('joined.profile_id as id').where('joined.account_id', '=', owner),
        ),
    )
    .where('profiles.withdrawn_at', 'is', null)
  const rank = sql<number>`case when profiles.owner_account_id = ${owner}::uuid then 0 else 1 end`
  const counted = theirs.select((query) => query.fn.countAll<string>().as('count'))
  const query = theirs.selectAll('profiles').select(['members.role']).select(counted.as('total'))
  return listPage(query, request, {
    order: [asc(rank, 'number'), asc('profiles.created_at', 'moment'), asc('profiles.id', 'number')],
    item: (row) => ({
      profile: toProfile(row),
      role: row.owner_account_id === accountId ? ('owner' as const) : (row.role ?? ('viewer' as const)),
    }),
    key: ({ profile, role }) => [role === 'owner' ? 0 : 1, profile.createdAt.getTime(), profile.id],
    counted,
  })
}
