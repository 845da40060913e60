import type { JsonObject } from '../../kernel/json.ts'
import type { Page, PageRequest } from '../../kernel/page.ts'
import type { ErasedAccount } from './erasure.ts'
import type { Profile } from './profiles.ts'

/** What a profile has done in a conversation. */
export interface ConversationSide {
  /** Whether it has written a message, or made a move that allows replies. */
  readonly hasWritten: boolean
  /** When it blocked the other profile; null when it does not block it. */
  readonly blockedAt: Date | null
}

/** The conversation of two profiles, as one of them sees it. */
export interface Conversation {
  /** UUID. */
  readonly id: string
  /** The profile that sees it. */
  readonly profileId: number
  readonly otherProfileId: number
  readonly own: ConversationSide & {
    /** The number of the last message that it has read; 0 for none. */
    readonly readSeq: number
  }
  /** Null once the other profile is deleted. */
  readonly other: ConversationSide | null
  /** The number of the last message; 0 for none. */
  readonly lastSeq: number
  /** The time of the last message. */
  readonly lastAt: Date
  readonly createdAt: Date
}

/** The kind of an entry: a message of one profile, or a move of a negotiation between both. */
export type MessageKind = 'message' | 'negotiation'

/** An entry of a conversation. */
export interface Message {
  /** UUID. */
  readonly id: string
  readonly conversationId: string
  /** Its number in the conversation, from 1; the same for both sides. */
  readonly seq: number
  readonly kind: MessageKind
  /** Null for entries of the service or an administrator. */
  readonly senderProfileId: number | null
  /** Chosen by the sender, so that a repeated message is stored once; null without one. */
  readonly clientId: string | null
  /** Null for entries of other kinds, and once the message or its sender is deleted. */
  readonly body: string | null
  /** The data of entries of other kinds. */
  readonly data: JsonObject
  readonly createdAt: Date
  /** When its sender deleted it; null otherwise. */
  readonly deletedAt: Date | null
}

/** A message to append. The store assigns its number. */
export interface NewMessage extends Omit<Message, 'seq' | 'deletedAt'> {
  /** Whether its sender has written with it, so that the other profile may reply. Default: true. */
  readonly allowsReplies?: boolean | undefined
}

/** The other profile of a conversation. */
export type Correspondent = Pick<
  Profile,
  'id' | 'ownerAccountId' | 'type' | 'username' | 'fullName' | 'visibility' | 'withdrawnAt'
>

/** How far the unread entries of a conversation are counted. */
export const MAX_COUNTED_UNREAD = 1_000

/** A conversation in a list. */
export interface ListedConversation {
  readonly conversation: Conversation
  /** Undefined once it is deleted. */
  readonly correspondent: Correspondent | undefined
  /**
   * The number of entries of the other side and the service after the last read one, without deleted ones, counted up to
   * {@link MAX_COUNTED_UNREAD}.
   */
  readonly unread: number
  readonly lastMessage: Message | undefined
}

/** Which conversations of a profile to list. */
export interface ConversationRequest extends PageRequest {
  /** Only those in which the profile blocks the other one. Default: all. */
  readonly isBlocking?: boolean | undefined
}

/** Which entries of a conversation to list. */
export interface MessageRequest extends PageRequest {
  readonly order: 'asc' | 'desc'
  /** Only entries after this number. */
  readonly afterSeq?: number | undefined
}

/** Conversations between profiles, for reading. */
export interface MessageReader {
  /** A conversation as a profile sees it; undefined unless it is one of the two. */
  get(id: string, profileId: number): Promise<Conversation | undefined>
  /** The conversation of two profiles. */
  find(profileId: number, otherProfileId: number): Promise<Conversation | undefined>
  /** One conversation, as in lists. */
  getListed(id: string, profileId: number): Promise<ListedConversation | undefined>
  /** The conversations of a profile by (last_at, id) descending. */
  list(profileId: number, request: ConversationRequest): Promise<Page<ListedConversation>>
  /** The entries of a conversation, ordered by number. */
  listMessages(conversationId: string, request: MessageRequest): Promise<Page<Message>>
  /** Returns a message; undefined when it does not exist. */
  getMessage(id: string): Promise<Message | undefined>
  /** The message that a sender stored with a client id. */
  getByClientId(conversationId: string, senderProfileId: number, clientId: string): Promise<Message | undefined>
}

/**
 * Conversations between profiles. Bodies are deleted with the profile that wrote them; the entries remain for the other
 * side.
 */
export interface MessageStore extends MessageReader {
  /**
   * Finds or creates the conversation of two profiles, and locks it until the transaction ends. Of concurrent calls one
   * creates it. Undefined when one of the profiles does not exist, or is deleted by a transaction that commits first.
   * Call it or {@link MessageStore.lock} first: events of such transactions are in the log in the order of the locks.
   */
  open(conversation: {
    /** The id for a new conversation. */
    readonly id: string
    readonly profileId: number
    readonly otherProfileId: number
    readonly createdAt: Date
  }): Promise<Conversation | undefined>
  /**
   * Locks a conversation, and the profiles in it that exist, until the transaction ends. Undefined when the profile is not
   * one of the two, or does not exist.
   */
  lock(id: string, profileId: number): Promise<Conversation | undefined>
  /**
   * Appends an entry with the next number, or returns the one that the sender stored with the same client id. Concurrent
   * calls wait for each other, so that numbers have no gaps and follow the order of commits. Lock the sender first.
   */
  append(message: NewMessage): Promise<{ readonly message: Message; readonly isNew: boolean }>
  /** Marks all entries up to a number as read; false when they were read before. */
  markRead(id: string, profileId: number, seq: number): Promise<boolean>
  /** Blocks the other profile, or unblocks it (null); false when nothing changes. */
  setBlocked(id: string, profileId: number, blockedAt: Date | null): Promise<boolean>
  /** Deletes the body of a message; false when it was deleted before, also by a transaction that commits first. */
  deleteMessage(id: string, deletedAt: Date): Promise<boolean>
  /** Deletes the messages of the profiles of an account, and conversations that no profile is left in. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
