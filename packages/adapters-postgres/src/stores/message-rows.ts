import {
  type Conversation,
  type Correspondent,
  type JsonObject,
  type ListedConversation,
  MAX_COUNTED_UNREAD,
  type Message,
  type MessageKind,
} from '@eep/core/ports'
import { type Kysely, sql } from 'kysely'
import type { Bigint, BigintOrNull } from '../columns.ts'
import type { Database, Db } from '../database.ts'
import { toDate, toDateOrNull, toNumberOrNull } from '../rows.ts'

/** The tables of this group. Only its stores use them, so they are declared here. */
type MessageTables = {
  conversations: {
    id: string
    low_profile_id: Bigint
    high_profile_id: Bigint
    last_seq: Bigint
    last_at: Date
    created_at: Date
  }
  conversation_sides: {
    conversation_id: string
    profile_id: Bigint
    other_profile_id: Bigint
    has_written: boolean
    read_seq: Bigint
    blocked_at: Date | null
    last_at: Date
  }
  messages: {
    conversation_id: string
    seq: Bigint
    id: string
    kind: MessageKind
    sender_profile_id: BigintOrNull
    client_id: string | null
    data: JsonObject
    created_at: Date
    deleted_at: Date | null
  }
  message_bodies: { message_id: string; sender_profile_id: Bigint; body: string }
}

export type MessageDb = Kysely<Database & MessageTables>

export const messageTables = (db: Db): MessageDb => db.withTables<MessageTables>()

/** Selects conversations from the view of one side. */
export const conversationRows = (db: MessageDb) =>
  db
    .selectFrom('conversation_sides as own')
    .innerJoin('conversations', 'conversations.id', 'own.conversation_id')
    .leftJoin('conversation_sides as other', (join) =>
      join
        .onRef('other.conversation_id', '=', 'own.conversation_id')
        .onRef('other.profile_id', '=', 'own.other_profile_id'),
    )
    .select(['own.conversation_id as id', 'own.profile_id', 'own.other_profile_id'])
    .select(['own.has_written', 'own.read_seq', 'own.blocked_at', 'own.last_at'])
    .select(['other.has_written as other_has_written', 'other.blocked_at as other_blocked_at'])
    .select(['conversations.last_seq', 'conversations.created_at'])

type ConversationRow = Awaited<ReturnType<ReturnType<typeof conversationRows>['executeTakeFirstOrThrow']>>

export const toConversation = (row: ConversationRow): Conversation => ({
  id: row.id,
  profileId: Number(row.profile_id),
  otherProfileId: Number(row.other_profile_id),
  own: { hasWritten: row.has_written, blockedAt: toDateOrNull(row.blocked_at), readSeq: Number(row.read_seq) },
  other:
    row.other_has_written === null
      ? null
      : { hasWritten: row.other_has_written, blockedAt: toDateOrNull(row.other_blocked_at) },
  lastSeq: Number(row.last_seq),
  lastAt: toDate(row.last_at),
  createdAt: toDate(row.created_at),
})

/** Selects messages with their bodies. */
export const messageRows = (db: MessageDb) =>
  db
    .selectFrom('messages')
    .leftJoin('message_bodies', 'message_bodies.message_id', 'messages.id')
    .select(['messages.id', 'messages.conversation_id', 'messages.seq', 'messages.kind', 'messages.sender_profile_id'])
    .select([
      'messages.client_id',
      'message_bodies.body',
      'messages.data',
      'messages.created_at',
      'messages.deleted_at',
    ])

type MessageRow = Awaited<ReturnType<ReturnType<typeof messageRows>['executeTakeFirstOrThrow']>>

export const toMessage = (row: MessageRow): Message => ({
  id: row.id,
  conversationId: row.conversation_id,
  seq: Number(row.seq),
  kind: row.kind,
  senderProfileId: toNumberOrNull(row.sender_profile_id),
  clientId: row.client_id,
  body: row.body,
  data: row.data,
  createdAt: toDate(row.created_at),
  deletedAt: toDateOrNull(row.deleted_at),
})

/** Selects conversations for lists, without their last messages. */
export const listedRows = (db: MessageDb) =>
  conversationRows(db)
    .leftJoin('profiles', 'profiles.id', 'own.other_profile_id')
    .select(['profiles.id as other_id', 'profiles.owner_account_id', 'profiles.type', 'profiles.username'])
    .select(['profiles.full_name', 'profiles.visibility', 'profiles.withdrawn_at'])
    .select((query) =>
      query
        .selectFrom(
          query
            .selectFrom('messages')
            .select(sql<number>`1`.as('one'))
            .whereRef('messages.conversation_id', '=', 'own.conversation_id')
            .whereRef('messages.seq', '>', 'own.read_seq')
            .where('messages.deleted_at', 'is', null)
            .where(sql<boolean>`messages.sender_profile_id is distinct from own.profile_id`)
            .limit(MAX_COUNTED_UNREAD)
            .as('counted'),
        )
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .as('unread'),
    )

type ListedRow = Awaited<ReturnType<ReturnType<typeof listedRows>['executeTakeFirstOrThrow']>>

export const toListed = (row: ListedRow): Omit<ListedConversation, 'lastMessage'> => ({
  conversation: toConversation(row),
  correspondent: toCorrespondent(row),
  unread: Number(row.unread),
})

function toCorrespondent(row: ListedRow): Correspondent | undefined {
  const { other_id: id, owner_account_id: ownerAccountId, type, username, visibility } = row
  if (id === null || ownerAccountId === null || type === null || username === null || visibility === null) {
    return undefined
  }
  return {
    id: Number(id),
    ownerAccountId,
    type,
    username,
    fullName: row.full_name,
    visibility,
    withdrawnAt: toDateOrNull(row.withdrawn_at),
  }
}
