import type { EepPluginOptions } from '@eep/core'

type Options = Partial<EepPluginOptions>

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const GROUPS: ReadonlySet<string> = new Set<keyof EepPluginOptions>([
  'archives',
  'auth',
  'content',
  'discovery',
  'email',
  'files',
  'frontendUrls',
  'gates',
  'hooks',
  'http',
  'jobs',
  'limits',
  'payments',
  'profiles',
  'search',
  'signals',
  'sockets',
  'webhooks',
])

/** The options of `changes`, and those of `defaults` that it does not have, group by group. */
export function mergeOptions<Defaults extends Options>(defaults: Defaults, changes: Options): Defaults & Options {
  const merged = Object.entries(changes).map(([name, value]) => {
    const before = (defaults as Record<string, unknown>)[name]
    return [name, GROUPS.has(name) && isPlain(before) && isPlain(value) ? { ...before, ...value } : value]
  })
  return { ...defaults, ...Object.fromEntries(merged) }
}
