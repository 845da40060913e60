import type { CookiePolicy } from '../../http/cookies.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import type { ReaderProofs } from '../../model/audience-proof.ts'
import type { May } from '../../model/permission.ts'
import type { PlanTable } from '../../model/plan.ts'
import type { EepLogger } from '../../ports/logger.ts'
import type { MoneyKind } from '../../ports/money-kind.ts'
import type { OwnershipEvents } from '../../ports/storage/erasure.ts'
import type { StoredEvent } from '../../ports/storage/events.ts'
import type { OptionalGroup, StorageWorkload, Stores } from '../../ports/storage/storage.ts'
import type { Consumers } from '../../runtime/consumers/consumers.ts'
import type { EmailRate } from '../../runtime/email/email-rate.ts'
import type { Outbox } from '../../runtime/email/outbox.ts'
import type { EventCatalogue } from '../../runtime/events/catalogue.ts'
import type { Emit } from '../../runtime/events/define-event.ts'
import type { GuardedFetch } from '../../runtime/outbound/index.ts'
import type { LocalRateLimits } from '../../runtime/rate-limits/local-rate-limits.ts'
import type { GuardedStorage } from '../../runtime/storage/guard.ts'
import type { NameHashes } from '../../runtime/storage/name-hashes.ts'
import type { ReadCache } from '../../runtime/storage/read-cache.ts'
import type { Metrics } from '../../runtime/telemetry/metrics.ts'
import type { RequestScope } from '../../runtime/telemetry/request-scope.ts'
import type { Tracing } from '../../runtime/telemetry/tracing.ts'
import type { Settings } from '../options/options.ts'
import type { Caches } from './caches.ts'
import type { NotificationDefinition } from './define-notification.ts'
import type { DeliverPlatformSale } from './platform-sale.ts'
import type { AddedPart, EventDelivery } from './profile-part.ts'
import type { ScopeDefinition } from './scope.ts'

/** Runs in the transaction that hands an account to the proven owner of its email address. */
export type TakeOverStep<With extends OptionalGroup = never> = (
  tx: Stores<With>,
  emit: Emit,
  accountId: string,
  at: Date,
) => Promise<void>

/**
 * Ends the credentials that were added to an account at or after a time, in the transaction that undoes a change of its email
 * address or of its payout wallet.
 */
export type EndAddedStep<With extends OptionalGroup = never> = (
  tx: Stores<With>,
  emit: Emit,
  accountId: string,
  period: { readonly since: Date; readonly at: Date },
) => Promise<void>

/** The context that every module is created with. It has the stores of the groups in the module's `stores`. */
export interface ModuleContext<With extends OptionalGroup = never> extends GuardedStorage<With> {
  /** The public URL of the service, without a trailing slash. */
  readonly publicUrl: string
  /** The name of the service. */
  readonly name: string
  readonly clock: Clock
  readonly logger: EepLogger | undefined
  /** Measurements, for definitions in the `metrics` of a module. */
  readonly metrics: Metrics
  /** The cache of public reads. Entries of a profile or an account are dropped when an event is about it. */
  readonly cache: ReadCache
  /** Returns the limits of a plan: those of all modules that are on. */
  readonly planLimits: PlanTable
  /** Whether a role in the team of a profile permits an action of any module. */
  readonly may: May
  /** `fetch` for user-supplied URLs: rejects private addresses and limits time and size. */
  readonly outbound: GuardedFetch
  /** Calls a listener after commit for each event of any instance, from now on. Errors are logged. */
  readonly listen: Consumers['live']
}

/** The context before the modules are created. */
export type BaseContext = Omit<CoreContext, 'deliverPlatformSale'>

/**
 * The context of the modules of this package, which also has the settings and internals of the service.
 */
export interface CoreContext<With extends OptionalGroup = never> extends ModuleContext<With> {
  readonly settings: Settings & { readonly planLimits: PlanTable }
  /** What the money of the service is worth. Undefined when it takes none. */
  readonly moneyKind: MoneyKind | undefined
  /** The sizes of queues in the storage. Calls within a few seconds share one query. */
  readonly workload: () => Promise<StorageWorkload | undefined>
  readonly serviceDid: string
  /** The absolute URL of the payment guide for agents. */
  readonly docsUrl: string
  readonly consumers: Consumers
  /** The events of all modules, including those that are off. */
  readonly catalogue: EventCatalogue
  /** The ways to receive events that modules offer, in alphabetical order. */
  readonly eventDelivery: readonly EventDelivery[]
  /** Precedes the types of events on the wire: `com.example.`. */
  readonly eventTypePrefix: string
  /** The names of the providers with which people sign in. */
  readonly identityProviders: readonly string[]
  /** What the modules can prove of readers, for gates that name audiences. */
  readonly readerProofs: ReaderProofs
  /** Whether a module sends notifications, also by email. */
  readonly hasNotificationEmails: boolean
  /** What modules add to the documents of profiles. */
  readonly profileParts: readonly AddedPart[]
  /** The events of the modules that are on. */
  readonly activeEvents: EventCatalogue['definitions']
  /** The kinds of notifications of the modules that are on. */
  readonly notificationKinds: readonly NotificationDefinition[]
  /** The types of events that are defined with `changelog: true`. */
  readonly changelogTypes: readonly string[]
  readonly keyring: Keyring
  readonly nameHashes: NameHashes
  /** Every cache of the service. */
  readonly caches: Caches
  readonly outbox: Outbox
  readonly emailRate: EmailRate
  /** Counts attempts by key, shared between instances if the host configured a store. */
  readonly counters: LocalRateLimits
  /** The request in which code runs, for logs and jobs. */
  readonly requestScope: RequestScope
  readonly tracing: Tracing
  /** Multiplies a limit by the configured multiplier. */
  readonly scaled: (limit: number) => number
  /** Requests per minute of each rate group. */
  readonly limits: Readonly<Record<string, number>>
  /** The scopes that API keys may have: those of all modules that are on. */
  readonly scopes: readonly string[]
  /** The scopes that API keys or connected apps may have, by name. */
  readonly scopeDefinitions: ReadonlyMap<string, ScopeDefinition>
  /** The scopes of all modules. Those of modules that are off can be required, but keys do not get them. */
  readonly knownScopes: ReadonlySet<string>
  /** The names of the permissions of all modules. */
  readonly actions: ReadonlySet<string>
  /** Logs an error of background work. */
  readonly report: (error: unknown, event?: StoredEvent) => void
  /** Delivers a purchase from the service itself, by the module that sells it. Throws before all modules are created, and when it is off. */
  readonly deliverPlatformSale: DeliverPlatformSale
  /** The steps of a takeover, in the order of the modules. */
  readonly takeOvers: readonly TakeOverStep[]
  /** What ends credentials that were added to an account lately, by group of the storage. */
  readonly endAdded: readonly EndAddedStep[]
  /** What a reset of the password ends besides sessions, by group of the storage. */
  readonly passwordResets: readonly TakeOverStep[]
  /** The events of every module, on or off, that show who owned a profile. */
  readonly ownership: OwnershipEvents
  /** The cookie attributes on every listener. */
  readonly cookies: CookiePolicy
  readonly trustedOrigins: readonly string[]
}
