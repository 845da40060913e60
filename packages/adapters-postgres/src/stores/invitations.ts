import type { Invitation, InvitationStore, Invitee, NamedInvitation, PageRequest } from '@eep/core/ports'
import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely'
import type { Database, Db, Row } from '../database.ts'
import { asc, listPage } from '../list-page.ts'
import { databaseNow, isText, isUuid, toDate } from '../rows.ts'

type Where = ExpressionBuilder<Database, 'invitations'>
type Person = Parameters<InvitationStore['deleteFor']>[1]

export function invitations(db: Db): InvitationStore {
  const open = () => db.selectFrom('invitations').selectAll().where('expires_at', '>', databaseNow)

  return {
    async get(id) {
      const row = await open().where('id', '=', id).executeTakeFirst()
      return row && toInvitation(row)
    },

    async getByHash(hash) {
      if (!isText(hash)) return undefined
      const row = await open().where('hash', '=', hash).executeTakeFirst()
      return row && toInvitation(row)
    },

    listOfProfile: (profileId, request) =>
      list(db, (where) => where('invitations.profile_id', '=', profileId), request),

    listFor: (who, request) => list(db, isFor(who), request),

    async put(invitation) {
      const { profileId, accountId, email } = invitation
      await db
        .deleteFrom('invitations')
        .where('profile_id', '=', profileId)
        .where(accountId === null ? isForEmail(email) : (where) => where('account_id', '=', accountId))
        .execute()
      const row = await db
        .insertInto('invitations')
        .values({
          profile_id: profileId,
          account_id: accountId,
          email,
          role: invitation.role,
          hash: invitation.hash,
          invited_by: invitation.invitedBy,
          created_at: invitation.createdAt,
          expires_at: invitation.expiresAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toInvitation(row)
    },

    async consume(id) {
      const row = await db
        .deleteFrom('invitations')
        .where('id', '=', id)
        .where('expires_at', '>', databaseNow)
        .returningAll()
        .executeTakeFirst()
      return row && toInvitation(row)
    },

    async deleteFor(profileId, who) {
      await db.deleteFrom('invitations').where('profile_id', '=', profileId).where(isFor(who)).execute()
    },

    async deleteBy(profileId, invitedBy) {
      if (!isUuid(invitedBy)) return
      await db
        .deleteFrom('invitations')
        .where('profile_id', '=', profileId)
        .where('invited_by', '=', invitedBy)
        .execute()
    },

    async deleteOfAccount(accountId) {
      if (!isUuid(accountId)) return 0
      const { numDeletedRows } = await db
        .deleteFrom('invitations')
        .where((where) =>
          where.or([
            where('invited_by', '=', accountId),
            where('account_id', '=', accountId),
            where('profile_id', 'in', (query) =>
              query.selectFrom('profiles').select('profiles.id').where('owner_account_id', '=', accountId),
            ),
          ]),
        )
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

type Condition = (where: Where) => ExpressionWrapper<Database, 'invitations', SqlBool>

/** A text that PostgreSQL cannot hold is not an address. */
const isForEmail =
  (email: string): Condition =>
  (where) =>
    isText(email)
      ? where(sql<string>`lower(invitations.email)`, '=', sql<string>`lower(${email})`)
      : where(sql<boolean>`false`, '=', sql<boolean>`true`)

const isFor =
  ({ accountId, email }: Person): Condition =>
  (where) =>
    where.or([
      ...(isUuid(accountId) ? [where('invitations.account_id', '=', accountId)] : []),
      ...(email === null ? [] : [isForEmail(email)(where)]),
    ])

async function list(db: Db, condition: Condition, request: PageRequest) {
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
  ...({ accountId: row.account_id, email: row.email } as Invitee),
  id: Number(row.id),
  profileId: Number(row.profile_id),
  role: row.role,
  hash: row.hash,
  invitedBy: row.invited_by,
  createdAt: toDate(row.created_at),
  expiresAt: toDate(row.expires_at),
})
