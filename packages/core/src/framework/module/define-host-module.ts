import type { OptionalGroup } from '../../ports/storage/storage.ts'
import type { EventDefinition } from '../../runtime/events/define-event.ts'
import { defineModule as define, type Module, type ModuleDefinition, type NamedModule } from './define-module.ts'

/**
 * Declares a module: services, routes and background work that are on or off together. Pass the result in `modules` of the options
 * of the service.
 *
 * A module names those that it requires by their values or tokens, and gets their services. What it adds begins with its name, and is
 * checked when the service is created: a name that the service or another module has is a `TypeError`.
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
  const Requires extends readonly NamedModule[] = readonly [],
  const Uses extends readonly NamedModule[] = readonly [],
  const Events extends readonly EventDefinition[] = readonly [],
  Published extends object = object,
  const Groups extends readonly OptionalGroup[] = readonly [],
>(
  definition: ModuleDefinition<Name, Provided, Requires, Uses, Events, Published, Groups>,
): Module<Name, Provided, Events, Published> => ({ ...define(definition), isOfHost: true })
