import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/durations.ts'
import type { Caller } from '../../../model/caller.ts'
import type { ProfileType } from '../../../model/profile-type.ts'
import type { RateLimitStore } from '../../../ports/rate-limit-store.ts'
import type { ConnectionReader } from '../../../ports/storage/connections.ts'
import type { Conversation, Message } from '../../../ports/storage/messages.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { msUntilReset } from '../../../runtime/rate-limits/ms-until-reset.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { type ProfileService, profileNotFound } from '../../profiles/profiles/index.ts'
import { cannotMessageItself, conversationNotFound, tooManyConversations, tooManyMessages } from './errors.ts'
import { messageReceived, messageSent } from './events.ts'
import { hasLink, isReply, refusalOf, type SendingFacts } from './rules.ts'

/** Limits from the options. */
export interface MessageLimits {
  readonly minTrustScore: number
  readonly perMinute: number
  readonly newPerHour: number
  readonly newAccountDays: number
  readonly newAccountPerMinute: number
  readonly newAccountNewPerHour: number
}

export interface SendingDeps extends GuardedStorage<'messages'> {
  readonly clock: Clock
  readonly profiles: Pick<ProfileService, 'find' | 'get' | 'byDid' | 'requirePermissionIn'>
  /** Undefined when the module is switched off. */
  readonly connections: Pick<ConnectionReader, 'relationOf'> | undefined
  /** The trust score of a profile, 0 to 100. */
  readonly trustOf: (profile: Profile) => Promise<number>
  readonly counters: Pick<RateLimitStore, 'hit'>
  readonly limits: MessageLimits
}

/** The recipient of a message: a conversation or a profile. */
export type MessageTarget =
  | { readonly conversationId: string }
  | { readonly profileId: number }
  | { readonly did: string }
  | { readonly type: ProfileType; readonly username: string }

/** A message to send. */
export interface MessageDraft {
  readonly body: string
  readonly clientId?: string | undefined
  /** The socket connection of the sender. It receives an answer instead of an event. */
  readonly connectionId?: string | undefined
}

/** Creates the functions that check the rules, and that append a message to the conversation of two profiles. */
export function createSending({ read, write, clock, profiles, connections, trustOf, counters, limits }: SendingDeps) {
  async function recipientOf(target: Exclude<MessageTarget, { conversationId: string }>, caller: Caller) {
    if ('profileId' in target) return profiles.get(target.profileId, caller)
    if ('did' in target) return profiles.byDid(target.did, caller)
    return profiles.find(target.type, target.username, caller)
  }

  async function locate(
    target: MessageTarget,
    sender: Profile,
    caller: Caller,
  ): Promise<{ readonly recipientId: number; readonly conversation: Conversation | undefined }> {
    if ('conversationId' in target) {
      const conversation = await read.messages.get(target.conversationId, sender.id)
      if (!conversation) throw conversationNotFound()
      return { recipientId: conversation.otherProfileId, conversation }
    }
    const { id: recipientId } = await recipientOf(target, caller)
    if (recipientId === sender.id) throw cannotMessageItself()
    return { recipientId, conversation: await read.messages.find(sender.id, recipientId) }
  }

  async function isActive(profile: Profile | undefined): Promise<boolean> {
    if (!profile || profile.withdrawnAt) return false
    return (await read.accounts.get(profile.ownerAccountId))?.bannedAt === null
  }

  const newUntil = ({ account }: Caller) => new Date(account.createdAt.getTime() + limits.newAccountDays * DAY_MS)
  const isNewAccount = (caller: Caller) => clock() < newUntil(caller)

  /** Reads the data for the rules before the transaction. Replies skip the data that only first messages need. */
  async function factsOf(
    sender: Profile,
    recipientId: number,
    { conversation, text, caller }: { conversation: Conversation | undefined; text: string; caller: Caller },
  ): Promise<SendingFacts> {
    const recipient = await read.profiles.get(recipientId)
    const areActive = (await isActive(sender)) && (await isActive(recipient))
    if (isReply(conversation)) return { areActive, isTrusted: true, isContactable: true, hasNewLink: false }
    const isContactable =
      recipient?.capabilities.includes('contactable') === true ||
      (await connections?.relationOf([recipientId], sender.id))?.follower === true
    return {
      areActive,
      isTrusted: (await trustOf(sender)) >= limits.minTrustScore,
      isContactable,
      hasNewLink: isNewAccount(caller) && hasLink(text),
    }
  }

  /** Counts a message, and a new conversation, against the limits. */
  async function count(caller: Caller, opens: boolean): Promise<void> {
    const isNew = isNewAccount(caller)
    const { id } = caller.account
    const count = async (key: string, windowMs: number, max: number, refusal: typeof tooManyMessages) => {
      const hit = await counters.hit(`${key}:${id}`, windowMs)
      if (hit.count <= max) return
      throw refusal({
        retryAfterMs: msUntilReset(hit),
        details: isNew ? { new_account_until: newUntil(caller).toISOString() } : undefined,
      })
    }
    const perMinute = isNew ? limits.newAccountPerMinute : limits.perMinute
    await count('messages', MINUTE_MS, perMinute, tooManyMessages)
    const newPerHour = isNew ? limits.newAccountNewPerHour : limits.newPerHour
    if (opens) await count('conversations', HOUR_MS, newPerHour, tooManyConversations)
  }

  /** Whether the rules let a profile write to another one now; limits of time do not count. */
  async function maySend(sender: Profile, recipient: Pick<Profile, 'id'>, caller: Caller): Promise<boolean> {
    if (sender.id === recipient.id) return false
    const conversation = await read.messages.find(sender.id, recipient.id)
    return (
      refusalOf(conversation, await factsOf(sender, recipient.id, { conversation, text: '', caller })) === undefined
    )
  }

  /**
   * Stores a message of a profile, or returns its earlier message with the same client id. Concurrent messages of a
   * conversation are serialized.
   *
   * @throws `conversation_not_found`, `profile_not_found`, `cannot_message_itself`, `not_profile_owner`, and the errors of the
   * rules and limits
   */
  async function send(
    target: MessageTarget,
    { body, clientId, connectionId }: MessageDraft,
    { sender, caller }: { readonly sender: Profile; readonly caller: Caller },
  ): Promise<Message> {
    const { recipientId, conversation } = await locate(target, sender, caller)
    const known =
      conversation && clientId !== undefined
        ? await read.messages.getByClientId(conversation.id, sender.id, clientId)
        : undefined
    if (known) return known
    const facts = await factsOf(sender, recipientId, { conversation, text: body, caller })
    const refusal = refusalOf(conversation, facts)
    if (refusal) throw refusal()
    await count(caller, conversation === undefined)
    const [id, conversationId] = [randomUUID(), randomUUID()]
    return write(async (tx, emit) => {
      const createdAt = clock()
      const pair = { id: conversationId, profileId: sender.id, otherProfileId: recipientId, createdAt }
      const locked = conversation ? await tx.messages.lock(conversation.id, sender.id) : await tx.messages.open(pair)
      if (!locked) throw conversation ? conversationNotFound() : profileNotFound()
      await profiles.requirePermissionIn(tx, sender.id, caller, 'messages.send')
      // The other profile may have set a block, or been deleted, since the rules were checked.
      const lateRefusal = refusalOf(locked, facts)
      if (lateRefusal) throw lateRefusal()
      const { message, isNew } = await tx.messages.append({
        id,
        conversationId: locked.id,
        kind: 'message',
        senderProfileId: sender.id,
        clientId: clientId ?? null,
        body,
        data: {},
        createdAt,
      })
      if (isNew) {
        const entry = { conversationId: locked.id, messageId: id, seq: message.seq }
        const accountId = caller.account.id
        const received = { ...entry, kind: 'message' as const, senderProfileId: sender.id }
        emit(messageReceived, received, { profileId: recipientId, accountId })
        const sent = { ...entry, recipientProfileId: recipientId, connectionId: connectionId ?? null }
        emit(messageSent, sent, { profileId: sender.id, accountId })
      }
      return message
    })
  }

  return { send, maySend }
}
