import type { PageAction } from '../../http/html/page-actions.ts'
import type { OnAgentAccess } from '../../http/pipeline/count-visits.ts'
import type { Authenticators } from '../../http/pipeline/identify.ts'
import type { EepRoutes } from '../../http/routes.ts'
import type { IdentifyBot } from '../../model/bot.ts'
import type { OnVisit } from '../../model/visit.ts'
import * as accountData from '../../modules/account-data.ts'
import type { EventCatalogue } from '../../runtime/events/catalogue.ts'
import type { BaseContext, CoreContext } from '../module/context.ts'
import type { DurableConsumer } from '../module/define-consumer.ts'
import type { ListenerContext, Module, ReadinessCheck, Worker } from '../module/define-module.ts'
import type { DeliverPlatformSale, PlatformSales } from '../module/platform-sale.ts'
import { bindAuthenticators } from './authenticators.ts'
import { checkedResources, checkedScreens } from './contributions.ts'

/** The modules that are on, created. */
export interface CreatedModules {
  /** The services of the modules of this package, by name. */
  readonly services: object
  /** What identifies callers. */
  readonly authenticators: Partial<Authenticators> & Pick<Authenticators, 'modules'>
  /** The buttons on pages, in the order of the modules. */
  readonly pageActions: readonly PageAction[]
  /** What identifies programs by their signatures; undefined when no module does. */
  readonly identifyBot: IdentifyBot | undefined
  /** What counts reads; undefined when no module does. */
  readonly onVisit: OnVisit | undefined
  /** What receives reads by agents; undefined when no module does. */
  readonly onAgentAccess: OnAgentAccess | undefined
  /** The public services, by the name of their property on `app.eep`. */
  readonly published: Readonly<Record<string, object>>
  registerRoutes(routesOf: (module: string) => EepRoutes, context: ListenerContext): void
  readonly readiness: readonly ReadinessCheck[]
  /** Starts the workers, in the order of the modules. */
  start(): Promise<void>
  /** Deletes what workers would delete by now, in the order of the modules. */
  purge(signal: AbortSignal): Promise<void>
  /** Ends connections that clients keep open. */
  drain(): void
  /** Stops the workers and waits for work in progress. */
  stop(): Promise<void>
}

/** The services of one module. */
interface Provided {
  readonly all: object
  /** Those that are on `app.eep`. */
  readonly published: Readonly<Record<string, object>>
}

/** Creates the services of a module, from those of the modules that it requires. */
function provide(module: Module, available: object, context: CoreContext): Provided {
  // `Module` erases the types of services; `defineModule` has checked that they fit.
  const all = module.create(context, available as never)
  const published: Record<string, object> = {}
  // As above: `defineModule` has checked what each function takes.
  const publishers = module.public as Readonly<Record<string, (services: never) => object>>
  for (const [name, publish] of Object.entries(publishers)) published[name] = publish(all as never)
  return { all, published }
}

/** Creates every module once, with the services of the modules it requires, and combines what they declare. */
export function createModules(modules: readonly Module[], base: BaseContext): CreatedModules {
  const platformSales = new Map<string, PlatformSales>()
  const context: CoreContext = { ...base, deliverPlatformSale: deliverBy(platformSales) }
  const provided = new Map<string, Provided>()
  const owners = new Map<string, string>()
  const created = modules.map((module) => {
    const available = Object.assign(
      {},
      ...[...module.requires, ...module.uses].map((named) => {
        const source = provided.get(named.name)
        return 'view' in named && named.view === 'public' ? source?.published : source?.all
      }),
    )
    const own = provide(module, available, context)
    for (const name of Object.keys(own.all)) {
      const owner = owners.get(name)
      if (owner !== undefined) {
        throw new TypeError(
          `The module "${module.name}" provides the service "${name}", which the module "${owner}" provides`,
        )
      }
      owners.set(name, module.name)
    }
    provided.set(module.name, own)
    // As above; each function of the module takes these services.
    return { module, services: { ...available, ...own.all } as never }
  })
  const { groups } = context.settings.storage
  const on = new Set(modules.map(({ name }) => name))
  const erasures = [
    ...created.flatMap(({ module, services }) => module.eraseAccount?.(services, context) ?? []),
    ...accountData.erasures(groups, on, context),
  ]
  const profileExporters = [
    ...created.flatMap(({ module, services }) => module.exportProfile?.(services, context) ?? []),
    ...accountData.profileExporters(groups, on, context),
  ]
  const accountExporters = [
    ...created.flatMap(({ module, services }) => module.exportAccount?.(services, context) ?? []),
    ...accountData.accountExporters(groups, context),
  ]
  const profileImporters = created.flatMap(({ module, services }) => module.importProfile?.(services, context) ?? [])
  const searchSources = created.flatMap(({ module, services }) => module.searchSource?.(services, context) ?? [])
  const resourceSources = checkedResources(
    created.map(({ module, services }) => ({ module, sources: module.resources?.(services, context) ?? [] })),
  )
  const mcpParts = created.flatMap(({ module, services }) =>
    module.mcp ? [{ module: module.name, ...module.mcp(services, context) }] : [],
  )
  const authenticators = {
    ...authenticatorsOfContract(created, context),
    modules: bindAuthenticators(
      created.flatMap(({ module, services }) => {
        const authenticator = module.authenticate?.(services, context)
        return authenticator ? [{ module, authenticator }] : []
      }),
      { read: context.read, cookies: context.cookies.names },
    ),
  }
  for (const { module, services } of created) {
    const sales = module.platformSale?.(services, context)
    if (sales) platformSales.set(module.name, sales)
  }
  const visitors = created.flatMap(({ module, services }) => module.onVisit?.(services, context) ?? [])
  const agentVisitors = created.flatMap(({ module, services }) => module.onAgentAccess?.(services, context) ?? [])
  const workers: readonly Worker[] = created.flatMap(
    ({ module, services }) =>
      module
        .workers?.(services, {
          ...context,
          erasures,
          profileExporters,
          accountExporters,
          profileImporters,
          searchSources,
        })
        .filter((worker) => worker !== undefined) ?? [],
  )
  const consumers = created.flatMap(({ module, services }) =>
    (module.consumers?.(services, context) ?? []).map((consumer) => ({
      ...consumer,
      name: `${module.name}.${consumer.name}`,
    })),
  )
  checkConsumers(consumers, context.catalogue)
  const unfollow: (() => Promise<void>)[] = []

  return {
    services: Object.assign({}, ...created.map(({ module }) => !module.isOfHost && provided.get(module.name)?.all)),
    authenticators,
    pageActions: created.flatMap(({ module, services }) => module.pageActions?.(services, context) ?? []),
    identifyBot: created.map(({ module, services }) => module.identifyBot?.(services, context)).find(Boolean),
    onVisit: callEach(visitors, context.report),
    onAgentAccess: callEach(agentVisitors, context.report),
    published: Object.assign({}, ...[...provided.values()].map(({ published }) => published)),
    registerRoutes(routesOf, listener) {
      const inListener = { ...context, ...listener }
      const screens = checkedScreens(
        created.map(({ module, services }) => ({ module, screens: module.screens?.(services, inListener) ?? [] })),
      )
      const routeContext = { ...inListener, resourceSources, screens, mcpParts }
      for (const { module, services } of created) module.routes?.(routesOf(module.name), services, routeContext)
    },
    readiness: created.flatMap(({ module }) => module.readiness?.(context) ?? []),
    async start() {
      for (const worker of workers) await worker.start()
      for (const { name, types, from, handle } of consumers) {
        unfollow.push(context.consumers.durable(name, handle, { from, types }))
      }
    },
    async purge(signal) {
      for (const worker of workers) if (!signal.aborted) await worker.purge?.(signal)
    },
    drain() {
      for (const { module, services } of created) module.drain?.(services)
    },
    async stop() {
      for (const stop of unfollow.splice(0)) await stop()
      // Modules stop before those that they require.
      for (const worker of workers.toReversed()) await worker.stop()
      for (const { module, services } of created.toReversed()) await module.close?.(services)
    },
  }
}

/**
 * Returns what identifies callers by the credentials of the contract.
 *
 * @throws TypeError when a module of another package defines one, or two modules the same
 */
function authenticatorsOfContract(
  created: readonly { readonly module: Module; readonly services: never }[],
  context: CoreContext,
): Partial<Omit<Authenticators, 'modules'>> {
  const owners = new Map<string, string>()
  return Object.assign(
    {},
    ...created.map(({ module, services }) => {
      if (module.isOfHost && module.authenticators) {
        throw new TypeError(
          `The module "${module.name}" defines "authenticators", which only modules of @eep/core can; use "authenticate"`,
        )
      }
      const own = module.authenticators?.(services, context) ?? {}
      for (const [name, authenticator] of Object.entries(own)) {
        if (authenticator === undefined) continue
        const owner = owners.get(name)
        if (owner !== undefined) {
          throw new TypeError(
            `The module "${module.name}" defines the authenticator "${name}", which the module "${owner}" defines`,
          )
        }
        owners.set(name, module.name)
      }
      return own
    }),
  )
}

/** Returns a function that delivers a sale by the module with whose name the resource begins. The modules are added later. */
const deliverBy =
  (sales: ReadonlyMap<string, PlatformSales>): DeliverPlatformSale =>
  async (sale, tx, emit) => {
    const { resource } = sale.payment.purchase
    const [module = ''] = resource.split('.', 1)
    const seller = sales.get(module)
    if (!seller) throw new Error(`No module delivers the purchase "${resource}" of the service`)
    await seller.deliver(sale, tx, emit)
  }

/** Returns a function that calls several, and reports what they throw; undefined for none. */
function callEach<Values extends readonly unknown[]>(
  listeners: readonly ((...values: Values) => unknown)[],
  report: (error: unknown) => void,
): ((...values: Values) => void) | undefined {
  if (listeners.length === 0) return undefined
  return (...values) => {
    // In an async function, so that a rejection is reported too.
    for (const listen of listeners) void (async () => listen(...values))().catch(report)
  }
}

/** @throws TypeError when two consumers share a cursor, or handle an event that no module defines */
function checkConsumers(consumers: readonly DurableConsumer[], catalogue: EventCatalogue): void {
  const names = new Set<string>()
  for (const { name, types } of consumers) {
    if (names.has(name)) throw new TypeError(`Two consumers are named "${name}"`)
    names.add(name)
    for (const type of types) catalogue.assertKnown(type)
  }
}
