import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Readiness } from '../http/environment.ts'
import { createHttpPlugin, type HttpOptions } from '../http/plugin.ts'
import type { ServerPlugin } from '../http/server-plugin.ts'
import { createPriceCheck } from '../modules/access/gates/index.ts'
import { baseModules, modulesOnDemand, OPTIONAL_BASE_MODULES, type OptionalBaseModule } from '../modules/base.ts'
import type { StoredEvent } from '../ports/storage/events.ts'
import type { FollowOptions } from '../runtime/consumers/consumers.ts'
import type { EmailTemplates } from '../runtime/email/template.ts'
import type { EventDefinition, EventHandler, EventOf } from '../runtime/events/define-event.ts'
import { createContext } from './composition/context.ts'
import { createModules } from './composition/create-modules.ts'
import type { EepEmails } from './composition/emails.ts'
import { type CoreServices, createEnvironment } from './composition/environment.ts'
import type { EepEvent, EepEventType } from './composition/events.ts'
import type { ExtensionModule } from './composition/extensions.ts'
import { createHostGuards, type HostGuards } from './composition/host-guards.ts'
import { observeParts } from './composition/metrics.ts'
import { createMoneyBinding } from './composition/money-kind.ts'
import { createReadiness } from './composition/readiness.ts'
import { selectModules } from './composition/select-modules.ts'
import { warnOfUnusedData } from './composition/unused-data.ts'
import type { Module, PublishedOf } from './module/define-module.ts'
import { readOptions, type ServiceOptions } from './options/options.ts'
import type { EepServices } from './services.ts'

/** The options of the service. */
export interface EepOptions extends ServiceOptions {
  /** Email. See docs/guides/emails.md */
  readonly email?:
    | (NonNullable<ServiceOptions['email']> & { readonly templates?: EmailTemplates<EepEmails> | undefined })
    | undefined
  /**
   * Features, which entries of the package export, and modules of the host, made with `defineModule`; `everything()` of
   * `@eep/core/everything` has all features. Each module is created after those that it requires or uses. See docs/embed/modules.md
   */
  readonly modules?: readonly Module[] | undefined
  /**
   * Modules of the base that are off: `['teams']`.
   * @default none
   */
  readonly without?: readonly OptionalBaseModule[] | undefined
}

/** Handlers of `eep.follow`, by the names of events. */
export type EventHandlers = { readonly [Type in EepEventType]?: (event: EepEvent<Type>) => void | Promise<void> }

/** The members of {@link Eep} that do not belong to a module. */
export interface EepMembers extends HostGuards {
  /** The URL under which clients reach the service, without a trailing slash. */
  readonly publicUrl: string
  /** The names of the modules that are on, in order of dependency. */
  readonly modules: readonly string[]
  /**
   * The routes as a Fastify plugin. Register it once for each listener and prefix.
   *
   * @example
   * await app.register(eep.http, { prefix: '/api' })
   */
  readonly http: ServerPlugin<HttpOptions>
  /**
   * An `onRequest` hook for the host's own routes: counts requests with those of the service, sets the rate limit
   * headers, and throws `rate_limited` (429) over the limit. Add it to a scope without the routes of the service, which
   * count by themselves.
   *
   * @example
   * app.register(async (pages) => {
   *   pages.addHook('onRequest', app.eep.countRequest)
   *   pages.get('/about', async () => 'About us')
   * })
   */
  countRequest(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /**
   * Returns the text of `robots.txt` for the root of the host's site, with the paths of `publicUrl`, or of a listener that is below
   * `prefix`. Crawlers read the file at the root only, so a host that registers the service under a prefix serves this itself.
   *
   * @throws Error before the service is registered on a server that is ready
   * @example
   * app.get('/robots.txt', (_request, reply) => reply.type('text/plain').send(app.eep.robotsTxt()))
   */
  robotsTxt(prefix?: string): string
  /**
   * Starts background work: following the log, finishing payments, removing accounts. Concurrent calls share one start;
   * after a failure the next call tries again. The Fastify plugin calls it when the server is ready.
   *
   * @throws when the storage is unavailable or was not migrated
   */
  start(): Promise<void>
  /**
   * Deletes everything that is due now, which background work does in parts: accounts past their grace period, expired records, and
   * what is older than the retention periods. Needs no start, and may run next to other instances. Starts no further part once
   * `signal` is aborted.
   *
   * @example
   * await eep.purge(AbortSignal.timeout(60_000))
   */
  purge(signal?: AbortSignal): Promise<void>
  /**
   * Answers `/health/ready` with 503 from now on, and ends event streams and sockets within 2 seconds. Requests are still
   * served, and each response closes its connection, so that proxies take another instance.
   */
  drain(): void
  /** Ends background work and waits for work in progress. The host closes the storage. */
  stop(): Promise<void>
  /**
   * Returns how many milliseconds the oldest committed event has been waiting to be delivered because a transaction that
   * began before it is still open; 0 when none waits. The metric `eep_event_log_held_back_seconds` shows the same, and a
   * warning is logged from 10 seconds on.
   */
  eventLagMs(): number
  /**
   * Calls a listener for each event of a type, of any instance, after its transaction committed and from now on. Errors that
   * the listener throws are logged and undo nothing. Returns a function that removes the listener. Each instance calls its
   * own listeners; for work that must happen once and must not be missed see {@link EepMembers.follow}.
   *
   * @param event - the name of an event, or the definition of one of the host's events
   * @throws TypeError when no module defines the event
   * @example
   * eep.on('content.page_saved', ({ data }) => console.log(data.slug))
   * eep.on(orderPlaced, ({ data }) => console.log(data.orderId))
   */
  on<Type extends EepEventType>(event: Type, listener: (event: EepEvent<Type>) => void | Promise<void>): () => void
  on<Definition extends EventDefinition>(
    event: Definition,
    listener: (event: EventOf<Definition>) => void | Promise<void>,
  ): () => void
  /**
   * Handles events durably under a name: each at least once and in order, by one instance at a time, from where the
   * last one stopped. A handler that throws gets the event again a second later. Returns a function that stops it.
   *
   * @param name - where the cursor is stored; another name starts again
   * @param handlers - by the names of events, or a list made with `on(definition, handler)`, which are called in their order
   * @throws TypeError when no module defines one of the events
   * @example
   * eep.follow('crm', { 'profiles.profile_created': ({ data }) => crm.add(data.username) })
   * eep.follow('invoices', [on(orderPlaced, ({ data }) => invoice(data.orderId))])
   */
  follow(name: string, handlers: EventHandlers | readonly EventHandler[], options?: FollowOptions): () => Promise<void>
}

/** The service: `app.eep`. */
export type Eep = EepMembers & EepServices & PublishedOf<readonly ExtensionModule[]>

/**
 * Returns the properties of modules on `app.eep`. One of a module that is off throws an error that names the module.
 *
 * @throws TypeError when a module adds a property that the service has
 */
function publish(
  members: EepMembers,
  known: readonly Module[],
  published: Readonly<Record<string, object>>,
): PropertyDescriptorMap {
  const properties: PropertyDescriptorMap = {}
  for (const module of known) {
    for (const name of Object.keys(module.public)) {
      if (name in members) {
        throw new TypeError(
          `The module "${module.name}" defines the property of app.eep "${name}", which the service has`,
        )
      }
      const service = published[name]
      properties[name] = service
        ? { value: service, enumerable: true }
        : { get: () => requireService(undefined, module.name), enumerable: false }
    }
  }
  return properties
}

/** A service of a module, or an error that names the module that is off. */
function requireService<Service>(service: Service | undefined, module: string): Service {
  if (service === undefined) throw new Error(`The module "${module}" is switched off`)
  return service
}

/**
 * Creates the service without HTTP. Register `eep.http` on a Fastify server to serve it, or call its services as
 * functions.
 *
 * @throws TypeError that names each option that is wrong
 * @see https://github.com/eep-service/eep/blob/main/docs/embed/plugin.md
 * @example
 * const eep = createEep({ publicUrl: 'https://api.example.com', secret, storage })
 * await eep.start()
 * const profile = await eep.profiles.find('person', 'ada')
 */
export function createEep({ modules: passed = [], without = [], ...options }: EepOptions): Eep {
  const settings = readOptions(options)
  if (settings.publicUrl !== options.publicUrl) {
    settings.logger?.info(
      { publicUrl: settings.publicUrl },
      'publicUrl was written differently; this is its normal form',
    )
  }
  const known: readonly Module[] = [...baseModules, ...modulesOnDemand, ...passed]
  const modules = selectModules({
    base: baseModules,
    onDemand: modulesOnDemand,
    demanded: settings.jobs.kinds.length > 0 ? ['jobs'] : [],
    passed,
    without,
    optional: OPTIONAL_BASE_MODULES,
    groups: settings.storage.groups,
    service: { publicUrl: settings.publicUrl, hasHostAuth: settings.auth.hostAuth !== undefined },
    logger: settings.logger,
  })
  const context = createContext(settings, known, modules)
  const money = createMoneyBinding(settings.storage, context.moneyKind)
  const { consumers, catalogue, publicUrl } = context
  const created = createModules(modules, context)
  const services: CoreServices = created.services
  let state: 'idle' | 'running' | 'stopped' = 'idle'
  let starting: Promise<void> | undefined

  const readiness = createReadiness(settings, created.readiness)
  observeParts(context.metrics, readiness.parts, readiness.check)
  const environment = createEnvironment(context, created, {
    isStopping: () => state === 'stopped',
    beforeRequest: money.beforeRequest,
    parts: readiness.parts,
    async readiness(): Promise<Readiness> {
      if (state === 'running') return readiness.check()
      return { status: 'not_ready', reasons: { service: state === 'idle' ? 'starting' : 'stopping' } }
    },
  })

  async function begin() {
    // The storage reports what is missing; a failing query does not.
    await settings.storage.ping()
    await money.bind()
    await warnOfUnusedData(
      settings.storage,
      modules.map(({ name }) => name),
      settings.logger,
    )
    await consumers.start()
    await created.start()
    if (state === 'idle') state = 'running'
  }

  const members: EepMembers = {
    ...createHostGuards({
      environment,
      actions: context.actions,
      unpayable: createPriceCheck(settings.payments.rails).unpayable,
      storesRequests: settings.storage.groups.includes('paidRequests'),
      services: () => ({
        profiles: requireService(services.profiles, 'profiles'),
        paywall: requireService(services.paywall, 'paywall'),
      }),
    }),
    publicUrl,
    modules: modules.map(({ name }) => name),
    http: createHttpPlugin(environment, { addRoutes: created.registerRoutes, drain: created.drain }),
    countRequest: async (request, reply) => environment.countRequest(request, reply, 'default'),
    robotsTxt: (prefix) => requireService(services.rootFiles, 'discovery').robotsTxt(prefix),
    start() {
      starting ??= begin().catch((error) => {
        starting = undefined
        throw error
      })
      return starting
    },
    purge: (signal = new AbortController().signal) => created.purge(signal),
    drain() {
      state = 'stopped'
      created.drain()
    },
    async stop() {
      state = 'stopped'
      created.drain()
      await starting?.catch(() => undefined)
      await consumers.stop()
      await created.stop()
      await context.outbox.close()
      await context.outbound.close()
      context.caches.clear()
      await Promise.all([context.counters, ...settings.payments.rails].map((part) => part.close?.()))
    },
    eventLagMs: () => consumers.heldBackMs(),
    on(named: string | EventDefinition, listener: (event: never) => void | Promise<void>) {
      const type = typeof named === 'string' ? named : named.type
      catalogue.assertKnown(type)
      // The type decides the payload: it was checked against its definition when it was emitted.
      return consumers.live((event) => (event.type === type ? listener(event as never) : undefined))
    },
    follow(name, handlers, options) {
      const list = isList(handlers) ? handlers : handlersOf(handlers)
      for (const { type } of list) catalogue.assertKnown(type)
      const handle = async (event: StoredEvent) => {
        for (const handler of list) if (handler.type === event.type) await handler(event)
      }
      return consumers.durable(name, handle, { ...options, types: new Set(list.map(({ type }) => type)) })
    },
  }
  // `Eep` declares the services that `publish` defines, which TypeScript cannot infer from property descriptors.
  return Object.defineProperties(members, publish(members, known, created.published)) as Eep
}

const isList = (handlers: EventHandlers | readonly EventHandler[]): handlers is readonly EventHandler[] =>
  Array.isArray(handlers)

function handlersOf(handlers: EventHandlers): readonly EventHandler[] {
  return Object.entries(handlers).map(([type, handler]) =>
    // The key decides the payload that the handler takes.
    Object.assign((event: StoredEvent) => handler(event as never), { type }),
  )
}
