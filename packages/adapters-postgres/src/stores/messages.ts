import type { ListedConversation, Message, MessageStore } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { asc, desc, listPage } from '../list-page.ts'
import { holdProfiles, isOfProfiles, isText, isUuid, json } from '../rows.ts'
import {
  conversationRows,
  listedRows,
  type MessageDb,
  messageRows,
  messageTables,
  toConversation,
  toListed,
  toMessage,
} from './message-rows.ts'

export function messages(database: Db): MessageStore {
  const db = messageTables(database)

  async function get(id: string, profileId: number) {
    if (!isUuid(id)) return undefined
    const query = conversationRows(db).where('own.conversation_id', '=', id).where('own.profile_id', '=', profileId)
    const row = await query.executeTakeFirst()
    return row && toConversation(row)
  }

  async function getMessage(id: string) {
    if (!isUuid(id)) return undefined
    const row = await messageRows(db).where('messages.id', '=', id).executeTakeFirst()
    return row && toMessage(row)
  }

  /**
   * Lets transactions of one conversation run one after another, before anything else gives them an id: the event log is
   * ordered by these ids, and has to have the messages in the order of their numbers.
   */
  const takeTurn = (one: number, other: number) => {
    const pair = `conversation:${Math.min(one, other)}:${Math.max(one, other)}`
    return sql`select pg_advisory_xact_lock(hashtextextended(${pair}, 0))`.execute(database)
  }

  const lockRow = (id: string) =>
    db.selectFrom('conversations').select('id').where('id', '=', id).forUpdate().executeTakeFirst()

  return {
    get,
    getMessage,

    async find(profileId, otherProfileId) {
      const row = await conversationRows(db)
        .where('own.profile_id', '=', profileId)
        .where('own.other_profile_id', '=', otherProfileId)
        .where(ofPair(profileId, otherProfileId))
        .executeTakeFirst()
      return row && toConversation(row)
    },

    async getListed(id, profileId) {
      if (!isUuid(id)) return undefined
      const query = listedRows(db).where('own.conversation_id', '=', id).where('own.profile_id', '=', profileId)
      const row = await query.executeTakeFirst()
      return row && (await withLastMessages(db, [toListed(row)]))[0]
    },

    async list(profileId, { isBlocking = false, ...request }) {
      const theirs = db
        .selectFrom('conversation_sides')
        .where('profile_id', '=', profileId)
        .$if(isBlocking, (sides) => sides.where('blocked_at', 'is not', null))
      const counted = theirs.select(({ fn }) => fn.countAll<string>().as('count'))
      const query = listedRows(db)
        .where('own.profile_id', '=', profileId)
        .$if(isBlocking, (rows) => rows.where('own.blocked_at', 'is not', null))
        .select(counted.as('total'))
      const { items, ...page } = await listPage(query, request, {
        order: [desc('own.last_at', 'moment'), desc('own.conversation_id', 'uuid')],
        item: toListed,
        key: ({ conversation }) => [conversation.lastAt.getTime(), conversation.id],
        counted,
      })
      return { ...page, items: await withLastMessages(db, items) }
    },

    async listMessages(conversationId, { order, afterSeq = 0, ...request }) {
      if (!isUuid(conversationId)) return { items: [], total: 0 }
      const theirs = db.selectFrom('messages').where('conversation_id', '=', conversationId).where('seq', '>', afterSeq)
      const counted = theirs.select(({ fn }) => fn.countAll<string>().as('count'))
      const query = messageRows(db)
        .where('messages.conversation_id', '=', conversationId)
        .where('messages.seq', '>', afterSeq)
        .select(counted.as('total'))
      return listPage(query, request, {
        order: [(order === 'asc' ? asc : desc)('messages.seq', 'number')],
        item: toMessage,
        key: ({ seq }) => [seq],
        counted,
      })
    },

    async getByClientId(conversationId, senderProfileId, clientId) {
      if (!isUuid(conversationId) || !isText(clientId)) return undefined
      const row = await messageRows(db)
        .where(ofClientId({ conversationId, kind: 'message', senderProfileId, clientId }))
        .executeTakeFirst()
      return row && toMessage(row)
    },

    async open({ id, profileId, otherProfileId, createdAt }) {
      await takeTurn(profileId, otherProfileId)
      if (!(await holdProfiles(database, [profileId, otherProfileId]))) return undefined
      const low = Math.min(profileId, otherProfileId)
      const high = Math.max(profileId, otherProfileId)
      // A second call waits here for the first one, and finds its conversation below.
      const made = await db
        .insertInto('conversations')
        .values({
          id,
          low_profile_id: low,
          high_profile_id: high,
          last_seq: 0,
          last_at: createdAt,
          created_at: createdAt,
        })
        .onConflict((conflict) => conflict.columns(['low_profile_id', 'high_profile_id']).doNothing())
        .returning('id')
        .executeTakeFirst()
      if (made) {
        const side = (own: number, other: number) => ({
          conversation_id: id,
          profile_id: own,
          other_profile_id: other,
          has_written: false,
          read_seq: 0,
          last_at: createdAt,
        })
        await db
          .insertInto('conversation_sides')
          .values([side(low, high), side(high, low)])
          .execute()
      }
      const row = await db
        .selectFrom('conversations')
        .select('id')
        .where('low_profile_id', '=', low)
        .where('high_profile_id', '=', high)
        .forUpdate()
        .executeTakeFirst()
      return row && get(row.id, profileId)
    },

    async lock(id, profileId) {
      const found = await get(id, profileId)
      if (!found) return undefined
      await takeTurn(profileId, found.otherProfileId)
      // Locks profiles first, as in all transactions.
      await holdProfiles(database, [profileId, found.otherProfileId])
      await lockRow(id)
      return get(id, profileId)
    },

    async append({ allowsReplies = true, ...message }) {
      const { id, conversationId, kind, senderProfileId, clientId, body, data, createdAt } = message
      await lockRow(conversationId)
      const known =
        clientId === null
          ? undefined
          : await messageRows(db)
              .where(ofClientId({ conversationId, kind, senderProfileId, clientId }))
              .executeTakeFirst()
      if (known) return { message: toMessage(known), isNew: false }
      const { last_seq: seq, last_at: lastAt } = await db
        .updateTable('conversations')
        .set({
          last_seq: sql<number>`last_seq + 1`,
          last_at: sql<Date>`greatest(last_at, ${createdAt}::timestamptz)`,
        })
        .where('id', '=', conversationId)
        .returning(['last_seq', 'last_at'])
        .executeTakeFirstOrThrow()
      const row = {
        conversation_id: conversationId,
        seq: Number(seq),
        id,
        kind,
        client_id: clientId,
        sender_profile_id: senderProfileId,
        data: json(data),
        created_at: createdAt,
      }
      await db.insertInto('messages').values(row).execute()
      if (body !== null && senderProfileId !== null) {
        await db
          .insertInto('message_bodies')
          .values({ message_id: id, sender_profile_id: senderProfileId, body })
          .execute()
      }
      await db
        .updateTable('conversation_sides')
        .set({
          last_at: lastAt,
          has_written: sql<boolean>`has_written or ${allowsReplies ? senderProfileId : null}::bigint is not distinct from profile_id`,
        })
        .where('conversation_id', '=', conversationId)
        .execute()
      return { message: { ...message, seq: Number(seq), deletedAt: null }, isNew: true }
    },

    async markRead(id, profileId, seq) {
      if (!isUuid(id)) return false
      const { numUpdatedRows } = await db
        .updateTable('conversation_sides')
        .set({ read_seq: seq })
        .where('conversation_id', '=', id)
        .where('profile_id', '=', profileId)
        .where('read_seq', '<', seq)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async setBlocked(id, profileId, blockedAt) {
      if (!isUuid(id)) return false
      const { numUpdatedRows } = await db
        .updateTable('conversation_sides')
        .set({ blocked_at: blockedAt })
        .where('conversation_id', '=', id)
        .where('profile_id', '=', profileId)
        .where('blocked_at', blockedAt === null ? 'is not' : 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async deleteMessage(id, deletedAt) {
      if (!isUuid(id)) return false
      const { numUpdatedRows } = await db
        .updateTable('messages')
        .set({ deleted_at: deletedAt })
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows > 0n) await db.deleteFrom('message_bodies').where('message_id', '=', id).execute()
      return numUpdatedRows > 0n
    },

    async eraseAccount({ profileIds }) {
      await db.deleteFrom('message_bodies').where(isOfProfiles(profileIds, 'sender_profile_id')).execute()
      await db
        .deleteFrom('conversations')
        .where((where) =>
          where.or([isOfProfiles(profileIds, 'low_profile_id'), isOfProfiles(profileIds, 'high_profile_id')]),
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('profiles')
                .select('profiles.id')
                .where(
                  sql<boolean>`profiles.id in (conversations.low_profile_id, conversations.high_profile_id)
                    and not ${isOfProfiles(profileIds, 'profiles.id')}`,
                ),
            ),
          ),
        )
        .execute()
      await db.deleteFrom('conversation_sides').where(isOfProfiles(profileIds)).execute()
    },
  }
}

const ofPair = (one: number, other: number) =>
  sql<boolean>`conversations.low_profile_id = ${Math.min(one, other)}::bigint
    and conversations.high_profile_id = ${Math.max(one, other)}::bigint`

/** The condition has the form of the partial index. */
const ofClientId = ({
  conversationId,
  kind,
  senderProfileId,
  clientId,
}: Pick<Message, 'conversationId' | 'kind' | 'senderProfileId' | 'clientId'>) =>
  sql<boolean>`messages.conversation_id = ${conversationId}::uuid and messages.kind = ${kind}
    and coalesce(messages.sender_profile_id, 0) = coalesce(${senderProfileId}::bigint, 0)
    and messages.client_id = ${clientId}`

async function withLastMessages(
  db: MessageDb,
  listed: readonly Omit<ListedConversation, 'lastMessage'>[],
): Promise<readonly ListedConversation[]> {
  const ids = listed.map(({ conversation }) => conversation.id)
  const rows = ids.length === 0 ? [] : await lastMessages(db, ids)
  const last = new Map(rows.map((row) => [row.conversation_id, toMessage(row)]))
  return listed.map((one) => ({ ...one, lastMessage: last.get(one.conversation.id) }))
}

const lastMessages = (db: MessageDb, ids: readonly string[]) =>
  messageRows(db)
    .innerJoin('conversations', (join) =>
      join
        .onRef('conversations.id', '=', 'messages.conversation_id')
        .onRef('conversations.last_seq', '=', 'messages.seq'),
    )
    .where('conversations.id', 'in', ids)
    .execute()
