import type { EepLogger } from '../../ports/logger.ts'
import type { OptionalGroup } from '../../ports/storage/storage.ts'
import type { Module } from '../module/define-module.ts'
import { orderModules } from './order-modules.ts'

/** Modules by name: `false` switches one off. */
export type ModuleSwitches = Readonly<Record<string, boolean | undefined>>

export interface ModuleSelection {
  /** Every known module, in order of dependency. */
  readonly known: readonly Module[]
  readonly switches: ModuleSwitches
  /** The optional groups that the storage has. */
  readonly groups: readonly OptionalGroup[]
  readonly logger: EepLogger | undefined
}

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')

/**
 * Returns the modules that are on, each after those that it requires or uses. A module is off when the host switches it off, when
 * the storage lacks a group that it needs, or when a module that it requires is off for that reason; the last two cases are logged.
 * Parts that are off because the storage lacks a group are logged too, once per module.
 *
 * @throws TypeError when two modules have one name, a switch names no module, modules require each other, or a module requires one
 * that the host switched off or did not pass
 */
export function selectModules({ known, switches, groups, logger }: ModuleSelection): readonly Module[] {
  const names = known.map(({ name }) => name)
  const twice = names.filter((name, at) => names.indexOf(name) !== at)
  if (twice.length > 0) throw new TypeError(`Two modules are named ${quoted([...new Set(twice)])}`)
  const unknown = Object.keys(switches).filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new TypeError(`Unknown modules: ${quoted(unknown)}. Known are ${quoted(names)}`)

  const on = new Map<string, Module>()
  const unavailable = new Set<string>()
  for (const module of orderModules(known)) {
    const { name, stores } = module
    if (switches[name] === false) continue
    const requires = module.requires.map((required) => required.name)
    const absent = requires.filter((required) => !names.includes(required))
    if (absent.length > 0) {
      throw new TypeError(`The module "${name}" requires ${quoted(absent)}. Pass it to the service too`)
    }
    const missing = stores.filter((group) => !groups.includes(group))
    if (missing.length > 0 || requires.some((required) => unavailable.has(required))) {
      unavailable.add(name)
      const reason =
        missing.length > 0
          ? { stores: missing }
          : { requires: requires.filter((required) => unavailable.has(required)) }
      logger?.info({ module: name, ...reason }, 'module is off: the storage lacks a group that it needs')
      continue
    }
    const off = requires.filter((required) => !on.has(required))
    if (off.length > 0) {
      throw new TypeError(
        `The module "${name}" requires ${quoted(off)}, which is switched off. Switch off "${name}" too, or leave both on`,
      )
    }
    on.set(name, module)
    const unused = module.optionalStores.filter((group) => !groups.includes(group))
    if (unused.length > 0) {
      logger?.info(
        { module: name, stores: unused },
        'parts of the module are off: the storage lacks groups that they need',
      )
    }
  }
  return [...on.values()]
}
