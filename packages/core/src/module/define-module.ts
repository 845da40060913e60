import type { Consumer } from '../consumers/consumers.ts'
import type { EventDefinition } from '../events/define-event.ts'
import type { RegisteredRoute } from '../http/openapi.ts'
import type { EepRoutes } from '../http/routes.ts'
import type { Profile } from '../ports/storage/profiles.ts'
import type { OptionalGroup, Stores } from '../ports/storage/storage.ts'
import type { CoreContext, ModuleContext, TakeOverStep } from './context.ts'
import type { DurableConsumer } from './define-consumer.ts'
import type { NotificationDefinition } from './define-notification.ts'

/** Work in the background. Started with the service and stopped with it, in the order of the modules. */
export type Worker = Consumer

/** What removing an account for good means to a module. */
export interface AccountErasure {
  /**
   * Runs before the transaction that removes the account, for work outside of the storage: ending subscriptions, deleting
   * data at a provider. The account stays, and is tried again later, while this throws.
   */
  before?(account: { readonly id: string; readonly email: string }): Promise<void>
  /**
   * Runs in the transaction that removes the account, before the groups of the storage erase it (`eraseAccount` of their
   * stores). Those run also for modules that are off.
   */
  within?(tx: Stores, account: { readonly id: string; readonly profiles: readonly Profile[] }): Promise<void>
}

/** A dependency outside of this process, checked by `/health/ready`. When it fails, the service is `degraded`. */
export interface ReadinessCheck {
  readonly name: string
  ping(): Promise<unknown>
}

/** What routes may use beside their services. */
export interface RouteContext {
  /** The described routes of the listener, in order of registration. Complete once the server is ready. */
  readonly registered: () => readonly RegisteredRoute[]
}

/**
 * A module as the composition root sees it: the result of {@link defineModule}. `Provided` are the services that it gives
 * to modules that require it, `Published` the part of them on `app.eep`.
 */
export interface Module<
  Name extends string = string,
  Provided extends object = object,
  Events extends readonly EventDefinition[] = readonly EventDefinition[],
  Published extends object = object,
> {
  readonly name: Name
  /** Whether the module is one of this package and gets whole services; others get what `app.eep` has. */
  readonly isCore: boolean
  readonly events: Events
  readonly requires: readonly Module[]
  readonly uses: readonly Module[]
  readonly stores: readonly OptionalGroup[]
  readonly optionalStores: readonly OptionalGroup[]
  readonly scopes: readonly string[]
  readonly limits: Readonly<Record<string, number>>
  readonly notifications: readonly NotificationDefinition[]
  create(context: CoreContext, services: never): Provided
  readonly public: { readonly [Name in keyof Published]: (services: never) => Published[Name] }
  consumers?(services: never, context: CoreContext): readonly DurableConsumer[]
  routes?(app: EepRoutes, services: never, context: CoreContext & RouteContext): void
  workers?(services: never, context: CoreContext & WorkerContext): readonly (Worker | undefined)[]
  readiness?(context: CoreContext): readonly ReadinessCheck[]
  eraseAccount?(services: never, context: CoreContext): AccountErasure
  readonly takeOverAccount?: TakeOverStep
  drain?(services: never): void
  close?(services: never): Promise<unknown>
}

/** What workers may use beside their services. */
export interface WorkerContext {
  /** What removing an account means to each module, in the order of the modules. */
  readonly erasures: readonly AccountErasure[]
}

type ProvidedBy<Each> = Each extends Module<string, infer Provided> ? Provided : never
type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** The services of a list of modules, merged into one object. */
export type ServicesOf<Modules extends readonly Module[]> = Modules extends readonly []
  ? unknown
  : Merged<ProvidedBy<Modules[number]>>

/** What a module adds to `app.eep`. */
export type PublishedBy<Each> =
  Each extends Module<string, object, readonly EventDefinition[], infer Published> ? Published : never

/** What a list of modules adds to `app.eep`. */
export type PublishedOf<Modules extends readonly Module[]> = Merged<PublishedBy<Modules[number]>>

/** A module of this package as modules of hosts require it: they get the public methods of its services. */
export type PublicModule<Each> =
  Each extends Module<infer Name, object, infer Events, infer Published>
    ? Module<Name, Published, Events, Published>
    : never

type Available<Requires extends readonly Module[], Uses extends readonly Module[]> = ServicesOf<Requires> &
  Partial<ServicesOf<Uses>>

/** What a module says of itself. Only `name` is required. */
export interface ModuleDefinition<
  Name extends string,
  Provided extends object,
  Requires extends readonly Module[],
  Uses extends readonly Module[],
  Events extends readonly EventDefinition[],
  Published extends object,
  Groups extends readonly OptionalGroup[],
  Context = ModuleContext<Groups[number]>,
> {
  /** Unique; hosts switch the module off by this name. */
  readonly name: Name
  /** Modules that must be on. They are created before this one. */
  readonly requires?: Requires
  /** Modules whose services are passed when they are on, and `undefined` otherwise. */
  readonly uses?: Uses
  /** Optional groups of the storage that the module needs. It is off when the storage lacks one. */
  readonly stores?: Groups
  /** Optional groups of the storage that parts of the module use. When the storage lacks one, those parts are off, which is logged. */
  readonly optionalStores?: readonly OptionalGroup[]
  /** The events that the module emits, defined with `defineEvent`. */
  readonly events?: Events
  /** Scopes of API keys that its routes require, beside those that other modules name: `read:quotes`. */
  readonly scopes?: readonly string[]
  /** Rate groups for its routes, and how many requests a minute each allows a client: `{ quotes: 20 }`. */
  readonly limits?: Readonly<Record<string, number>>
  /** Notifications of events, made by the module `notifications`. Made with `defineNotification`. */
  readonly notifications?: readonly NotificationDefinition[]
  /** Creates the services. Nothing runs yet and the storage may not be reachable. */
  create?(context: Context, services: Available<Requires, Uses>): Provided
  /**
   * What hosts call on `app.eep`, by the name of its property: the public methods of a service, picked one by one. A
   * property of a module that is off throws an error that names the module.
   */
  readonly public?: { readonly [Name in keyof Published]: (services: Provided) => Published[Name] }
  /**
   * Handles events durably: each at least once and in order, on one instance at a time, also those that were emitted while
   * no instance was running. Made with `defineConsumer`.
   */
  consumers?(services: Provided & Available<Requires, Uses>, context: Context): readonly DurableConsumer[]
  /** Registers the routes; called once for each listener. */
  routes?(app: EepRoutes, services: Provided & Available<Requires, Uses>, context: Context & RouteContext): void
  /** Creates what runs in the background. */
  workers?(
    services: Provided & Available<Requires, Uses>,
    context: Context & WorkerContext,
  ): readonly (Worker | undefined)[]
  /** What `/health/ready` checks. */
  readiness?(context: Context): readonly ReadinessCheck[]
  /** What removing an account for good means to this module. */
  eraseAccount?(services: Provided & Available<Requires, Uses>, context: Context): AccountErasure
  /**
   * Runs in the transaction that hands an account to the proven owner of its email address: ends every access that the person who
   * registered the account left in this module.
   */
  readonly takeOverAccount?: TakeOverStep<Groups[number]>
  /**
   * Ends what clients keep open, streams for example, so that they connect to another instance. Called when the service takes
   * no new work, by `eep.drain()`, and again when the server closes or the service stops.
   */
  drain?(services: Provided & Available<Requires, Uses>): void
  /** Releases what the services hold; called when the service has stopped. */
  close?(services: Provided & Available<Requires, Uses>): Promise<unknown>
}

/**
 * Declares a module: services, routes and background work that are on or off together.
 *
 * Pass the result to `extend` in the options of the service. Modules get the services of those they require, by value:
 * names are not looked up in a registry.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/embed/modules.md
 * @example
 * const quotes = defineModule({
 *   name: 'quotes',
 *   requires: [profiles],
 *   create: ({ read }, { profiles }) => ({ quotes: createQuoteService({ read, profiles }) }),
 *   routes: (app, { quotes }) => quoteRoutes(app, quotes),
 * })
 */
export const defineModule = <
  const Name extends string,
  Provided extends object = object,
  const Requires extends readonly Module[] = readonly [],
  const Uses extends readonly Module[] = readonly [],
  const Events extends readonly EventDefinition[] = readonly [],
  Published extends object = object,
  const Groups extends readonly OptionalGroup[] = readonly [],
>(
  definition: ModuleDefinition<Name, Provided, Requires, Uses, Events, Published, Groups>,
): Module<Name, Provided, Events, Published> => toModule(definition, { isCore: false })

/** {@link defineModule} for the modules of this package, which also see the settings and the internals of the service. */
export const defineCoreModule = <
  const Name extends string,
  Provided extends object = object,
  const Requires extends readonly Module[] = readonly [],
  const Uses extends readonly Module[] = readonly [],
  const Events extends readonly EventDefinition[] = readonly [],
  Published extends object = object,
  const Groups extends readonly OptionalGroup[] = readonly [],
>(
  definition: ModuleDefinition<Name, Provided, Requires, Uses, Events, Published, Groups, CoreContext<Groups[number]>>,
): Module<Name, Provided, Events, Published> => toModule(definition, { isCore: true })

function toModule<
  Name extends string,
  Provided extends object,
  Requires extends readonly Module[],
  Uses extends readonly Module[],
  Events extends readonly EventDefinition[],
  Published extends object,
  Groups extends readonly OptionalGroup[],
>(
  definition: ModuleDefinition<Name, Provided, Requires, Uses, Events, Published, Groups, CoreContext<Groups[number]>>,
  { isCore }: { readonly isCore: boolean },
): Module<Name, Provided, Events, Published> {
  // A module is created only when the storage has its groups (`selectModules`), so the context that it gets has their stores.
  const {
    requires = [],
    uses = [],
    stores = [],
    optionalStores = [],
    scopes = [],
    limits = {},
    notifications = [],
    create,
    ...rest
  } = definition as unknown as ModuleDefinition<Name, Provided, Requires, Uses, Events, Published, Groups, CoreContext>
  return {
    ...rest,
    isCore,
    events: definition.events ?? ([] as readonly EventDefinition[] as Events),
    public: definition.public ?? ({} as Module<Name, Provided, Events, Published>['public']),
    requires,
    uses,
    stores,
    optionalStores,
    scopes,
    limits,
    notifications,
    // A module without services provides an empty object.
    create: (context, services) => create?.(context, services) ?? ({} as Provided),
  }
}
