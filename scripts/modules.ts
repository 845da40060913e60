// The tables of modules, from their declarations and docstrings: those of the base, and features with their entries.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { baseModules, modulesOnDemand, OPTIONAL_BASE_MODULES } from '../packages/core/src/modules/base.ts'
import { features } from './features.ts'

type Named = { readonly name: string }

const core = join(import.meta.dirname, '../packages/core/src/modules')

/** The docstring before a declaration, and the name of the module. */
const DECLARED = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport const \w+ = defineModule\(\{\n {2}name: '([\w-]+)',/

const summaries = new Map(
  globSync('**/module.ts', { cwd: core }).flatMap((path) => {
    const [, text, name] = DECLARED.exec(readFileSync(join(core, path), 'utf8')) ?? []
    return text && name ? [[name, text.replaceAll(/\s*\n \* ?/g, ' ').trim()] as const] : []
  }),
)

function summaryOf({ name }: Named): string {
  const summary = summaries.get(name)
  if (summary === undefined) throw new Error(`The module "${name}" has no docstring`)
  return summary
}

const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
const namesOf = (modules: readonly Named[]) => listed(modules.map(({ name }) => name))

/** A table with a row for each module of the base, in order of dependency. */
export function baseTable(): string {
  const optional = new Set<string>(OPTIONAL_BASE_MODULES)
  const rows = [...baseModules, ...modulesOnDemand].map((module) => {
    const { name, requires, uses } = module
    const without = optional.has(name) ? 'yes' : ''
    return `| \`${name}\` | ${summaryOf(module)} | ${namesOf(requires)} | ${namesOf(uses)} | ${without} |`
  })
  const titles = '| module | what it does | requires | uses, where it is on | can be left out |'
  return [titles, '|---|---|---|---|---|', ...rows].join('\n')
}

/** A table with a row for each feature, in order of dependency. Modules that every service has are not named as required. */
export function featureTable(): string {
  const base = new Set<string>(baseModules.map(({ name }) => name))
  const beyondBase = (modules: readonly Named[]) => namesOf(modules.filter(({ name }) => !base.has(name)))
  const rows = features.map(({ name, entry, text, packages, module }) => {
    const { requires, uses, stores } = module
    return `| \`${name}()\` | \`${entry}\` | ${text} | ${listed(packages)} | ${listed(stores)} | ${beyondBase(requires)} | ${beyondBase(uses)} |`
  })
  const titles =
    '| feature | entry | what it does | packages to install | groups of the storage | requires | uses, where it is on |'
  return [titles, '|---|---|---|---|---|---|---|', ...rows].join('\n')
}

/** A short table of features: where each is imported from, and what it needs. */
export function featureEntries(): string {
  const rows = features.map(
    ({ name, entry, text, packages }) => `| \`${name}\` of \`${entry}\` | ${text} | ${listed(packages)} |`,
  )
  return ['| feature | what it does | packages to install |', '|---|---|---|', ...rows].join('\n')
}
