import type { EepRoutes } from '../http/routes.ts'
import type { CoreContext } from '../module/context.ts'
import type { Module, ReadinessCheck, RouteContext, Worker } from '../module/define-module.ts'

/** The modules that are on, created. */
export interface CreatedModules {
  /** The services of all modules, by the names that the modules give them. */
  readonly services: object
  registerRoutes(app: EepRoutes, context: RouteContext): void
  readonly readiness: readonly ReadinessCheck[]
  /** Starts the workers, in the order of the modules. */
  start(): Promise<void>
  /** Stops the workers and waits for work in progress. */
  stop(): Promise<void>
}

/** Creates every module once, each with the services of those that it requires, and folds what they declare. */
export function createModules(modules: readonly Module[], context: CoreContext): CreatedModules {
  const provided = new Map<Module, object>()
  const taken = new Set<string>()
  const created = modules.map((module) => {
    const { requires, uses } = module
    const available = Object.assign({}, ...[...requires, ...uses].map((each) => provided.get(each)))
    // `Module` erases the types of services; `defineModule` has checked that they fit.
    const own = module.create(context, available as never)
    for (const name of Object.keys(own)) {
      if (taken.has(name)) throw new TypeError(`Two modules provide a service named "${name}"`)
      taken.add(name)
    }
    provided.set(module, own)
    return { module, services: { ...available, ...own } as never }
  })
  const erasures = created.flatMap(({ module, services }) => module.eraseAccount?.(services, context) ?? [])
  const workers: readonly Worker[] = created.flatMap(
    ({ module, services }) =>
      module.workers?.(services, { ...context, erasures }).filter((worker) => worker !== undefined) ?? [],
  )

  return {
    services: Object.assign({}, ...provided.values()),
    registerRoutes(app, routeContext) {
      for (const { module, services } of created) module.routes?.(app, services, { ...context, ...routeContext })
    },
    readiness: created.flatMap(({ module }) => module.readiness?.(context) ?? []),
    async start() {
      for (const worker of workers) await worker.start()
    },
    async stop() {
      for (const worker of workers) await worker.stop()
      for (const { module, services } of created) await module.close?.(services)
    },
  }
}
