import type { Conversation } from '../../../ports/storage/messages.ts'
import { type MessageService, serializeMessage } from '../../trade/messages/index.ts'
import type { SignalEvent, SignalService } from '../signals/index.ts'
import type { OnOpen, SocketClient } from './frame-handlers.ts'
import { CLOSE, errorFrame, type ServerFrame } from './frames.ts'

export interface ChatDeps {
  readonly messages: MessageService
  readonly signals: Pick<SignalService, 'subscribe'>
  readonly onError: (error: unknown) => void
}

const TYPES: ReadonlySet<string> = new Set(['message.received', 'message.sent', 'message.read', 'message.deleted'])
const SCOPE = 'read:messages'

/** Whether the current credentials of a connection may read messages; `auth_refresh` replaces them. */
const mayReadMessages = ({ caller: { scopes } }: SocketClient): boolean => scopes === 'all' || scopes.includes(SCOPE)

/** The data of an event of this module. */
interface MessageEventData {
  readonly conversation_id: string
  readonly message_id: string
  readonly seq: number
  readonly reader_profile_id?: number
  readonly sender_profile_id?: number | null
  readonly recipient_profile_id?: number
  readonly connection_id?: string | null
}

/** Delivers messages to connections, from the event log. */
export function deliverMessages({ messages, signals, onError }: ChatDeps) {
  /** The connections on `/ws/messages` that may act for a profile. */
  const byProfile = new Map<number, Set<SocketClient>>()
  /** Events contain no texts, so each text is read once for all connections of this instance. */
  const texts = new WeakMap<SignalEvent, Promise<ServerFrame | undefined>>()
  const chats = new WeakMap<SignalEvent, Promise<ServerFrame | undefined>>()

  // Only events of messages are delivered here; their data was checked against its schema when it was emitted.
  const dataOf = ({ envelope }: SignalEvent) => envelope.data as unknown as MessageEventData

  /** Builds the frame of `/ws/messages` for an event. */
  async function directFrame(event: SignalEvent): Promise<ServerFrame | undefined> {
    const { type, envelope, profileId } = event
    const common = { event_id: envelope.id, profile_id: profileId }
    if (type === 'message.read' || type === 'message.deleted') {
      return { type: 'chat', action: type, data: { ...common, ...envelope.data } }
    }
    const message = await messages.get(dataOf(event).message_id)
    if (!message) return undefined
    // The frame is the same for both teams and names the sender.
    const data = { ...common, message: serializeMessage(message, profileId ?? 0) }
    return { type: 'chat', action: 'message.received', data }
  }

  /** Builds the frame of `/eep/pulse` for an event. Undefined for deletions, which EEP does not define. */
  async function chatFrame(event: SignalEvent): Promise<ServerFrame | undefined> {
    const { conversation_id, message_id, seq, ...of } = dataOf(event)
    if (event.type === 'message.deleted') return undefined
    const isRead = event.type === 'message.read'
    const message = isRead ? undefined : await messages.get(message_id)
    if (!isRead && !message) return undefined
    const common = {
      event_id: event.envelope.id,
      profile_id: event.profileId,
      // The other profile of the conversation.
      entity_did: await messages.didOf(of.reader_profile_id ?? of.recipient_profile_id ?? of.sender_profile_id ?? null),
      conversation_id,
      message_id,
      seq,
    }
    if (!message) return { type: 'chat', action: 'read_ack', data: common }
    const { body, kind, is_own, negotiation, created_at } = serializeMessage(message, event.profileId ?? 0)
    const data = { ...common, message: body, kind, is_own, negotiation, created_at }
    return { type: 'chat', action: 'received', data }
  }

  function frameOf(event: SignalEvent, { socket }: SocketClient): Promise<ServerFrame | undefined> {
    const [known, make] = socket === 'pulse' ? [chats, chatFrame] : [texts, directFrame]
    const made = known.get(event) ?? make(event)
    known.set(event, made)
    return made
  }

  /**
   * Whether a connection receives a sent message in another way: as the response to its own frame, or as the recipient.
   */
  async function hasSent(event: SignalEvent, { id, caller, activeProfileId }: SocketClient): Promise<boolean> {
    const { connection_id, recipient_profile_id: recipientId } = dataOf(event)
    if (connection_id === id) return true
    if (recipientId === undefined || (activeProfileId !== undefined && activeProfileId !== recipientId)) return false
    return messages.mayRead(recipientId, caller)
  }

  async function deliver(event: SignalEvent, client: SocketClient): Promise<void> {
    if (!mayReadMessages(client)) return
    if (event.type === 'message.sent' && (await hasSent(event, client))) return
    const frame = await frameOf(event, client)
    if (frame) await client.deliver(frame)
  }

  /** Registers a connection for the profiles that it may act for. Returns a function that removes it. */
  function register(client: SocketClient): () => void {
    const { caller, activeProfileId } = client
    let isOpen = true
    let ids: readonly number[] = []
    const remove = () => {
      isOpen = false
      for (const id of ids) {
        const others = byProfile.get(id)
        others?.delete(client)
        if (others?.size === 0) byProfile.delete(id)
      }
    }
    messages
      .profilesOf({ caller, activeProfileId })
      .then((found) => {
        if (!isOpen) return
        ids = found
        for (const id of ids) byProfile.set(id, (byProfile.get(id) ?? new Set()).add(client))
      })
      .catch(onError)
    return remove
  }

  const onOpen: OnOpen = (client) => {
    if (!mayReadMessages(client)) return undefined
    const { activeProfileId, socket } = client
    const profileIds = activeProfileId === undefined ? undefined : new Set([activeProfileId])
    const subscription = signals.subscribe({
      filter: { types: TYPES, profileIds },
      reader: {
        kind: 'caller',
        get caller() {
          return client.caller
        },
      },
      after: client.lastEventId,
      onEvent: (event) => deliver(event, client),
      onReset({ reason, oldestEventId }) {
        const details = { reason, oldest_event_id: oldestEventId }
        const message = 'The events after this one are no longer kept'
        client.send(errorFrame({ code: 'replay_window_exceeded', message, details }))
        client.close(CLOSE.replayWindow)
      },
      onEnd: (reason) => client.close({ slow: CLOSE.slow, stopping: CLOSE.goingAway, failed: CLOSE.failed }[reason]),
    })
    const remove = socket === 'messages' ? register(client) : undefined
    return () => {
      subscription.close()
      remove?.()
    }
  }

  return {
    onOpen,

    /** Shows the other profile of a conversation that the acting profile is typing, on connections of this instance. */
    async showTyping({ id, profileId, otherProfileId }: Conversation): Promise<void> {
      for (const client of byProfile.get(otherProfileId) ?? []) {
        // A member may have left the team since it connected.
        if (!(await messages.mayRead(otherProfileId, client.caller))) continue
        client.send({ type: 'chat', action: 'typing', data: { conversation_id: id, profile_id: profileId } })
      }
    },
  }
}
