import type { Module, ProvidedBy } from './define-module.ts'
import type { ServiceToken } from './token.ts'

/** The module that a factory makes, or the module itself. */
type Made<Value> = Value extends (...options: never) => infer Built ? Built : Value

/**
 * Creates the token of a module of this package, for its other modules.
 *
 * @param importLine - how a host imports the module, if it is a feature
 * @example
 * export const wallets = serviceToken<typeof module>('wallets')
 */
export const serviceToken = <Value>(
  name: Made<Value> extends Module<infer Name> ? Name : never,
  importLine?: string,
): ServiceToken<ProvidedBy<Made<Value>>, Made<Value> extends Module<infer Name> ? Name : never> =>
  // The conditional type is the name itself.
  ({ name, view: 'all', importLine }) as never

/** Creates the token of a module of this package for modules of hosts, which get what `app.eep` has. */
export const publicToken = <Services extends object>(name: string): ServiceToken<Services> => ({ name, view: 'public' })
