import type { EepPluginOptions } from '@eep/core'
import type { EverythingOptions } from '@eep/core/everything'

type Options = Partial<EepPluginOptions> & EverythingOptions

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** The features of the package, as in the options of `everything()`. */
const FEATURES: Readonly<Record<keyof EverythingOptions, true>> = {
  admin: true,
  agentAccess: true,
  analytics: true,
  archives: true,
  auditLog: true,
  commerce: true,
  dataWithdrawal: true,
  delegation: true,
  feed: true,
  files: true,
  insights: true,
  listings: true,
  media: true,
  memory: true,
  messages: true,
  notifications: true,
  oauth: true,
  passkeys: true,
  reactions: true,
  reports: true,
  search: true,
  signals: true,
  siteScanner: true,
  smartSections: true,
  sockets: true,
  subscriptions: true,
  textExtraction: true,
  usage: true,
  webhooks: true,
  workspaces: true,
}

const GROUPS: ReadonlySet<string> = new Set<keyof Options>([
  ...(Object.keys(FEATURES) as (keyof EverythingOptions)[]),
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
    ...Object.fromEntries(entries.filter(([name]) => !(name in FEATURES))),
    features: Object.fromEntries(entries.filter(([name]) => name in FEATURES)),
  } as ReturnType<typeof splitOptions<All>>
}
