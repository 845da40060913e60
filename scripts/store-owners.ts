// Which module owns each store of the storage, and which stores of others a module keeps, with the reason.

/** The stores of each module. `accounts` and `profiles` are in no list: every module may read who acts and for which profile. */
export const OWNERS: Readonly<Record<string, readonly string[]>> = {
  'access/gates': ['gates', 'gateVersions'],
  'access/gate-sessions': ['gateSessions'],
  'access/paywall': ['payments', 'agreements', 'paidRequests'],
  'access/purchases': ['openPurchases'],
  'access/receipts': ['receipts', 'entitlements', 'sales', 'refunds', 'grants', 'disputes'],
  'access/subscriptions': ['subscriptions', 'pricing', 'prepaidPlans'],
  'assistants/oauth-server': ['connectedApps', 'appSpending'],
  'discovery/discovery': ['siteIndex'],
  'discovery/priced-discovery': ['pricedResources'],
  'discovery/search': ['searchSources'],
  'discovery/site-scanner': ['siteScans'],
  'events/audit-log': ['auditLog'],
  'events/notifications': ['notifications'],
  'events/webhooks': ['webhooks'],
  'insight/analytics': ['analytics'],
  'insight/memory': ['memory'],
  'insight/workspaces': [
    'workspaces',
    'workspaceMembers',
    'workspaceInvitations',
    'workspaceActivity',
    'workspaceDocuments',
    'documentComments',
  ],
  jobs: ['jobs'],
  'operations/admin': ['audit', 'directory'],
  'operations/reports': ['reports'],
  'people/accounts': ['sessions', 'secondFactors', 'expired'],
  'people/api-keys': ['apiKeys'],
  'people/oauth': ['identities'],
  'people/passkeys': ['passkeys'],
  'people/teams': ['members', 'invitations', 'transfers'],
  'people/wallets': ['wallets', 'payouts'],
  'profiles/connections': ['connections'],
  'profiles/profiles': ['profileNames', 'hiddenProfiles', 'profileNumbers', 'changelog'],
  'profiles/trust-levels': ['trustLevels'],
  'publishing/content': [
    'categories',
    'pages',
    'pageVersions',
    'pageDrafts',
    'scheduledPublications',
    'oldPaths',
    'ordering',
  ],
  'publishing/feed': ['feed'],
  'publishing/files': ['files'],
  'publishing/media': ['media'],
  'publishing/reactions': ['reactions'],
  'publishing/smart-sections': ['smartSections'],
  'publishing/text-extraction': ['fileTexts'],
  'trade/commerce': ['negotiations'],
  'trade/listings': ['listings'],
  'trade/messages': ['messages'],
  'trade/sandbox': ['sandboxWallets', 'sandboxPayments', 'sandboxPlans', 'sandboxMail'],
}

/** Stores that several modules use without sharing rows: the methods that all may call, and why. */
export const SHARED_STORES: Readonly<
  Record<string, { readonly methods: 'all' | readonly string[]; readonly why: string }>
> = {
  nonces: { methods: 'all', why: 'each user claims values in its own scope' },
  tokens: { methods: 'all', why: 'each user stores and consumes tokens with its own purpose' },
  events: { methods: 'all', why: 'the event log belongs to the runtime, which stores what modules emit' },
  eventRetention: { methods: 'all', why: 'the event log belongs to the runtime' },
  followers: { methods: 'all', why: 'the runtime keeps the cursors of all consumers in it' },
  idempotency: { methods: 'all', why: 'the HTTP layer keeps answers of all routes in it' },
  audit: { methods: ['append'], why: 'entries are only added, in the transaction of what an administrator changes' },
}

/** The most modules that may keep stores of others. */
export const MAX_KEEPING = 14

/** The stores of others that a module keeps, each with the reason. */
export const KEPT_STORES: Readonly<Record<string, { readonly stores: readonly string[]; readonly why: string }>> = {
  'access/paywall': {
    stores: [
      'entitlements',
      'gateVersions',
      'gateSessions',
      'receipts',
      'refunds',
      'sales',
      'disputes',
      'grants',
      'appSpending',
    ],
    why: 'a payment, its receipt, what it opens and what an app spends are recorded in one transaction, and each request is decided from them in one read',
  },
  'access/purchases': {
    stores: ['receipts'],
    why: 'a notification finds the account that paid by the receipt that the event names',
  },
  'access/receipts': {
    stores: ['gates'],
    why: 'a grant by hand takes what a tier opens from the gate, in the transaction that locks the profile',
  },
  'discovery/site-scanner': {
    stores: ['jobs'],
    why: 'scans are jobs, and an account is exported with them when the feature is off',
  },
  'events/audit-log': {
    stores: ['negotiations', 'receipts', 'payments', 'grants'],
    why: 'an entry names the party of a deal, a sale or a grant as the record had it, also while their modules are off',
  },
  'people/accounts': {
    stores: ['apiKeys', 'webhooks', 'directory', 'identities', 'hiddenProfiles', 'passkeys', 'workspaces'],
    why: 'sign-in, takeover and erasure end what a person has in modules that come after it, and in features that are off',
  },
  'people/api-keys': {
    stores: ['webhooks'],
    why: 'the rotation of a key moves its webhooks in the same transaction, and webhooks require keys',
  },
  'profiles/profiles': {
    stores: ['members', 'gates', 'receipts'],
    why: 'roles come from the team, the fields that a profile shows from its gate, and its trust from what it bought',
  },
  'publishing/archives': {
    stores: ['files', 'jobs', 'hiddenProfiles'],
    why: 'uploads and finished archives are blobs of the file store, and an imported profile stays hidden until its last transaction',
  },
  'publishing/content': {
    stores: ['gates', 'files'],
    why: 'a move checks the gate of a path in its transaction, and a page lists its images while files are off',
  },
  'publishing/feed': {
    stores: ['gates', 'files'],
    why: 'a post attaches files that are open to everyone, which their gate decides',
  },
  'publishing/files': {
    stores: ['fileTexts'],
    why: 'texts of deleted files go with their bytes, also while the feature that wrote them is off',
  },
  'trade/commerce': {
    stores: ['listings', 'receipts', 'refunds'],
    why: 'an offer has the price of a listing, a payment proof names a receipt, and listings require deals for reviews',
  },
  'trade/listings': {
    stores: ['negotiations'],
    why: 'a review is of a deal that is done, which is found by its two parties',
  },
}
