import type { Module } from '../module/define-module.ts'
import type { ResourceSource } from '../module/resource-source.ts'
import { assertOwnName } from './check-names.ts'

/**
 * Returns the resources of all modules.
 *
 * @throws TypeError that names both modules, when two describe resources with the same prefix
 * @throws TypeError when a prefix of a module of another package does not begin with its name
 */
export function checkedResources(
  created: readonly { readonly module: Module; readonly sources: readonly ResourceSource[] }[],
): readonly ResourceSource[] {
  const owners = new Map<string, string>()
  for (const { module, sources } of created) {
    for (const { prefix } of sources) {
      const owner = owners.get(prefix)
      if (owner !== undefined) {
        throw new TypeError(
          `The module "${module.name}" defines the prefix of resources "${prefix}", which the module "${owner}" defines`,
        )
      }
      assertOwnName(module, 'prefix of resources', prefix)
      owners.set(prefix, module.name)
    }
  }
  return created.flatMap(({ sources }) => sources)
}
