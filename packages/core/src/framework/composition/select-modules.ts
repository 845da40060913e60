import type { EepLogger } from '../../ports/logger.ts'
import type { OptionalGroup } from '../../ports/storage/storage.ts'
import type { Module } from '../module/define-module.ts'

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
 * Returns the modules that are on. A module is off when the host switches it off, when the storage lacks a group that it
 * needs, or when a module that it requires is off for that reason; the last two cases are logged. Parts that are off
 * because the storage lacks a group are logged too, once per module.
 *
 * @throws TypeError when two modules have one name, a switch names no module, a module comes before one that it requires or
 * uses, or a module requires one that the host switched off
 */
export function selectModules({ known, switches, groups, logger }: ModuleSelection): readonly Module[] {
  const names = known.map(({ name }) => name)
  const twice = names.filter((name, at) => names.indexOf(name) !== at)
  if (twice.length > 0) throw new TypeError(`Two modules are named ${quoted([...new Set(twice)])}`)
  const unknown = Object.keys(switches).filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new TypeError(`Unknown modules: ${quoted(unknown)}. Known are ${quoted(names)}`)

  const on = new Set<Module>()
  const unavailable = new Set<Module>()
  for (const [at, module] of known.entries()) {
    const { name, requires, uses, stores } = module
    if (switches[name] === false) continue
    const late = requires.filter((each) => !known.slice(0, at).includes(each))
    if (late.length > 0) {
      throw new TypeError(
        `The module "${name}" requires ${quoted(late.map((each) => each.name))}, which must come before it`,
      )
    }
    // A used module need not be on, but one that is created later could not be passed.
    const lateUsed = uses.filter((each) => switches[each.name] !== false && known.indexOf(each) > at)
    if (lateUsed.length > 0) {
      throw new TypeError(
        `The module "${name}" uses ${quoted(lateUsed.map((each) => each.name))}, which must come before it`,
      )
    }
    const missing = stores.filter((group) => !groups.includes(group))
    if (missing.length > 0 || requires.some((each) => unavailable.has(each))) {
      unavailable.add(module)
      const reason =
        missing.length > 0
          ? { stores: missing }
          : { requires: requires.filter((each) => unavailable.has(each)).map((each) => each.name) }
      logger?.info({ module: name, ...reason }, 'module is off: the storage lacks a group that it needs')
      continue
    }
    const off = requires.filter((each) => !on.has(each))
    if (off.length > 0) {
      throw new TypeError(
        `The module "${name}" requires ${quoted(off.map((each) => each.name))}, which is switched off. Switch off "${name}" too, or leave both on`,
      )
    }
    on.add(module)
    const unused = module.optionalStores.filter((group) => !groups.includes(group))
    if (unused.length > 0) {
      logger?.info(
        { module: name, stores: unused },
        'parts of the module are off: the storage lacks groups that they need',
      )
    }
  }
  return [...on]
}
