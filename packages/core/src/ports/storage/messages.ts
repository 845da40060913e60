import type { JsonObject } from '../../kernel/json.ts'
import type { Page, PageRequest } from '../../kernel/page.ts'
import type { ErasedAccount } from './erasure.ts'
import type { Profile } from './profiles.ts'

/** What a profile has done in a conversation. */
export interface ConversationSide {
  /** Whether it has written a message, or made a move that allows replies. */
  readonly hasWritten: boolean
  /** Since when it blocks the other profile; null when it does not. */
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
  /** Null when the other profile is gone. */
  readonly other: ConversationSide | null
  /** The number of the last message; 0 for none. */
  readonly lastSeq: number
  /** The time of the last message. */
  readonly lastAt: Date
  readonly createdAt: Date
}

/** What an entry of a conversation is: a text of one profile, or a move of a negotiation between both. */
export type MessageKind = 'message' | 'negotiation'

/** An entry of a conversation. */
export interface Message {
  /** UUID. */
  readonly id: string
  readonly conversationId: string
  /** Its place in the conversation, from 1; the same for both sides. */
  readonly seq: number
  readonly kind: MessageKind
  /** Null for what the service or an administrator did. */
  readonly senderProfileId: number | null
  /** Chosen by the sender, so that a repeated message is stored once; null without one. */
  readonly clientId: string | null
  /** Null for entries of other kinds, and once it is deleted or its sender is gone. */
  readonly body: string | null
  /** What entries of other kinds say. */
  readonly data: JsonObject
  readonly createdAt: Date
  /** When its sender deleted it; null otherwise. */
  readonly deletedAt: Date | null
}

/** A message to append; the store gives it its number. */
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
  /** Undefined when it is gone. */
  readonly correspondent: Correspondent | undefined
  /**
   * How many entries of the other side, or of the service, come after the last one that was read, counted up to
   * {@link MAX_COUNTED_UNREAD}. Deleted ones do not count.
   */
  readonly unread: number
  readonly lastMessage: Message | undefined
}

/** Which entries of a conversation to list. */
export interface MessageRequest extends PageRequest {
  readonly order: 'asc' | 'desc'
  /** Only entries after this number. */
  readonly afterSeq?: number | undefined
}

/** Conversations between profiles, for reading. */
export interface MessageReader {
  /** A conversation as a profile sees it; undefined when it is not one of the two. */
  get(id: string, profileId: number): Promise<Conversation | undefined>
  /** The conversation of two profiles. */
  find(profileId: number, otherProfileId: number): Promise<Conversation | undefined>
  /** One conversation as lists have it. */
  getListed(id: string, profileId: number): Promise<ListedConversation | undefined>
  /** The conversations of a profile by (last_at, id) descending. */
  list(profileId: number, page: PageRequest): Promise<Page<ListedConversation>>
  /** The entries of a conversation by their number. */
  listMessages(conversationId: string, request: MessageRequest): Promise<Page<Message>>
  getMessage(id: string): Promise<Message | undefined>
  /** The message that a sender stored with a client id. */
  getByClientId(conversationId: string, senderProfileId: number, clientId: string): Promise<Message | undefined>
}

/** Conversations between profiles. Bodies go with the profile that wrote them; the entries stay for the other side. */
export interface MessageStore extends MessageReader {
  /**
   * Finds or creates the conversation of two profiles, and locks it until the transaction ends. Of concurrent calls one
   * creates it. Undefined when one of the profiles is gone, or goes in a transaction that commits first.
   */
  open(conversation: {
    /** For a new one. */
    readonly id: string
    readonly profileId: number
    readonly otherProfileId: number
    readonly createdAt: Date
  }): Promise<Conversation | undefined>
  /**
   * Locks a conversation, and the profiles in it that exist, until the transaction ends. Undefined when the profile is not one
   * of the two, or is gone.
   */
  lock(id: string, profileId: number): Promise<Conversation | undefined>
  /**
   * Appends an entry with the next number, or returns the one that the sender stored with the same client id. Concurrent
   * calls wait for each other, so that numbers have no gaps and follow the order of commits. Its sender must be locked.
   */
  append(message: NewMessage): Promise<{ readonly message: Message; readonly isNew: boolean }>
  /** Marks everything up to a number as read; false when that was read before. */
  markRead(id: string, profileId: number, seq: number): Promise<boolean>
  /** Blocks the other profile since a moment, or unblocks it; false when nothing changes. */
  setBlocked(id: string, profileId: number, blockedAt: Date | null): Promise<boolean>
  /** Deletes the body of a message; false when it was deleted before, also by a transaction that commits first. */
  deleteMessage(id: string, deletedAt: Date): Promise<boolean>
  /** Deletes what the profiles of an account wrote, and conversations of which no profile is left. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
