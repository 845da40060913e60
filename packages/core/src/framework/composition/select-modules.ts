import { PACKAGE_MODULES } from '../../modules/package-names.ts'
import type { EepLogger } from '../../ports/logger.ts'
import type { OptionalGroup } from '../../ports/storage/storage.ts'
import type { Module, NamedModule, ServiceFacts } from '../module/define-module.ts'
import { orderModules } from './order-modules.ts'

export interface ModuleSelection {
  /** The modules that a host cannot import or leave out one by one. */
  readonly base: readonly Module[]
  /** Modules that are on when another one requires them, or the options of the host do. */
  readonly onDemand: readonly Module[]
  /** The names of those that the options require. */
  readonly demanded: readonly string[]
  /** The modules that the host passes. */
  readonly passed: readonly Module[]
  /** Names of modules of the base that are off. */
  readonly without: readonly string[]
  /** The names of modules that a host can leave out. */
  readonly optional: readonly string[]
  /** The optional groups that the storage has. */
  readonly groups: readonly OptionalGroup[]
  readonly service: ServiceFacts
  readonly logger: EepLogger | undefined
}

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')

/** @throws TypeError when two modules have one name, or a module is left out that cannot be */
function checkModules({ base, onDemand, passed, without, optional }: ModuleSelection): void {
  const impostor = passed.find(({ name, isOfHost }) => isOfHost && PACKAGE_MODULES.includes(name))
  if (impostor) {
    throw new TypeError(
      `A module of @eep/core is named "${impostor.name}", whether it is imported or not. Give the module of the host another name`,
    )
  }
  const names = [...base, ...onDemand, ...passed].map(({ name }) => name)
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  if (twice.length > 0) throw new TypeError(`Two modules are named ${quoted([...new Set(twice)])}`)
  const unknown = without.filter((name) => !optional.includes(name))
  if (unknown.length > 0) {
    throw new TypeError(`without: ${quoted(unknown)} cannot be left out. Those that can are ${quoted(optional)}`)
  }
}

/** `siteScanner` for the module `site-scanner`: its option of `everything`. */
const optionOf = (name: string) => name.replaceAll(/-[a-z]/g, ([, letter = '']) => letter.toUpperCase())

/** The modules that require one, and those that require them. */
function dependants(name: string, modules: readonly Module[]): readonly Module[] {
  const found = new Set<string>([name])
  return modules.filter((module) => {
    const isOne = module.requires.some((required) => found.has(required.name))
    if (isOne) found.add(module.name)
    return isOne
  })
}

/**
 * Explains that modules require one that is not there, and what to do.
 *
 * @param modules - those that could be on, each after those that it requires
 */
function missingModule(
  required: NamedModule,
  modules: readonly Module[],
  { base, without }: ModuleSelection,
): TypeError {
  const { name } = required
  const importLine = 'importLine' in required ? required.importLine : undefined
  const needing = dependants(name, modules)
  const ofBase = needing.filter((module) => base.includes(module)).map((module) => module.name)
  const features = needing.filter((module) => !base.includes(module) && !module.isOfHost)
  const ofHost = needing.filter((module) => module.isOfHost).map((module) => module.name)
  const options = [
    ...(ofBase.length > 0 ? [`without: [${[...without, ...ofBase].map((each) => `'${each}'`).join(', ')}]`] : []),
    ...features.map((module) => `${optionOf(module.name)}: false`),
  ]
  const also = [
    ...(options.length > 0 ? [`set ${options.join(', ')}`] : []),
    ...(ofHost.length > 0 ? [`leave ${quoted(ofHost)} out of "modules"`] : []),
  ].join(' and ')
  const which = needing.length === 1 ? 'module' : 'modules'
  const require = needing.length === 1 ? 'requires' : 'require'
  const where = without.includes(name)
    ? 'which "without" leaves out. Also'
    : `which is not in "modules"${importLine === undefined ? '' : `: ${importLine}`}. Add it, or also`
  return new TypeError(
    `The ${which} ${quoted(needing.map((module) => module.name))} ${require} "${name}", ${where} ${also}`,
  )
}

/** The modules that could be on, each after those that it requires or uses. */
function candidates(selection: ModuleSelection): readonly Module[] {
  const { base, onDemand, demanded, passed, without } = selection
  const chosen = [...base.filter(({ name }) => !without.includes(name)), ...passed]
  const required = new Set([...demanded, ...chosen.flatMap(({ requires }) => requires.map(({ name }) => name))])
  return orderModules([...chosen, ...onDemand.filter(({ name }) => required.has(name))])
}

/**
 * Returns the modules that are on, each after those that it requires or uses. A module is off when the host leaves it out, when
 * its packages are missing, when the storage lacks a group that it needs, or when a module that it requires is off for such a
 * reason; all but the first are logged. Parts that are off because the storage lacks a group are logged too, once per module.
 *
 * @throws TypeError when two modules have one name, a module is left out that cannot be, modules require each other, or a module
 * requires one that the host left out or did not pass, or a module needs what the service lacks
 */
export function selectModules(selection: ModuleSelection): readonly Module[] {
  checkModules(selection)
  const { groups, logger, service } = selection
  const chosen = candidates(selection)
  const on = new Map<string, Module>()
  const unavailable = new Set<string>()

  function isAvailable(module: Module): boolean {
    const { name, missing, stores, requires } = module
    if (missing !== undefined) {
      logger?.warn({ module: name, install: missing }, 'module is off: packages that it needs are not installed')
      return false
    }
    const lacking = module.unmet?.(service)
    if (lacking !== undefined) {
      if (!module.isOffWhenUnmet) throw new TypeError(`The module "${name}" cannot be on: ${lacking}`)
      logger?.warn({ module: name }, `module is off: ${lacking}`)
      return false
    }
    const absent = stores.filter((group) => !groups.includes(group))
    const off = requires.filter((required) => unavailable.has(required.name)).map((required) => required.name)
    if (absent.length === 0 && off.length === 0) return true
    const reason = absent.length > 0 ? { stores: absent } : { requires: off }
    logger?.info({ module: name, ...reason }, 'module is off: the storage lacks a group that it needs')
    return false
  }

  for (const module of chosen) {
    const { name } = module
    if (!isAvailable(module)) {
      unavailable.add(name)
      continue
    }
    const absent = module.requires.find((required) => !on.has(required.name))
    if (absent) {
      throw missingModule(absent, chosen, selection)
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
