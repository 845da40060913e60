import type { Consumers } from '../consumers/consumers.ts'
import type { EmailRate } from '../email/email-rate.ts'
import type { Outbox } from '../email/outbox.ts'
import type { EventCatalogue } from '../events/catalogue.ts'
import type { Emit } from '../events/define-event.ts'
import type { CookiePolicy } from '../http/cookies.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Keyring } from '../kernel/keyring.ts'
import type { Settings } from '../options/options.ts'
import type { GuardedFetch } from '../outbound/index.ts'
import type { EepLogger } from '../ports/logger.ts'
import type { OwnershipEvents } from '../ports/storage/erasure.ts'
import type { StoredEvent } from '../ports/storage/events.ts'
import type { OptionalGroup, Stores } from '../ports/storage/storage.ts'
import type { LocalRateLimits } from '../rate-limits/local-rate-limits.ts'
import type { GuardedStorage } from '../storage/guard.ts'
import type { NameHashes } from '../storage/name-hashes.ts'
import type { ReadCache } from '../storage/read-cache.ts'
import type { NotificationDefinition } from './define-notification.ts'

/** Runs in the transaction that hands an account to the proven owner of its email address. */
export type TakeOverStep<With extends OptionalGroup = never> = (
  tx: Stores<With>,
  emit: Emit,
  accountId: string,
  at: Date,
) => Promise<void>

/** What every module is created with. The stores of the groups that it names in `stores` are there. */
export interface ModuleContext<With extends OptionalGroup = never> extends GuardedStorage<With> {
  /** The URL under which clients reach the service, without a trailing slash. */
  readonly publicUrl: string
  /** The name of the service. */
  readonly name: string
  readonly clock: Clock
  readonly logger: EepLogger | undefined
  /** Values that public reads are made of. Entries of a profile or an account are dropped when an event names it. */
  readonly cache: ReadCache
  /** `fetch` for URLs that users name: refuses private addresses and limits time and size. */
  readonly outbound: GuardedFetch
  /** Calls a listener after commit for each event of any instance, from now on. Errors are logged. */
  readonly listen: Consumers['live']
}

/**
 * What the modules of this package see beside that: the settings and the internals of the service.
 */
export interface CoreContext<With extends OptionalGroup = never> extends ModuleContext<With> {
  readonly settings: Settings
  readonly serviceDid: string
  /** Where payment is explained to agents; absolute. */
  readonly docsUrl: string
  readonly consumers: Consumers
  /** The events of all modules, also of those that are off. */
  readonly catalogue: EventCatalogue
  /** The names of the modules that are on. */
  readonly moduleNames: ReadonlySet<string>
  /** The events of the modules that are on. */
  readonly activeEvents: EventCatalogue['definitions']
  /** What the modules that are on notify accounts of. */
  readonly notificationKinds: readonly NotificationDefinition[]
  /** The types of events that are defined with `changelog: true`. */
  readonly changelogTypes: readonly string[]
  readonly keyring: Keyring
  readonly nameHashes: NameHashes
  /** Lists of everything public; large, so few are kept. */
  readonly siteIndex: ReadCache
  /** Whole answers to public reads. */
  readonly answers: ReadCache
  readonly outbox: Outbox
  readonly emailRate: EmailRate
  /** Counts attempts by key, shared between instances where the host configured it. */
  readonly counters: LocalRateLimits
  /** A limit multiplied as the host configured it. */
  readonly scaled: (limit: number) => number
  /** Requests a minute of each rate group. */
  readonly limits: Readonly<Record<string, number>>
  /** The scopes that API keys may have: those of every module that is on. */
  readonly scopes: readonly string[]
  /** Logs a failure in the background. */
  readonly report: (error: unknown, event?: StoredEvent) => void
  /** What ends the access that an account gave away, in the order of the modules. */
  readonly takeOvers: readonly TakeOverStep[]
  /** The events of every module, on or off, that show who owned a profile. */
  readonly ownership: OwnershipEvents
  /** What routes share on every listener; created after the services. */
  readonly cookies: CookiePolicy
  readonly trustedOrigins: readonly string[]
}
