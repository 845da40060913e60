import type { ErrorDefinition } from '../../../kernel/errors.ts'
import type { Conversation } from '../../../ports/storage/messages.ts'
import { blocked, conversationClosed, linksNotAllowed, lowTrust, notContactable } from './errors.ts'

/** The facts that decide, together with the conversation, whether a profile may write to another one. */
export interface SendingFacts {
  /** Whether both profiles and their owners may use the service. */
  readonly areActive: boolean
  /** The trust score of the sender reaches the minimum. */
  readonly isTrusted: boolean
  /** The recipient has the trait `contactable`, or follows the sender. */
  readonly isContactable: boolean
  /** The account is new, and the text has a link. */
  readonly hasNewLink: boolean
}

type Sides = Pick<Conversation, 'own' | 'other'>

/** Whether a message answers the other profile. Replies need neither trust nor the trait `contactable`. */
export const isReply = (conversation: Sides | undefined): boolean => conversation?.other?.hasWritten === true

/** Returns the reason to refuse a message, or undefined. `conversation` is undefined for the first message. */
export function refusalOf(conversation: Sides | undefined, facts: SendingFacts): ErrorDefinition | undefined {
  if (conversation && (conversation.own.blockedAt || conversation.other?.blockedAt)) return blocked
  if (!facts.areActive || conversation?.other === null) return conversationClosed
  if (isReply(conversation)) return undefined
  if (!facts.isTrusted) return lowTrust
  if (!facts.isContactable) return notContactable
  return facts.hasNewLink ? linksNotAllowed : undefined
}

// A scheme, `www.`, or a domain with a path: text that message clients turn into links.
const LINK = /\b[a-z][a-z0-9+.-]{1,31}:\/\/\S|\bwww\.\S|\b[a-z0-9-]{1,63}\.[a-z]{2,24}\/\S/i

/** Whether a text contains something that clients turn into a link. */
export const hasLink = (text: string): boolean => LINK.test(text)
