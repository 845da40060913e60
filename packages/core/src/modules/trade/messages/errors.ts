import { defineError } from '../../../kernel/errors.ts'

export const conversationNotFound = defineError('conversation_not_found', 404, 'Conversation not found')
export const messageNotFound = defineError('message_not_found', 404, 'Message not found')
export const cannotMessageItself = defineError('cannot_message_itself', 400, 'A profile cannot send messages to itself')
export const blocked = defineError('blocked', 403, 'One of these profiles has blocked the other')
export const lowTrust = defineError(
  'low_trust',
  403,
  'The trust score of this profile is too low to start a conversation; it can only reply',
)
export const notContactable = defineError(
  'not_contactable',
  403,
  'This profile receives messages only from profiles that it follows or has answered',
)
export const linksNotAllowed = defineError(
  'links_not_allowed',
  403,
  'New accounts cannot send links to profiles that have not answered them',
)
export const conversationClosed = defineError(
  'conversation_closed',
  409,
  'A profile of this conversation is unavailable',
)
export const tooManyMessages = defineError('too_many_messages', 429, 'Too many messages; try again in a minute')
export const tooManyConversations = defineError(
  'too_many_conversations',
  429,
  'Too many new conversations; try again later',
)
export const notYourMessage = defineError('not_your_message', 403, 'Only the sender can delete a message')
export const messageTooOld = defineError('message_too_old', 409, 'Messages can only be deleted within 24 hours')
