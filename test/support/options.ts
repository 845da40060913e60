import type { EepPluginOptions } from '@eep/core'
import { type EverythingOptions, everything } from '@eep/core/everything'

type Options = Partial<EepPluginOptions> & EverythingOptions

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** The features of the package by their names in the options of `everything()`. */
const FEATURES: ReadonlySet<string> = new Set(
  everything().map(({ name }) => name.replaceAll(/-[a-z]/g, ([, letter = '']) => letter.toUpperCase())),
)

const GROUPS: ReadonlySet<string> = new Set<keyof Options>([
  ...(FEATURES as ReadonlySet<keyof EverythingOptions>),
  'auth',
  'content',
  'discovery',
  'email',
  'frontendUrls',
  'gates',
  'hooks',
  'http',
  'jobs',
  'limits',
  'payments',
  'profiles',
])

/** The options of `changes`, and those of `defaults` that it does not have, group by group. */
export function mergeOptions<Defaults extends Options>(defaults: Defaults, changes: Options): Defaults & Options {
  const merged = Object.entries(changes).map(([name, value]) => {
    const before = (defaults as Record<string, unknown>)[name]
    return [name, GROUPS.has(name) && isPlain(before) && isPlain(value) ? { ...before, ...value } : value]
  })
  return { ...defaults, ...Object.fromEntries(merged) }
}

/** Separates the options of features from those of the service. */
export function splitOptions<All extends Options>(
  options: All,
): Omit<All, keyof EverythingOptions> & { readonly features: EverythingOptions } {
  const entries = Object.entries(options)
  return {
    ...Object.fromEntries(entries.filter(([name]) => !FEATURES.has(name))),
    features: Object.fromEntries(entries.filter(([name]) => FEATURES.has(name))),
  } as ReturnType<typeof splitOptions<All>>
}
