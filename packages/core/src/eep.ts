import type { FastifyReply, FastifyRequest } from 'fastify'
import { createContext } from './composition/context.ts'
import { createModules } from './composition/create-modules.ts'
import { type CoreServices, createEnvironment } from './composition/environment.ts'
import type { EepEvent, EepEventType } from './composition/events.ts'
import { createHostGuards } from './composition/host-guards.ts'
import { createReadiness } from './composition/readiness.ts'
import { type ModuleSwitches, selectModules } from './composition/select-modules.ts'
import type { FollowOptions } from './consumers/consumers.ts'
import type { Readiness } from './http/environment.ts'
import { createHttpPlugin } from './http/plugin.ts'
import type { Module } from './module/define-module.ts'
import { type CoreModuleName, coreModules } from './modules/index.ts'
import type { ServiceOptions } from './options/options.ts'
import { readOptions } from './options/read-options.ts'
import type { StoredEvent } from './ports/storage/events.ts'

/** The options of the service. */
export interface EepOptions extends ServiceOptions {
  /** Switches modules off: `{ teams: false, commerce: false }`. Default: every module whose storage groups exist is on. */
  readonly modules?: { readonly [Name in CoreModuleName]?: boolean | undefined } | undefined
  /** Modules of the host, made with `defineModule`. Each comes after those that it requires. */
  readonly extend?: readonly Module[] | undefined
}

type Handlers = { readonly [Type in EepEventType]?: (event: EepEvent<Type>) => void | Promise<void> }

/** A service of a module, or an error that names the module that is off. */
function requireService<Service>(service: Service | undefined, module: string): Service {
  if (service === undefined) throw new Error(`The module "${module}" is off`)
  return service
}

/**
 * Creates the service without HTTP. Register {@link Eep.http} on a Fastify server to serve it, or call its services as
 * functions.
 *
 * @throws TypeError that names each option that is wrong
 */
export function createEep({ modules: switches = {}, extend = [], ...options }: EepOptions) {
  const settings = readOptions(options)
  const known = [...coreModules, ...extend]
  const modules = selectModules({
    known,
    switches: switches as ModuleSwitches,
    read: settings.storage.read,
    logger: settings.logger,
  })
  const context = createContext(settings, known, modules)
  const { consumers, publicUrl } = context
  const created = createModules(modules, context)
  const services: CoreServices = created.services
  let state: 'idle' | 'running' | 'stopped' = 'idle'
  let starting: Promise<void> | undefined

  const checkParts = createReadiness(settings, created.readiness)
  const environment = createEnvironment(context, services, async (): Promise<Readiness> => {
    if (state === 'running') return checkParts()
    return { status: 'not_ready', reasons: { service: state === 'idle' ? 'starting' : 'stopping' } }
  })

  async function begin() {
    // The storage says what is missing; a failing query does not.
    await settings.storage.ping()
    await consumers.start()
    await created.start()
    if (state === 'idle') state = 'running'
  }

  const guards = createHostGuards({
    environment,
    services: () => ({
      profiles: requireService(services.profiles, 'profiles'),
      paywall: requireService(services.paywall, 'paywall'),
    }),
  })

  return {
    ...guards,
    publicUrl,
    /** The names of the modules that are on, in order of dependency. */
    modules: modules.map(({ name }) => name),
    /** The routes as a Fastify plugin; register it once for each listener and prefix. */
    http: createHttpPlugin(environment, (app, registered) => created.registerRoutes(app, { registered })),

    get accounts() {
      return requireService(services.accounts, 'accounts')
    },
    /** Users of the host, where `identity` is configured. */
    get hostUsers() {
      return requireService(services.hostUsers, 'accounts')
    },
    get apiKeys() {
      return requireService(services.apiKeys, 'api-keys')
    },
    get profiles() {
      return requireService(services.profiles, 'profiles')
    },
    get teams() {
      return requireService(services.teams, 'teams')
    },
    get content() {
      return requireService(services.content, 'content')
    },
    get files() {
      return requireService(services.files, 'files')
    },
    get media() {
      return requireService(services.media, 'media')
    },
    get jobs() {
      return requireService(services.jobs, 'jobs')
    },
    get connections() {
      return requireService(services.connections, 'connections')
    },
    get reactions() {
      return requireService(services.reactions, 'reactions')
    },
    get gates() {
      return requireService(services.gates, 'gates')
    },
    get paywall() {
      return requireService(services.paywall, 'paywall')
    },
    get entitlements() {
      return requireService(services.entitlements, 'receipts')
    },
    get receipts() {
      return requireService(services.receipts, 'receipts')
    },
    get sales() {
      return requireService(services.sales, 'receipts')
    },
    get negotiations() {
      return requireService(services.negotiations, 'commerce')
    },
    get subscriptions() {
      return requireService(services.subscriptions, 'subscriptions')
    },
    get discovery() {
      return requireService(services.discovery, 'discovery')
    },

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
    countRequest: async (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
      environment.countRequest(request, reply, 'default'),
    /**
     * The text of `robots.txt` for the root of the host's site, with the paths of `publicUrl`. Crawlers read the file at
     * the root only, so a host that registers the service under a prefix serves this itself.
     *
     * @throws Error before the service is registered on a server that is ready
     * @example
     * app.get('/robots.txt', (_request, reply) => reply.type('text/plain').send(app.eep.robotsTxt()))
     */
    robotsTxt: (): string => requireService(services.rootFiles, 'discovery').robotsTxt(),
    /**
     * Starts background work: following the log, finishing payments, removing accounts. Callers share one start; after a
     * failure the next call tries again.
     *
     * @throws when the storage is unavailable or was not migrated
     */
    start(): Promise<void> {
      starting ??= begin().catch((error) => {
        starting = undefined
        throw error
      })
      return starting
    },
    /** Answers `/health/ready` with 503 from now on; requests are still served. */
    drain() {
      state = 'stopped'
    },
    /**
     * How many milliseconds the oldest committed event has been waiting to be delivered because a transaction that
     * began before it is still open; 0 when none waits. Export it as a metric; from 10 seconds on the log has a warning.
     */
    eventLagMs: () => consumers.heldBackMs(),
    /** Ends background work. The host closes the storage. */
    async stop() {
      state = 'stopped'
      await starting?.catch(() => undefined)
      await consumers.stop()
      await created.stop()
      await context.outbox.close()
      await context.outbound.close()
      const { blobs, transcriber, rails, billing } = settings
      await Promise.all([context.counters, blobs, transcriber, ...rails, billing].map((part) => part?.close?.()))
    },
    /**
     * Calls a listener for each event of a type, of any instance, after commit and from now on. Errors it throws are logged
     * and undo nothing. Returns a function that stops it. For work that must not be missed see {@link Eep.follow}.
     */
    on<Type extends EepEventType>(type: Type, listener: (event: EepEvent<Type>) => void | Promise<void>) {
      // The type decides the payload: it was checked against its definition when it was emitted.
      return consumers.live((event) => (event.type === type ? listener(event as unknown as EepEvent<Type>) : undefined))
    },
    /**
     * Handles events durably under a name: each at least once and in order, by one instance at a time, from where the
     * last one stopped. A handler that throws gets the event again.
     */
    follow(name: string, handlers: Handlers, options?: FollowOptions) {
      const handle = async (event: StoredEvent) => {
        const handler = handlers[event.type as EepEventType] as ((event: unknown) => void | Promise<void>) | undefined
        await handler?.(event)
      }
      return consumers.durable(name, handle, options)
    },
  }
}

/** The service. */
export type Eep = ReturnType<typeof createEep>
