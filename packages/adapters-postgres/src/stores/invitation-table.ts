import type {
  ErasedAccount,
  InvitationsStore,
  InvitationTo,
  Invitee,
  NewInvitationTo,
  Recipient,
} from '@eep/core/ports'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { databaseNow, isText, isUuid, toDate } from '../rows.ts'
import type { UntypedDb } from '../untyped-db.ts'

/** The columns that all tables of invitations have. */
interface InvitationRow<Role extends string> {
  readonly id: number | string
  readonly account_id: string | null
  readonly email: string | null
  readonly role: Role
  readonly hash: string
  readonly invited_by: string
  readonly created_at: Date
  readonly expires_at: Date
}

/** The table of the invitations to one kind of group, and how its rows are read. */
interface InvitationTable<GroupId, Group extends object, Role extends string, Row extends InvitationRow<Role>> {
  readonly table: string
  /** The column with the id of the group. */
  readonly groupColumn: string
  readonly groupIdOf: (group: Group) => GroupId
  /** Whether a value can be the id of a group. A comparison with any other is an error of the database. */
  readonly isGroupId: (id: GroupId) => boolean
  /** Selects the ids of the groups that an account owns. */
  readonly ownedBy: (accountId: string) => Expression<unknown>
  readonly toInvitation: (row: Row) => InvitationTo<Group, Role>
}

/** The fields of an invitation that do not depend on its group. */
export const invitationFields = <Role extends string>(row: InvitationRow<Role>) => ({
  // A row has either an account or an address.
  ...({ accountId: row.account_id, email: row.email } as Invitee),
  id: Number(row.id),
  role: row.role,
  hash: row.hash,
  invitedBy: row.invited_by,
  createdAt: toDate(row.created_at),
  expiresAt: toDate(row.expires_at),
})

/** Whether an invitation is for an account, or for an email address, case-insensitively. */
export function isForRecipient(
  table: string,
  { accountId, email }: { readonly [Key in keyof Recipient]: Recipient[Key] | null },
): RawBuilder<SqlBool> {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  const isAccount = accountId !== null && isUuid(accountId) ? sql`${column('account_id')} = ${accountId}` : sql`false`
  // A text that PostgreSQL cannot hold is not an address.
  const isAddress = email !== null && isText(email) ? sql`lower(${column('email')}) = lower(${email})` : sql`false`
  return sql`(${isAccount} or ${isAddress})`
}

/** Removes the invitations that an account sent and those for it, by its id or the email address that it owns. */
export async function eraseInvitations(
  db: UntypedDb,
  table: string,
  { id, email, emailOwned }: ErasedAccount,
): Promise<void> {
  const recipient = { accountId: id, email: emailOwned ? email : null }
  await db
    .deleteFrom(table)
    .where((where) => where.or([where('invited_by', '=', id), isForRecipient(table, recipient)]))
    .execute()
}

/** The operations on invitations that are the same for all groups. */
export function invitationTable<GroupId, Group extends object, Role extends string, Row extends InvitationRow<Role>>(
  db: UntypedDb,
  { table, groupColumn, groupIdOf, isGroupId, ownedBy, toInvitation }: InvitationTable<GroupId, Group, Role, Row>,
): Omit<InvitationsStore<GroupId, NewInvitationTo<Group, Role>, InvitationTo<Group, Role>, never>, 'list' | 'listFor'> {
  const open = () => db.selectFrom(table).selectAll().where('expires_at', '>', databaseNow)
  const deleteTo = (groupId: GroupId) => db.deleteFrom(table).where(groupColumn, '=', groupId)
  // Kysely cannot type the rows of a table whose name is a variable.
  const found = (row: object | undefined) => row && toInvitation(row as Row)

  return {
    get: async (id) => found(await open().where('id', '=', id).executeTakeFirst()),

    getByHash: async (hash) =>
      isText(hash) ? found(await open().where('hash', '=', hash).executeTakeFirst()) : undefined,

    async put(invitation) {
      const { accountId, email, role, hash, invitedBy, createdAt, expiresAt } = invitation
      const groupId = groupIdOf(invitation)
      await deleteTo(groupId).where(isForRecipient(table, { accountId, email })).execute()
      const row = await db
        .insertInto(table)
        .values({
          [groupColumn]: groupId,
          account_id: accountId,
          email,
          role,
          hash,
          invited_by: invitedBy,
          created_at: createdAt,
          expires_at: expiresAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      // As in `found`.
      return toInvitation(row as Row)
    },

    consume: async (id) =>
      found(
        await db
          .deleteFrom(table)
          .where('id', '=', id)
          .where('expires_at', '>', databaseNow)
          .returningAll()
          .executeTakeFirst(),
      ),

    async deleteFor(groupId, who) {
      if (isGroupId(groupId)) await deleteTo(groupId).where(isForRecipient(table, who)).execute()
    },

    async deleteBy(groupId, invitedBy) {
      if (isGroupId(groupId) && isUuid(invitedBy)) {
        await deleteTo(groupId).where('invited_by', '=', invitedBy).execute()
      }
    },

    async deleteOfAccount(accountId) {
      if (!isUuid(accountId)) return 0
      const { numDeletedRows } = await db
        .deleteFrom(table)
        .where((where) =>
          where.or([
            where('invited_by', '=', accountId),
            where('account_id', '=', accountId),
            where(groupColumn, 'in', ownedBy(accountId)),
          ]),
        )
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
