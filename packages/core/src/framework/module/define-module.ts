import type { Readiness } from '../../http/environment.ts'
import type { PageAction } from '../../http/html/page-actions.ts'
import type { OpenApiDocument } from '../../http/openapi/openapi.ts'
import type { RegisteredRoute } from '../../http/openapi/registered-route.ts'
import type { Authenticator } from '../../http/pipeline/authenticator.ts'
import type { OnAgentAccess } from '../../http/pipeline/count-visits.ts'
import type { Authenticators } from '../../http/pipeline/identify.ts'
import type { EepRoutes, RateGroup } from '../../http/routes.ts'
import type { ReaderProofs } from '../../model/audience-proof.ts'
import type { IdentifyBot } from '../../model/bot.ts'
import type { MessageSet } from '../../model/messages.ts'
import type { Permissions } from '../../model/permission.ts'
import type { DeclaredPlanLimits } from '../../model/plan.ts'
import type { OnVisit } from '../../model/visit.ts'
import type { MoneyTaker } from '../../ports/money-kind.ts'
import type { ErasedAccount } from '../../ports/storage/erasure.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { OptionalGroup, Stores } from '../../ports/storage/storage.ts'
import type { Consumer } from '../../runtime/consumers/consumers.ts'
import type { EmailDefinition } from '../../runtime/email/define-email.ts'
import type { Emit, EventDefinition } from '../../runtime/events/define-event.ts'
import type { MetricDefinition } from '../../runtime/telemetry/define-metric.ts'
import type { CoreContext, ModuleContext, TakeOverStep } from './context.ts'
import type { DurableConsumer } from './define-consumer.ts'
import type { NotificationDefinition } from './define-notification.ts'
import type { AccountExporter, ProfileExporter } from './export-member.ts'
import type { AddedMcpParts, McpParts } from './mcp-parts.ts'
import type { PlatformSales } from './platform-sale.ts'
import type { ProfileImporter } from './profile-import.ts'
import type { EventDelivery, ProfilePart } from './profile-part.ts'
import type { ResourceSource } from './resource-source.ts'
import { type DeclaredScope, type ScopeDefinition, scopeDefinition } from './scope.ts'
import type { DeclaredScreen, Screen } from './screen.ts'
import type { SearchSource } from './search-source.ts'
import type { ServiceToken } from './token.ts'

/** Background work: started with the service in the order of the modules, and stopped with it in the reverse order. */
export interface Worker extends Consumer {
  /** Deletes everything that its turns would delete by now, for `eep.purge`. Starts no further part once `signal` is aborted. */
  purge?(signal: AbortSignal): Promise<unknown>
}

/** The steps of a module when an account is erased. */
export interface AccountErasure {
  /**
   * Runs before the transaction that erases the account, for work outside the storage: ending subscriptions, deleting data
   * at a provider. While this throws, the account is kept and the erasure is retried later.
   */
  before?(account: { readonly id: string; readonly email: string }): Promise<void>
  /** Runs in the transaction in which the deletion becomes final. Emitted events must not name the account. */
  begin?(tx: Stores, account: { readonly id: string }, emit: Emit): Promise<void>
  /**
   * Erases the account from at most `limit` records, and returns their number. Runs in separate transactions, until it returns 0, and
   * once more in the one that erases the account, before `within`.
   */
  part?(tx: Stores, account: Pick<ErasedAccount, 'id' | 'profileIds'>, limit: number): Promise<number>
  /**
   * Runs in the transaction that erases the account, before the groups of the storage erase it (`eraseAccount` of their
   * stores). Those also run for modules that are off. Emitted events must not name the account.
   */
  within?(
    tx: Stores,
    account: { readonly id: string; readonly profiles: readonly Profile[] },
    emit: Emit,
  ): Promise<void>
}

/** A dependency outside of this process, checked by `/health/ready`. When it fails, the service is `degraded`. */
export interface ReadinessCheck {
  readonly name: string
  ping(): Promise<unknown>
}

/** What routes know of their listener. */
export interface ListenerContext {
  /** The described routes of the listener, in order of registration. Complete once the server is ready. */
  readonly registered: () => readonly RegisteredRoute[]
  /** The OpenAPI document of the listener. Created at the first call, once the server is ready. */
  readonly openApi: () => Promise<OpenApiDocument>
  /** Whether the parts that the readiness check pings are available. Calls within a few seconds share one check. */
  readonly readiness: () => Promise<Readiness>
  /** The names of these parts. */
  readonly parts: readonly string[]
}

/** The context of routes, in addition to their services. */
export interface RouteContext extends ListenerContext {
  /** The resources that gates can name, of all modules. */
  readonly resourceSources: readonly ResourceSource[]
  /** The screens of the console, of all modules. */
  readonly screens: readonly DeclaredScreen[]
  /** What modules add to the server for assistants beside their routes. */
  readonly mcpParts: readonly AddedMcpParts[]
}

/** What a module can require of a service. */
export interface ServiceFacts {
  readonly publicUrl: string
  /** Whether a host signs its users in. */
  readonly hasHostAuth: boolean
}

/**
 * The result of {@link defineModule}. `Provided` are the services for modules that require it, `Published` their part on
 * `app.eep`.
 */
export interface Module<
  Name extends string = string,
  Provided extends object = object,
  Events extends readonly EventDefinition[] = readonly EventDefinition[],
  Published extends object = object,
> {
  readonly name: Name
  /** The command that installs the packages without which the module is off. */
  readonly missing?: string | undefined
  unmet?(service: ServiceFacts): string | undefined
  readonly isOffWhenUnmet?: boolean | undefined
  readonly events: Events
  readonly requires: readonly NamedModule[]
  readonly uses: readonly NamedModule[]
  readonly stores: readonly OptionalGroup[]
  readonly optionalStores: readonly OptionalGroup[]
  readonly scopes: readonly ScopeDefinition[]
  readonly permissions: Permissions
  readonly planLimits: DeclaredPlanLimits
  readonly isConfigured?: boolean | undefined
  readonly eventDelivery?: readonly EventDelivery[] | undefined
  readonly eventTypePrefix?: string | undefined
  readonly identityProviders?: readonly string[] | undefined
  readonly sendsNotifications?: boolean | undefined
  readonly profilePart?: ProfilePart<unknown, OptionalGroup> | undefined
  readonly takesMoney?: readonly MoneyTaker[] | undefined
  /** Whether another package defines it. What it adds then begins with its name. Default: false. */
  readonly isOfHost?: boolean | undefined
  readonly limits: Readonly<Record<string, number>>
  readonly rateGroupCaps?: Partial<Record<RateGroup, number>> | undefined
  readonly notifications: readonly NotificationDefinition[]
  readonly messages?: MessageSet | undefined
  readonly emails: readonly EmailDefinition[]
  readonly metrics: readonly MetricDefinition[]
  create(context: CoreContext, services: never): Provided
  readonly public: { readonly [Name in keyof Published]: (services: never) => Published[Name] }
  consumers?(services: never, context: CoreContext): readonly DurableConsumer[]
  routes?(app: EepRoutes, services: never, context: CoreContext & RouteContext): void
  workers?(services: never, context: CoreContext & WorkerContext): readonly (Worker | undefined)[]
  readiness?(context: CoreContext): readonly ReadinessCheck[]
  eraseAccount?(services: never, context: CoreContext): AccountErasure
  exportProfile?(services: never, context: CoreContext): ProfileExporter
  exportAccount?(services: never, context: CoreContext): AccountExporter
  importProfile?(services: never, context: CoreContext): ProfileImporter
  searchSource?(services: never, context: CoreContext): SearchSource
  resources?(services: never, context: CoreContext): readonly ResourceSource[]
  screens?(services: never, context: CoreContext & ListenerContext): readonly Screen[]
  mcp?(services: never, context: CoreContext): McpParts
  readonly takeOverAccount?: TakeOverStep
  authenticate?(services: never, context: CoreContext): Authenticator
  authenticators?(services: never, context: CoreContext): Partial<Omit<Authenticators, 'modules'>>
  identifyBot?(services: never, context: CoreContext): IdentifyBot
  readonly provesReaders?: ReaderProofs | undefined
  pageActions?(services: never, context: CoreContext): readonly PageAction[]
  platformSale?(services: never, context: CoreContext): PlatformSales
  onVisit?(services: never, context: CoreContext): OnVisit
  onAgentAccess?(services: never, context: CoreContext): OnAgentAccess
  drain?(services: never): void
  close?(services: never): Promise<unknown>
}

/** The context of workers, in addition to their services. */
export interface WorkerContext {
  /** The erasure steps of each module, in the order of the modules. */
  readonly erasures: readonly AccountErasure[]
  /** What each module adds to the archive of a profile, in the order of the modules. */
  readonly profileExporters: readonly ProfileExporter[]
  /** What each module adds to the archive of an account, in the order of the modules. */
  readonly accountExporters: readonly AccountExporter[]
  /** What each module imports from the archive of a profile, in the order of the modules. */
  readonly profileImporters: readonly ProfileImporter[]
  /** The documents that modules have in partitions of the search index, in the order of the modules. */
  readonly searchSources: readonly SearchSource[]
}

/** A module, or the token that names it. */
export type NamedModule = Module | ServiceToken

/** The services that a module, or the one that a token names, gives to the modules that require it. */
export type ProvidedBy<Each> =
  Each extends Module<string, infer Provided> ? Provided : Each extends ServiceToken<infer Services> ? Services : never
type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** The services of a list of modules, merged into one object. */
export type ServicesOf<Modules extends readonly NamedModule[]> = Modules extends readonly []
  ? unknown
  : Merged<ProvidedBy<Modules[number]>>

/** What a module adds to `app.eep`. */
export type PublishedBy<Each> =
  Each extends Module<string, object, readonly EventDefinition[], infer Published> ? Published : never

/** What a list of modules adds to `app.eep`. */
export type PublishedOf<Modules extends readonly Module[]> = Merged<PublishedBy<Modules[number]>>

type Available<Requires extends readonly NamedModule[], Uses extends readonly NamedModule[]> = ServicesOf<Requires> &
  Partial<ServicesOf<Uses>>

/** The definition of a module. Only `name` is required. */
export interface ModuleDefinition<
  Name extends string,
  Provided extends object,
  Requires extends readonly NamedModule[],
  Uses extends readonly NamedModule[],
  Events extends readonly EventDefinition[],
  Published extends object,
  Groups extends readonly OptionalGroup[],
  Context = ModuleContext<Groups[number]>,
> {
  /** Unique; hosts switch the module off by this name. */
  readonly name: Name
  /** The command that installs packages which the module needs: the module is off, and the log has the command. */
  readonly missing?: string
  /** Returns what the service lacks that the module needs, in words: a TypeError at start, or the module is off with `isOffWhenUnmet`. */
  unmet?(service: ServiceFacts): string | undefined
  /** Modules that must be on. They are created before this one. */
  readonly requires?: Requires
  /**
   * Modules whose services are passed when they are on, and `undefined` otherwise. Those that are on must come before this
   * one.
   */
  readonly uses?: Uses
  /** Optional groups of the storage that the module needs. It is off when the storage lacks one. */
  readonly stores?: Groups
  /**
   * Optional groups of the storage that parts of the module use. When the storage lacks one, those parts are off and a
   * message is logged.
   */
  readonly optionalStores?: readonly OptionalGroup[]
  /** The events that the module emits, defined with `defineEvent`. */
  readonly events?: Events
  /**
   * Scopes of API keys and connected apps that its routes require: `read:quotes`, or a definition with words for people. A scope of
   * another module is a TypeError at start.
   */
  readonly scopes?: readonly DeclaredScope[]
  /**
   * What roles in the team of a profile permit: `{ 'quotes.edit': { role: 'editor', summary: 'Edit quotes' } }`. A permission of
   * another module is a TypeError at start. Add the names to `EepPermissions`, so that types know them.
   */
  readonly permissions?: Permissions
  /**
   * Limits of accounts by plan: `{ 'quotes.stored': { community: 10, pro: 100, team: 1_000 } }`. A limit of another module is a
   * TypeError at start. Hosts change them with `limits.plans`. Add the names to `EepPlanLimits`, so that types know them.
   */
  readonly planLimits?: DeclaredPlanLimits
  /**
   * Rate groups for its routes, and their requests per minute and client: `{ quotes: 20 }`. A group of another module is a
   * TypeError at start.
   */
  readonly limits?: Readonly<Record<string, number>>
  /** Lowers rate groups of the service to the requests per minute and client that a part of the module can answer. */
  readonly rateGroupCaps?: Partial<Record<RateGroup, number>>
  /** Metrics, defined with `defineCounter`, `defineGauge`, `defineHistogram` and `defineEventCounter`. */
  readonly metrics?: readonly MetricDefinition[]
  /** Notifications of events, defined with `defineNotification` and sent by the module `notifications`. */
  readonly notifications?: readonly NotificationDefinition[]
  /**
   * Texts for people, defined with `defineMessages`. Their keys begin with the name of the module: `quotes.title`. Texts of the
   * service or of another module are a TypeError at start.
   */
  readonly messages?: MessageSet
  /** Creates the services. Nothing is running yet, and the storage may not be reachable. */
  create?(context: Context, services: Available<Requires, Uses>): Provided
  /**
   * The properties that the module adds to `app.eep`: the public methods of a service, picked one by one. A property of a
   * module that is off throws an error that names the module.
   */
  readonly public?: { readonly [Name in keyof Published]: (services: Provided) => Published[Name] }
  /**
   * Handles events durably: each at least once and in order, on one instance at a time, including those that were emitted
   * while no instance was running. Defined with `defineConsumer`.
   */
  consumers?(services: Provided & Available<Requires, Uses>, context: Context): readonly DurableConsumer[]
  /** Registers the routes; called once for each listener. */
  routes?(app: EepRoutes, services: Provided & Available<Requires, Uses>, context: Context & RouteContext): void
  /** Creates the background workers. */
  workers?(
    services: Provided & Available<Requires, Uses>,
    context: Context & WorkerContext,
  ): readonly (Worker | undefined)[]
  /** Returns the dependencies that `/health/ready` checks. */
  readiness?(context: Context): readonly ReadinessCheck[]
  /** Returns the steps of this module when an account is erased. */
  eraseAccount?(services: Provided & Available<Requires, Uses>, context: Context): AccountErasure
  /** The emails that the module sends, defined with `defineEmail`. */
  readonly emails?: readonly EmailDefinition[]
  /** Whether the host has configured what the routes need. Otherwise they return 503, and keys do not get the scopes. */
  readonly isConfigured?: boolean
  /** The ways to receive events that the module offers. Documents of profiles list those of all modules. */
  readonly eventDelivery?: readonly EventDelivery[]
  /** Precedes the types of events on the wire. Default: none. */
  readonly eventTypePrefix?: string
  /** The names of the providers with which people sign in, and which verify their addresses. */
  readonly identityProviders?: readonly string[]
  /**
   * Whether the module sends the `notifications` of all modules, also by email. Others then do not email accounts about the
   * same event. Default: false.
   */
  readonly sendsNotifications?: boolean
  /** What the module adds to the documents of profiles. */
  readonly profilePart?: ProfilePart<unknown, Groups[number]>
  /** The parts of the module that take money, beside the rails of the service. All of them take one kind. Default: none. */
  readonly takesMoney?: readonly MoneyTaker[] | undefined
  /** Returns the resources of this module that gates can name. A prefix of another module is a TypeError at start. */
  resources?(services: Provided & Available<Requires, Uses>, context: Context): readonly ResourceSource[]
  /**
   * Returns the pages of this module in the console, which the feature `console` shows. A name or path of another screen is a TypeError
   * at start.
   */
  screens?(services: Provided & Available<Requires, Uses>, context: Context & ListenerContext): readonly Screen[]
  /** Returns tools, resources and prompts for assistants that no route has, which the feature `mcp` serves. */
  mcp?(services: Provided & Available<Requires, Uses>, context: Context): McpParts
  /**
   * Returns how the module identifies callers by its own credential. The carrier is read by no other module: one of another
   * module, or of the contract, is a TypeError at start.
   */
  authenticate?(services: Provided & Available<Requires, Uses>, context: Context): Authenticator
  /**
   * Returns how the module delivers what the service itself sells: purchases whose resource begins with the name of the module.
   */
  platformSale?(services: Provided & Available<Requires, Uses>, context: Context): PlatformSales
  /** Returns what counts reads of profiles, pages and files, searches that found them, and their 402s. Errors are logged. */
  onVisit?(services: Provided & Available<Requires, Uses>, context: Context): OnVisit
  /** Returns what receives reads and search results of agents. Errors are logged. */
  onAgentAccess?(services: Provided & Available<Requires, Uses>, context: Context): OnAgentAccess
  /** Returns the documents of this module for its partitions of the search index. */
  searchSource?(services: Provided & Available<Requires, Uses>, context: Context): SearchSource
  /** Returns what this module adds to the archive of a profile. */
  exportProfile?(services: Provided & Available<Requires, Uses>, context: Context): ProfileExporter
  /** Returns what this module adds to the archive of an account: its personal data, without that of others. */
  exportAccount?(services: Provided & Available<Requires, Uses>, context: Context): AccountExporter
  /** Imports what this module adds to the archive of a profile. */
  importProfile?(services: Provided & Available<Requires, Uses>, context: Context): ProfileImporter
  /**
   * Runs in the transaction that hands an account to the proven owner of its email address. Must revoke all access that the
   * person who registered the account may still have in this module.
   */
  readonly takeOverAccount?: TakeOverStep<Groups[number]>
  /**
   * Ends connections that clients keep open, for example streams, so that they connect to another instance. Called by
   * `eep.drain()`, and again when the server closes or the service stops.
   */
  drain?(services: Provided & Available<Requires, Uses>): void
  /** Releases the resources of the services. Called when the service has stopped. */
  close?(services: Provided & Available<Requires, Uses>): Promise<unknown>
}

/**
 * Declares a module of this package, which sees the settings and the internals of the service. Those of hosts are made with the same
 * function, whose type in `@eep/core/module` has the stable part of the context.
 */
export const defineModule = <
  const Name extends string,
  Provided extends object = object,
  const Requires extends readonly NamedModule[] = readonly [],
  const Uses extends readonly NamedModule[] = readonly [],
  const Events extends readonly EventDefinition[] = readonly [],
  Published extends object = object,
  const Groups extends readonly OptionalGroup[] = readonly [],
  const Emails extends readonly EmailDefinition[] = readonly [],
>(
  definition: ModuleDefinition<
    Name,
    Provided,
    Requires,
    Uses,
    Events,
    Published,
    Groups,
    CoreContext<Groups[number]>
  > & {
    readonly emails?: Emails
    /** What identifies callers by the credentials of the contract. */
    authenticators?(
      services: Provided & Available<Requires, Uses>,
      context: CoreContext<Groups[number]>,
    ): Partial<Omit<Authenticators, 'modules'>>
    /** Returns what identifies the programs that sign their requests. One module has it. */
    identifyBot?(services: Provided & Available<Requires, Uses>, context: CoreContext<Groups[number]>): IdentifyBot
    /** What the module can prove of readers, for gates that name audiences. Default: nothing. */
    readonly provesReaders?: ReaderProofs
    /** Returns the buttons that the module adds to pages. */
    pageActions?(
      services: Provided & Available<Requires, Uses>,
      context: CoreContext<Groups[number]>,
    ): readonly PageAction[]
  },
): Module<Name, Provided, Events, Published> & { readonly emails: Emails } => {
  // A module is created only when the storage has its groups (`selectModules`), so its context has their stores.
  const { create, ...rest } = definition as unknown as Pick<Module, 'profilePart'> &
    Omit<ModuleDefinition<Name, Provided, Requires, Uses, Events, Published, Groups, CoreContext>, 'profilePart'>
  return {
    requires: [],
    uses: [],
    stores: [],
    optionalStores: [],
    permissions: {},
    planLimits: {},
    limits: {},
    notifications: [],
    metrics: [],
    ...rest,
    scopes: (definition.scopes ?? []).map(scopeDefinition),
    // Without `emails`, their type is that of an empty list; the same holds for the events.
    emails: definition.emails ?? ([] as readonly EmailDefinition[] as Emails),
    events: definition.events ?? ([] as readonly EventDefinition[] as Events),
    public: definition.public ?? ({} as Module<Name, Provided, Events, Published>['public']),
    // A module without services provides an empty object.
    create: (context, services) => create?.(context, services) ?? ({} as Provided),
  }
}
