import type { Page } from '../../../kernel/page.ts'
import type {
  ConversationRequest,
  ListedConversation,
  Message,
  MessageRequest,
} from '../../../ports/storage/messages.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { MessageDraft, MessageTarget } from './sending.ts'
import type { Acting } from './service.ts'

/** The methods of `app.eep.messages`. */
export interface MessagesApi {
  /** Returns the conversations of the acting profile, latest message first. */
  list(
    request: ConversationRequest,
    actor: Acting,
  ): Promise<{ readonly profile: Profile; readonly page: Page<ListedConversation> }>
  /**
   * Sends a message in a conversation.
   *
   * @throws `conversation_not_found`, `not_profile_owner`, `blocked`, `conversation_closed`, `low_trust`, `not_contactable`,
   * `links_not_allowed`, `too_many_messages`
   */
  send(conversationId: string, draft: MessageDraft, actor: Acting): Promise<Message>
  /**
   * Sends a message to a profile, in the one conversation of the two, which the first message opens. A message with
   * a client id that the sender used before is not stored again.
   *
   * @throws `profile_not_found`, `not_profile_owner`, `cannot_message_itself`, `blocked`, `conversation_closed`, `low_trust`,
   * `not_contactable`, `links_not_allowed`, `too_many_messages`, `too_many_conversations`
   */
  open(
    target: Exclude<MessageTarget, { conversationId: string }>,
    draft: MessageDraft,
    actor: Acting,
  ): Promise<{ readonly listed: ListedConversation; readonly message: Message }>
  /**
   * Marks a conversation as read up to a message. Never moves the mark backwards.
   *
   * @throws `conversation_not_found`, `message_not_found`, `not_profile_owner`
   */
  markRead(id: string, messageId: string, actor: Acting): Promise<ListedConversation>
  /**
   * Returns the entries of a conversation by sequence number.
   *
   * @throws `conversation_not_found`, `not_profile_owner`, `invalid_cursor`
   */
  listMessages(
    id: string,
    request: MessageRequest,
    actor: Acting,
  ): Promise<{ readonly listed: ListedConversation; readonly page: Page<Message> }>
  /**
   * Blocks or unblocks the other profile of a conversation. Neither profile can send while one of them blocks the other.
   *
   * @throws `conversation_not_found`, `not_profile_owner`
   */
  setBlocked(id: string, state: { readonly isBlocked: boolean }, actor: Acting): Promise<ListedConversation>
  /**
   * Deletes the text of a message of the acting profile for both sides, and keeps its place. Does nothing when it was deleted
   * before.
   *
   * @throws `conversation_not_found`, `message_not_found`, `not_your_message`, `message_too_old`, `not_profile_owner`
   */
  deleteMessage(id: string, messageId: string, actor: Acting): Promise<Message>
}
