import type { Feature } from './feature.ts'
import { FEATURES } from './features.ts'

/** The databases of a project: PGlite in the process, or a PostgreSQL server. */
export const DATABASES = ['pglite', 'postgres'] as const
/** The ways to take money. Without one the project takes play money alone. */
export const RAILS = ['x402', 'stripe'] as const
/** Test money or real money. A database takes one kind for life. */
export const MONEY = ['test', 'real'] as const
/** The package managers that install the project. */
export const PACKAGE_MANAGERS = ['npm', 'pnpm'] as const

/** What to create. */
export interface Plan {
  /** The folder, as it was named. */
  readonly folder: string
  /** Whether the folder holds a Fastify app that gets the service. */
  readonly isAddition: boolean
  readonly database: (typeof DATABASES)[number]
  /** Empty: the sandbox alone. */
  readonly rails: readonly (typeof RAILS)[number][]
  /** Undefined for the sandbox alone. */
  readonly money: (typeof MONEY)[number] | undefined
  /** `everything`, or the features beside the base, with those that they need, in the order of their dependencies. */
  readonly features: 'everything' | readonly Feature[]
  readonly packageManager: (typeof PACKAGE_MANAGERS)[number]
}

/** Input that cannot be used. Its message states the problem and the fix. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput'
}

/** Returns `my-app` for `../My App`: a name that npm accepts. */
export function packageNameOf(folder: string): string {
  const last = folder.replaceAll('\\', '/').replace(/\/+$/, '').split('/').at(-1) ?? ''
  const name = last
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return name === '' ? 'my-service' : name.slice(0, 100)
}

function oneOf<const Names extends readonly string[]>(flag: string, value: string, names: Names): Names[number] {
  const found = names.find((name) => name === value)
  if (found === undefined) throw new InvalidInput(`${flag} "${value}" is none of ${names.join(', ')}`)
  return found
}

export const databaseOf = (value: string) => oneOf('--database', value, DATABASES)
export const moneyOf = (value: string) => oneOf('--money', value, MONEY)
export const packageManagerOf = (value: string) => oneOf('--package-manager', value, PACKAGE_MANAGERS)

const listOf = (value: string): readonly string[] =>
  value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')

/**
 * Reads `--payments`: `sandbox`, or rails with commas between them.
 *
 * @throws InvalidInput for another name, and for the sandbox beside a rail
 */
export function railsOf(value: string): Plan['rails'] {
  const names = [...new Set(listOf(value))]
  if (names.length === 0) throw new InvalidInput(`--payments needs a value: sandbox, ${RAILS.join(', ')}`)
  if (names.includes('sandbox')) {
    if (names.length === 1) return []
    throw new InvalidInput('A host is a sandbox or takes money: choose --payments sandbox, or rails without it')
  }
  const rails = names.map((name) => oneOf('--payments', name, RAILS))
  return RAILS.filter((rail) => rails.includes(rail))
}

/** The features that are needed for one, itself last. */
function withNeeds(feature: Feature): readonly Feature[] {
  const needs = FEATURES.filter(({ name }) => feature.needs.includes(name))
  return [...needs.flatMap(withNeeds), feature]
}

/**
 * Reads `--modules`: `base`, `everything`, or names of features with commas between them. Features that others need are added.
 *
 * @throws InvalidInput for a name that no feature has
 */
export function featuresOf(value: string): Plan['features'] {
  const names = listOf(value)
  if (names.includes('everything') || names.includes('base')) {
    if (names.length === 1) return names[0] === 'base' ? [] : 'everything'
    throw new InvalidInput('--modules is base, everything, or names of features')
  }
  if (names.length === 0) throw new InvalidInput('--modules needs a value: base, everything, or names of features')
  const chosen = names.flatMap((name) => {
    const feature = FEATURES.find((each) => each.name === name)
    if (!feature) {
      const known = FEATURES.map((each) => each.name).join(', ')
      throw new InvalidInput(`--modules names "${name}", which is not a feature. Features: ${known}`)
    }
    return withNeeds(feature)
  })
  return FEATURES.filter((feature) => chosen.includes(feature))
}

/**
 * Checks what a plan combines.
 *
 * @throws InvalidInput when money is chosen without a rail, or a rail without the kind of money
 */
export function checkPlan({ rails, money }: Pick<Plan, 'rails' | 'money'>): void {
  if (rails.length > 0 && money === undefined) {
    throw new InvalidInput(
      '--payments with x402 or stripe needs --money test or --money real: a database takes one kind for life',
    )
  }
  if (rails.length === 0 && money !== undefined) {
    throw new InvalidInput('--money is for --payments x402 or stripe: no money moves in a sandbox')
  }
}

/** The packages that a plan installs beside those of Eep, with their ranges. */
export const packagesOfFeatures = (features: Plan['features']): Readonly<Record<string, string>> =>
  Object.assign({}, ...(features === 'everything' ? FEATURES : features).map(({ packages }) => packages))
