import type { AccountEraser } from './erasure.ts'
import type { OptionalGroup, OptionalGroups } from './groups.ts'

/** The store of a group that erases accounts; null when the group has none. */
type ErasingStore<Stores> = {
  readonly [Name in keyof Stores]: Stores[Name] extends { readonly store: AccountEraser } ? Name : never
}[keyof Stores]

/**
 * The store of each optional group that erases accounts, in the order of erasure. Null for a group whose data all belongs
 * to profiles, or that reads the stores of others.
 */
export const ERASING_STORE = {
  teams: 'members',
  apiKeys: 'apiKeys',
  connectedApps: 'connectedApps',
  identities: 'identities',
  passkeys: 'passkeys',
  secondFactors: 'secondFactors',
  wallets: 'wallets',
  connections: null,
  profileNames: null,
  hiddenProfiles: null,
  profileNumbers: null,
  gateVersions: null,
  agreements: 'agreements',
  sales: 'refunds',
  paidRequests: 'paidRequests',
  openPurchases: null,
  changelog: null,
  followers: null,
  eventRetention: null,
  pageVersions: null,
  pageDrafts: null,
  ordering: null,
  oldPaths: null,
  jobs: 'jobs',
  files: 'files',
  fileTexts: null,
  media: 'media',
  reactions: 'reactions',
  feed: 'feed',
  negotiations: 'negotiations',
  listings: 'listings',
  messages: 'messages',
  reports: 'reports',
  subscriptions: 'subscriptions',
  trustLevels: null,
  gateSessions: null,
  smartSections: null,
  siteScans: 'siteScans',
  sandbox: 'sandboxMail',
  siteIndex: null,
  pricedResources: null,
  directory: null,
  audit: 'audit',
  auditLog: 'auditLog',
  webhooks: 'webhooks',
  notifications: 'notifications',
  searchSources: null,
  analytics: null,
  memory: null,
  workspaces: 'workspaces',
} as const satisfies {
  readonly [Group in OptionalGroup]: [ErasingStore<OptionalGroups[Group]>] extends [never]
    ? null
    : ErasingStore<OptionalGroups[Group]>
}
