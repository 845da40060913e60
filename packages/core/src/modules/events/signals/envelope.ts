import type { JsonObject } from '../../../kernel/json.ts'

/** The envelope of an event for clients: CloudEvents 1.0 in JSON, as EEP 0.1 defines it. */
export interface Envelope {
  readonly specversion: '1.0'
  readonly eep_version: '0.1'
  /** Unique, sorts in the order of events, and is the cursor to continue after this event. */
  readonly id: string
  /** The DID of the profile that the event is about, or of the service. */
  readonly source: string
  readonly type: string
  /** The public path of the subject of the event, at most 256 code points; `data` has longer ones in full. */
  readonly subject?: string | undefined
  /** The time of the change; ISO 8601 in UTC. */
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
  /** The envelope as one line of JSON, serialized once for all clients. */
  readonly json: string
  readonly recipients: Recipients
}

/** The recipients of an event, determined when it is sent. */
export type Recipients =
  | { readonly kind: 'everyone' }
  /** The teams of profiles. */
  | { readonly kind: 'teams'; readonly teams: readonly Team[] }
  | { readonly kind: 'account'; readonly accountId: string }
  /** One webhook of an account. */
  | { readonly kind: 'webhook'; readonly accountId: string; readonly webhookId: string }

/** The accounts of a profile: its owner and the members of its team. */
export interface Team {
  readonly profileId: number
  readonly accountIds: ReadonlySet<string>
  /** The only account whose connected apps reach the profile; undefined when those of all members do. */
  readonly appsOf: string | undefined
}
