import type { OptionalGroup } from '../../ports/storage/storage.ts'
import type { EventDefinition } from '../../runtime/events/define-event.ts'
import { defineModule as define, type Module, type ModuleDefinition, type NamedModule } from './define-module.ts'

/**
 * Declares a module: services, routes and background work that are on or off together.
 *
 * Pass the result to `extend` in the options of the service. Modules get the services of the modules they require, by
 * value: there is no registry of names.
 *
 * @throws TypeError when a permission or plan limit does not begin with the name of the module
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
): Module<Name, Provided, Events, Published> => {
  const { name, permissions = {}, planLimits = {} } = definition
  for (const [kind, names] of Object.entries({ permission: permissions, 'plan limit': planLimits })) {
    const other = Object.keys(names).find((each) => !each.startsWith(`${name}.`))
    if (other !== undefined) {
      throw new TypeError(`The ${kind} "${other}" of the module "${name}" must begin with "${name}."`)
    }
  }
  return { ...define(definition), isOfHost: true }
}
