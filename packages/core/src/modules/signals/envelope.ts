import type { JsonObject } from '../../kernel/json.ts'

/** An event as clients get it: CloudEvents 1.0 in JSON, as EEP 0.1 has it. */
export interface Envelope {
  readonly specversion: '1.0'
  readonly eep_version: '0.1'
  /** Unique, sorts in the order of events, and is the cursor to continue after this event. */
  readonly id: string
  /** The DID of the profile that the event is about, or of the service. */
  readonly source: string
  readonly type: string
  /** The public path of what the event is about. */
  readonly subject?: string | undefined
  /** When the change was made; ISO 8601 in UTC. */
  readonly time: string
  readonly datacontenttype: 'application/json'
  readonly data: JsonObject
}

/** An event that may be sent, and to whom. */
export interface SignalEvent {
  /** Its place in the log. */
  readonly cursor: string
  /** Its type without the prefix of the service. */
  readonly type: string
  /** The profile it is about; null for accounts and the service. */
  readonly profileId: number | null
  readonly envelope: Envelope
  /** The envelope in one line of JSON, written once for all clients. */
  readonly json: string
  readonly recipients: Recipients
}

/** The recipients that may get an event, decided when it is sent. */
export type Recipients =
  | { readonly kind: 'everyone' }
  /** The teams of profiles. */
  | { readonly kind: 'teams'; readonly teams: readonly Team[] }
  | { readonly kind: 'account'; readonly accountId: string }

/** The accounts of a profile: its owner and the members of its team. */
export interface Team {
  readonly profileId: number
  readonly accountIds: ReadonlySet<string>
}
