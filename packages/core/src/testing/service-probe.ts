import type { CoreServices } from '../framework/composition/environment.ts'
import type { Module } from '../framework/module/define-module.ts'

/** Internal services, for tests of work that no route and no method of `app.eep` starts. */
export interface ServiceProbe {
  /** Pass it in `extend`. */
  readonly module: Module
  /** The services of the modules that are on. */
  readonly services: CoreServices
}

/**
 * Creates a module that gives a test the services of the other modules, with methods that hosts cannot call, such as one run
 * of a background worker. These methods may change in any release.
 *
 * @example
 * const probe = await serviceProbe()
 * await app.register(eep, { ...options, extend: [probe.module] })
 * await probe.services.negotiations?.expireDue()
 */
export async function serviceProbe(): Promise<ServiceProbe> {
  // The import is dynamic because modules load slowly and contracts of ports do not need them.
  const [{ defineModule }, { coreModules }] = await Promise.all([
    import('../framework/module/define-module.ts'),
    import('../modules/index.ts'),
  ])
  const services = {}
  const module = defineModule({
    name: 'service-probe',
    uses: coreModules,
    create: (_context, available) => {
      Object.assign(services, available)
      return {}
    },
  })
  return { module, services }
}
