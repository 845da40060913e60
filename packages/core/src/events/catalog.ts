import type { AccountEvents } from '../modules/accounts/events.ts'
import type { ApiKeyEvents } from '../modules/api-keys/events.ts'
import type { CommerceEvents } from '../modules/commerce/events.ts'
import type { ConnectionEvents } from '../modules/connections/events.ts'
import type { ContentEvents } from '../modules/content/events.ts'
import type { FileEvents } from '../modules/files/events.ts'
import type { GateEvents } from '../modules/gates/events.ts'
import type { JobEvents } from '../modules/jobs/events.ts'
import type { MediaEvents } from '../modules/media/events.ts'
import type { OAuthEvents } from '../modules/oauth/events.ts'
import type { PaymentEvents } from '../modules/payments/events.ts'
import type { ProfileEvents } from '../modules/profiles/events.ts'
import type { ReactionEvents } from '../modules/reactions/events.ts'
import type { ServiceEvents } from '../modules/services/events.ts'
import type { SubscriptionEvents } from '../modules/subscriptions/events.ts'
import type { TeamEvents } from '../modules/teams/events.ts'
import type { TrustEvents } from '../modules/trust/events.ts'
import type { WalletEvents } from '../modules/wallets/events.ts'
import type { StoredEvent } from './store.ts'

/** Every event of the service: its type and its data. */
export interface EepEvents
  extends AccountEvents,
    ApiKeyEvents,
    OAuthEvents,
    WalletEvents,
    ProfileEvents,
    TeamEvents,
    ContentEvents,
    ReactionEvents,
    ConnectionEvents,
    FileEvents,
    MediaEvents,
    JobEvents,
    GateEvents,
    PaymentEvents,
    ServiceEvents,
    CommerceEvents,
    SubscriptionEvents,
    TrustEvents {}

/** The types of events that the service emits. */
export type EepEventType = keyof EepEvents

/** An event as a listener gets it. */
export type EepEvent<Type extends EepEventType = EepEventType> = {
  [Each in Type]: Omit<StoredEvent, 'type' | 'data'> & { readonly type: Each; readonly data: EepEvents[Each] }
}[Type]

/** What an emitted event is about and who caused it. */
export interface EventOrigin {
  readonly profileId?: number | undefined
  readonly accountId?: string | undefined
}

/** Notes an event to be stored with the change it tells of. */
export type Emit = <Type extends EepEventType>(type: Type, data: EepEvents[Type], origin?: EventOrigin) => void
