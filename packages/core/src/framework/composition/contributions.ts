import type { Module } from '../module/define-module.ts'
import type { ResourceSource } from '../module/resource-source.ts'
import type { DeclaredScreen, Screen } from '../module/screen.ts'
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

/** Begins the name and the path of a screen of a profile. */
const OF_PROFILE = '/manage/profiles/:id/'

/**
 * Returns the screens of all modules.
 *
 * @throws TypeError that names both modules, when two declare a screen with the same name or path
 * @throws TypeError when the name of a screen of a module of another package does not begin with its name, or when the path of a screen of
 *   a profile does not name the profile
 */
export function checkedScreens(
  created: readonly { readonly module: Module; readonly screens: readonly Screen[] }[],
): readonly DeclaredScreen[] {
  const owners = new Map<string, string>()
  for (const { module, screens } of created) {
    for (const { name, path, section } of screens) {
      assertOwnName(module, 'screen', name)
      if (section === 'profile' && !path.startsWith(OF_PROFILE)) {
        throw new TypeError(`The path of the screen "${name}" must begin with ${OF_PROFILE}`)
      }
      for (const taken of [name, path]) {
        const owner = owners.get(taken)
        if (owner !== undefined) {
          throw new TypeError(
            `The module "${module.name}" declares the screen "${taken}", which the module "${owner}" declares`,
          )
        }
        owners.set(taken, module.name)
      }
    }
  }
  return created.flatMap(({ module, screens }) => screens.map((screen) => ({ screen, module: module.name })))
}
