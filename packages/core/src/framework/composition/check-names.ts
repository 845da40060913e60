import { PACKAGE_NAMES } from '../../modules/package-names.ts'
import type { Module } from '../module/define-module.ts'
import { NAME_KINDS, type NameKind } from './name-kinds.ts'

/** Whether a name is the one of a module, or begins with it as a word: `quotes`, `quotes.edit`, `quotes_daily` and `quotesOfDay`. */
const beginsWithModule = (name: string, module: string): boolean => {
  const words = name.replaceAll('_', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return words.startsWith(module) && !/[a-z0-9]/.test(words.charAt(module.length))
}

/** Whether a scope is of a module: its resource begins with the module's name, in `read:quotes` as in `quotes:sell`. */
const isScopeOf = (scope: string, module: string) => {
  const parts = scope.split(':')
  return parts.length === 2 && parts.some((part) => beginsWithModule(part, module))
}

const IS_OWN: Readonly<Record<string, (name: string, module: string) => boolean>> = {
  scope: isScopeOf,
  // Types distinguish them from the names of the service by the dot.
  permission: (name, module) => name.startsWith(`${module}.`),
  'plan limit': (name, module) => name.startsWith(`${module}.`),
}

const mustBegin = (kind: string, name: string, module: string) =>
  kind === 'scope'
    ? `The scope "${name}" of the module "${module}" must name the module: "read:${module}" or "${module}:read"`
    : `The ${kind} "${name}" of the module "${module}" must begin with "${module}${kind === 'permission' || kind === 'plan limit' ? '.' : ''}"`

/** @throws TypeError when a module of another package adds a name that does not begin with its own */
export function assertOwnName(
  { name: module, isOfHost }: Module,
  kind: NameKind | 'resource' | 'prefix of resources' | 'screen',
  name: string,
): void {
  const isOwn = IS_OWN[kind] ?? beginsWithModule
  if (isOfHost && !isOwn(name, module)) throw new TypeError(mustBegin(kind, name, module))
}

/**
 * Checks the names that modules add: every name belongs to one module. Names of features that are not imported are taken too, so that
 * importing a feature later changes the meaning of no name.
 *
 * @param reserved - names that belong to the service itself, by kind
 * @throws TypeError that names both modules, when a module adds a name of another one
 * @throws TypeError when a module of another package adds a name that does not begin with its own
 */
export function checkNames(
  modules: readonly Module[],
  reserved: { readonly [Kind in NameKind]?: readonly string[] } = {},
): void {
  for (const module of modules) {
    const { resource } = module.profilePart ?? {}
    if (resource !== undefined) assertOwnName(module, 'resource', resource)
  }
  for (const kind of Object.keys(NAME_KINDS) as NameKind[]) {
    const owners = new Map(Object.entries(PACKAGE_NAMES[kind] ?? {}))
    const ofService = new Set(reserved[kind])
    for (const module of modules) {
      const added = new Set<string>()
      for (const name of NAME_KINDS[kind](module)) {
        const owner = owners.get(name)
        const defines = `The module "${module.name}" defines the ${kind} "${name}"`
        if (owner === undefined && ofService.has(name)) throw new TypeError(`${defines}, which the service has`)
        if (added.has(name)) throw new TypeError(`${defines} twice`)
        if (owner !== undefined && owner !== module.name) {
          throw new TypeError(`${defines}, which the module "${owner}" defines`)
        }
        assertOwnName(module, kind, name)
        owners.set(name, module.name)
        added.add(name)
      }
    }
  }
}
