import type { CoreContext } from '../module/context.ts'
import type { Module } from '../module/define-module.ts'
import type { ResourceSource } from '../module/resource-source.ts'

/**
 * Returns what modules add, by name. Contributions only add: a name belongs to the module that defines it.
 *
 * @param kind - what is named, for the error: `scope`
 * @throws TypeError that names both modules, when two define the same name
 */
export function contributionsByName<Value>(
  kind: string,
  modules: readonly Module[],
  namesOf: (module: Module) => Iterable<readonly [name: string, value: Value]>,
): ReadonlyMap<string, Value> {
  const owners = new Map<string, string>()
  const values = new Map<string, Value>()
  for (const module of modules) {
    for (const [name, value] of namesOf(module)) {
      const owner = owners.get(name)
      if (owner !== undefined)
        throw new TypeError(
          `The module "${module.name}" defines the ${kind} "${name}", which the module "${owner}" defines`,
        )
      owners.set(name, module.name)
      values.set(name, value)
    }
  }
  return values
}

const beginsWith = (name: string, module: string) =>
  name.startsWith(module) && !/[a-z0-9]/.test(name.charAt(module.length))

/** @throws TypeError when a module of another package adds a name that does not begin with its own */
function assertOwnName({ name: module, isOfHost }: Module, kind: string, name: string): void {
  if (!isOfHost || beginsWith(name, module)) return
  throw new TypeError(`The ${kind} "${name}" of the module "${module}" must begin with "${module}"`)
}

/**
 * Returns what modules add to profiles, in the order of the modules.
 *
 * @throws TypeError that names both modules, when two add a part with the same key
 */
export const profilePartsOf = (modules: readonly Module[]): CoreContext['profileParts'] => [
  ...contributionsByName('part of profiles', modules, (module) => {
    const { profilePart } = module
    if (!profilePart) return []
    assertOwnName(module, 'part of profiles', profilePart.key)
    if (profilePart.resource !== undefined) assertOwnName(module, 'resource', profilePart.resource)
    return [[profilePart.key, profilePart]]
  }).values(),
]

/** @throws TypeError that names both modules, when two describe resources with the same prefix */
export function checkedResources(
  created: readonly { readonly module: Module; readonly sources: readonly ResourceSource[] }[],
): readonly ResourceSource[] {
  const sourcesOf = new Map(created.map(({ module, sources }) => [module, sources]))
  return [
    ...contributionsByName('prefix of resources', [...sourcesOf.keys()], (module) =>
      (sourcesOf.get(module) ?? []).map((source) => {
        assertOwnName(module, 'prefix of resources', source.prefix)
        return [source.prefix, source] as const
      }),
    ).values(),
  ]
}
