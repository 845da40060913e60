import type { Module, ProvidedBy } from './define-module.ts'
import type { ServiceToken } from './token.ts'

/** The module that a factory makes, or the module itself. */
type Made<Value> = Value extends (...options: never) => infer Built ? Built : Value

/**
 * Creates the token of a module of this package, for its other modules.
 *
 * @example
 * export const wallets = serviceToken<typeof module>('wallets')
 */
export const serviceToken = <Value>(
  name: Made<Value> extends Module<infer Name> ? Name : never,
): ServiceToken<ProvidedBy<Made<Value>>, Made<Value> extends Module<infer Name> ? Name : never> =>
  // The conditional type is the name itself.
  ({ name, view: 'all' }) as never
