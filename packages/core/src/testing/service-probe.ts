import type { CoreServices } from '../composition/environment.ts'
import type { Module } from '../module/define-module.ts'

/** Whole services, for tests of work that no route and no method of `app.eep` does. */
export interface ServiceProbe {
  /** Pass it in `extend`. */
  readonly module: Module
  /** The services of the modules that are on. */
  readonly services: CoreServices
}

/**
 * Creates a module that hands the services of the other modules to a test, with the methods that hosts cannot call: a turn
 * of background work for example. They change without notice.
 *
 * @example
 * const probe = await serviceProbe()
 * await app.register(eep, { ...options, extend: [probe.module] })
 * await probe.services.negotiations?.expireDue()
 */
export async function serviceProbe(): Promise<ServiceProbe> {
  // Contracts of ports are tested without the modules, which take long to load.
  const [{ defineCoreModule }, { coreModules }] = await Promise.all([
    import('../module/define-module.ts'),
    import('../modules/index.ts'),
  ])
  const services = {}
  const module = defineCoreModule({
    name: 'service-probe',
    uses: coreModules,
    create: (_context, available) => {
      Object.assign(services, available)
      return {}
    },
  })
  return { module, services }
}
