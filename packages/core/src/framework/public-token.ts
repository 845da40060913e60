import type { ServiceToken } from './module/token.ts'
import type { EepServices } from './services.ts'

/** Creates the token of a module of this package for modules of hosts, which get what `app.eep` has. */
export const publicToken = <Service extends keyof EepServices, const Name extends string>(
  name: Name,
): ServiceToken<Pick<EepServices, Service>, Name> => ({ name, view: 'public' })
