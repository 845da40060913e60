import { isEepError } from '../../../kernel/errors.ts'
import { encodeCursor, type Page } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Action, May } from '../../../model/permission.ts'
import type {
  Conversation,
  ConversationRequest,
  ListedConversation,
  Message,
  MessageRequest,
} from '../../../ports/storage/messages.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { listProfilesOfAccount, type MyProfiles, type ProfileService } from '../../profiles/profiles/index.ts'
import { conversationNotFound, messageNotFound, messageTooOld, notYourMessage } from './errors.ts'
import { conversationRead, messageDeleted } from './events.ts'
import { createSending, type MessageDraft, type MessageTarget, type SendingDeps } from './sending.ts'

export interface MessageDeps extends SendingDeps {
  readonly profiles: SendingDeps['profiles'] & Pick<ProfileService, 'requirePermission' | 'didOf'>
  readonly myProfiles: Pick<MyProfiles, 'acting'>
  readonly may: May
}

/** The acting profile: the one that the request names, or the default of the caller. */
export interface Acting {
  readonly caller: Caller
  readonly activeProfileId?: number | undefined
}

const DELETABLE_MS = 86_400_000
/** The maximum number of profiles of a caller for which typing is shown. */
const MAX_PROFILES = 100

export function createMessageService(deps: MessageDeps) {
  const { read, write, clock, profiles, myProfiles, may } = deps
  const { send: sendAs, maySend } = createSending(deps)

  async function acting({ caller, activeProfileId }: Acting, action: Action): Promise<Profile> {
    const profile = await myProfiles.acting(activeProfileId ?? caller.profileId, caller)
    await profiles.requirePermission(profile, caller, action)
    return profile
  }

  /** A conversation of the acting profile. */
  async function find(id: string, actor: Acting, action: Action): Promise<Conversation> {
    const conversation = await read.messages.get(id, (await acting(actor, action)).id)
    if (!conversation) throw conversationNotFound()
    return conversation
  }

  async function listedOf({ id, profileId }: Pick<Conversation, 'id' | 'profileId'>): Promise<ListedConversation> {
    const listed = await read.messages.getListed(id, profileId)
    if (!listed) throw conversationNotFound()
    return listed
  }

  /** A message of a conversation. */
  async function messageOf({ id }: Conversation, messageId: string): Promise<Message> {
    const message = await read.messages.getMessage(messageId)
    if (message?.conversationId !== id) throw messageNotFound()
    return message
  }

  /** Whether a caller may read the conversations of a profile. */
  async function mayRead(profileId: number, caller: Caller): Promise<boolean> {
    try {
      await acting({ caller, activeProfileId: profileId }, 'messages.read')
      return true
    } catch (error) {
      if (isEepError(error) && error.status < 500) return false
      throw error
    }
  }

  return {
    /** Returns a message by its id, without an access check. */
    get: (messageId: string): Promise<Message | undefined> => read.messages.getMessage(messageId),

    /** Returns the DID of a profile, or undefined when it was deleted. */
    async didOf(profileId: number | null): Promise<string | undefined> {
      const profile = profileId === null ? undefined : await read.profiles.get(profileId)
      return profile && profiles.didOf(profile)
    },

    mayRead,

    /** Returns the profiles that a caller may act for, or only the given one. */
    async profilesOf({ caller, activeProfileId }: Acting): Promise<readonly number[]> {
      const only = activeProfileId ?? caller.profileId
      if (only !== undefined) return (await mayRead(only, caller)) ? [only] : []
      const { items } = await listProfilesOfAccount(read, caller.account.id, { limit: MAX_PROFILES })
      return items.flatMap(({ profile, role }) => (may(role, 'messages.read') ? [profile.id] : []))
    },

    /**
     * Returns the conversation in which the acting profile types; undefined while one profile blocks the other.
     *
     * @throws `conversation_not_found`, `not_profile_owner`
     */
    async typing(id: string, actor: Acting): Promise<Conversation | undefined> {
      const conversation = await find(id, actor, 'messages.send')
      const { own, other } = conversation
      return own.blockedAt || !other || other.blockedAt ? undefined : conversation
    },

    /**
     * Returns the conversation of the acting profile with the profile of a DID.
     *
     * @throws `conversation_not_found`, `profile_not_found`, `not_profile_owner`
     */
    async between(did: string, actor: Acting): Promise<Conversation> {
      const profile = await acting(actor, 'messages.read')
      const other = await profiles.byDid(did, actor.caller)
      const conversation = await read.messages.find(profile.id, other.id)
      if (!conversation) throw conversationNotFound()
      return conversation
    },

    /**
     * Returns messages of a conversation, newest first, from the end or before a given message.
     *
     * @throws `message_not_found`
     */
    async before(conversation: Conversation, messageId: string | undefined, limit: number): Promise<Page<Message>> {
      const cursor =
        messageId === undefined ? undefined : encodeCursor([(await messageOf(conversation, messageId)).seq])
      return read.messages.listMessages(conversation.id, { order: 'desc', limit, cursor })
    },

    async open(
      target: Exclude<MessageTarget, { conversationId: string }>,
      draft: MessageDraft,
      actor: Acting,
    ): Promise<{ readonly listed: ListedConversation; readonly message: Message }> {
      const sender = await acting(actor, 'messages.send')
      const message = await sendAs(target, draft, { sender, caller: actor.caller })
      return { listed: await listedOf({ id: message.conversationId, profileId: sender.id }), message }
    },

    /** Whether a caller has a profile that may write to another one. */
    async mayWriteTo(recipient: Pick<Profile, 'id'>, actor: Acting): Promise<boolean> {
      try {
        return await maySend(await acting(actor, 'messages.send'), recipient, actor.caller)
      } catch (error) {
        if (isEepError(error) && error.status < 500) return false
        throw error
      }
    },

    async send(conversationId: string, draft: MessageDraft, actor: Acting): Promise<Message> {
      const sender = await acting(actor, 'messages.send')
      return sendAs({ conversationId }, draft, { sender, caller: actor.caller })
    },

    /** Returns the conversation of the acting profile with another one; undefined when they have none, or the caller has no profile. */
    async findWith(other: Pick<Profile, 'id'>, actor: Acting): Promise<Conversation | undefined> {
      try {
        return await read.messages.find((await acting(actor, 'messages.send')).id, other.id)
      } catch (error) {
        if (isEepError(error) && error.status < 500) return undefined
        throw error
      }
    },

    async list(
      request: ConversationRequest,
      actor: Acting,
    ): Promise<{ readonly profile: Profile; readonly page: Page<ListedConversation> }> {
      const profile = await acting(actor, 'messages.read')
      return { profile, page: await read.messages.list(profile.id, request) }
    },

    async listMessages(
      id: string,
      request: MessageRequest,
      actor: Acting,
    ): Promise<{ readonly listed: ListedConversation; readonly page: Page<Message> }> {
      const listed = await listedOf(await find(id, actor, 'messages.read'))
      return { listed, page: await read.messages.listMessages(id, request) }
    },

    async markRead(id: string, messageId: string, actor: Acting): Promise<ListedConversation> {
      const conversation = await find(id, actor, 'messages.read')
      const { seq } = await messageOf(conversation, messageId)
      const { profileId, otherProfileId: profile } = conversation
      await write(async (tx, emit) => {
        const locked = await tx.messages.lock(id, profileId)
        await profiles.requirePermissionIn(tx, profileId, actor.caller, 'messages.read')
        if (!locked || !(await tx.messages.markRead(id, profileId, seq))) return
        // Blocked profiles receive no read receipts either.
        if (locked.own.blockedAt || !locked.other || locked.other.blockedAt) return
        const data = { conversationId: id, messageId, seq, readerProfileId: profileId }
        emit(conversationRead, data, { profileId: profile, accountId: actor.caller.account.id })
      })
      return listedOf(conversation)
    },

    async setBlocked(
      id: string,
      { isBlocked }: { readonly isBlocked: boolean },
      actor: Acting,
    ): Promise<ListedConversation> {
      const conversation = await find(id, actor, 'messages.send')
      const { profileId } = conversation
      await write(async (tx) => {
        await tx.messages.lock(id, profileId)
        await profiles.requirePermissionIn(tx, profileId, actor.caller, 'messages.send')
        await tx.messages.setBlocked(id, profileId, isBlocked ? clock() : null)
      })
      return listedOf(conversation)
    },

    /**
     * Returns a conversation in which the acting profile may send, and one of its messages.
     *
     * @throws `conversation_not_found`, `message_not_found`, `not_profile_owner`
     */
    async locate(
      id: string,
      messageId: string | undefined,
      actor: Acting,
    ): Promise<{ readonly conversation: Conversation; readonly message: Message | undefined }> {
      const conversation = await find(id, actor, 'messages.send')
      return { conversation, message: messageId === undefined ? undefined : await messageOf(conversation, messageId) }
    },

    /**
     * Locks a conversation until the transaction ends.
     *
     * @throws `conversation_not_found` when it was deleted meanwhile
     */
    async lock(tx: Stores, { id, profileId }: Pick<Conversation, 'id' | 'profileId'>): Promise<void> {
      if (!(await requireGroup(tx, 'messages').messages.lock(id, profileId))) throw conversationNotFound()
    },

    async deleteMessage(id: string, messageId: string, actor: Acting): Promise<Message> {
      const conversation = await find(id, actor, 'messages.send')
      const message = await messageOf(conversation, messageId)
      const { profileId, otherProfileId } = conversation
      if (message.kind !== 'message' || message.senderProfileId !== profileId) throw notYourMessage()
      if (message.deletedAt) return message
      const now = clock()
      if (now.getTime() - message.createdAt.getTime() > DELETABLE_MS) throw messageTooOld()
      await write(async (tx, emit) => {
        await tx.messages.lock(id, profileId)
        await profiles.requirePermissionIn(tx, profileId, actor.caller, 'messages.send')
        if (!(await tx.messages.deleteMessage(messageId, now))) return
        const data = { conversationId: id, messageId, seq: message.seq, senderProfileId: profileId }
        emit(messageDeleted, data, { profileId: otherProfileId, accountId: actor.caller.account.id })
      })
      return messageOf(conversation, messageId)
    },
  }
}

/** Conversations between profiles. */
export type MessageService = ReturnType<typeof createMessageService>
