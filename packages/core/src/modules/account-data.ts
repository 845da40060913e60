import type { AccountData, AccountExportContext, ErasureFile } from '../framework/module/account-data.ts'
import type { EndAddedStep, TakeOverStep } from '../framework/module/context.ts'
import type { AccountErasure } from '../framework/module/define-module.ts'
import type { AccountExporter, ProfileExporter } from '../framework/module/export-member.ts'
import { OPTIONAL_GROUPS, type OptionalGroup } from '../ports/storage/groups.ts'
import { revokeHandGrants } from './access/receipts/hand-grants.ts'
import { endAddedApps, endConnectedApps } from './assistants/oauth-server/take-over.ts'
import { cancelWebhooks } from './events/webhooks/take-over.ts'
import { endWorkspaceAccess } from './insight/workspaces/take-over.ts'
import { revokeAddedKeys, revokeApiKeys } from './people/api-keys/take-over.ts'
import { unlinkAddedIdentities, unlinkIdentities } from './people/oauth/take-over.ts'
import { deleteAddedPasskeys, deletePasskeys } from './people/passkeys/take-over.ts'
import { endTeamAccess } from './people/teams/take-over.ts'
import { unlinkWallets } from './people/wallets/take-over.ts'
import { keepPrivate } from './profiles/profiles/publication.ts'

const deleteSecondFactor: TakeOverStep<'secondFactors'> = async (tx, _emit, accountId) => {
  await tx.secondFactors.delete(accountId)
}

const deleteAddedSecondFactor: EndAddedStep<'secondFactors'> = async (tx, _emit, accountId, { since }) => {
  const factor = await tx.secondFactors.get(accountId)
  if (factor && factor.createdAt >= since) await tx.secondFactors.delete(accountId)
}

/** The owner of the address did not schedule publications, and made no links to drafts. */
const cancelPublications: TakeOverStep<'pageDrafts'> = async (tx, _emit, accountId) => {
  await tx.scheduledPublications.deleteOfAccount(accountId)
  await tx.pagePreviewLinks.deleteOfAccount(accountId)
}

/** The owner of the address did not accept them. */
const forgetAgreements: TakeOverStep<'agreements'> = (tx, _emit, accountId) =>
  tx.agreements.eraseAccount({ id: accountId })

/**
 * What the service does with the data of accounts in each optional group of the storage. None of it is in the module of a
 * feature, because the data stays when its feature is no longer imported. Steps of a takeover run in this order: the teams come first,
 * because their step locks the profiles, so that a concurrent request has either committed already or is refused afterwards.
 */
const ACCOUNT_DATA: { readonly [Group in OptionalGroup]: AccountData<Group> } = {
  teams: { takeOver: endTeamAccess, exports: () => import('./people/teams/export-account.ts') },
  apiKeys: {
    takeOver: revokeApiKeys,
    endAdded: revokeAddedKeys,
    exports: () => import('./people/api-keys/export-account.ts'),
  },
  connectedApps: {
    feature: 'oauth-server',
    takeOver: endConnectedApps,
    endAdded: endAddedApps,
    passwordReset: endConnectedApps,
    exports: () => import('./assistants/oauth-server/export-account.ts'),
  },
  identities: {
    feature: 'oauth',
    takeOver: unlinkIdentities,
    endAdded: unlinkAddedIdentities,
    exports: () => import('./people/oauth/export-account.ts'),
  },
  passkeys: {
    feature: 'passkeys',
    takeOver: deletePasskeys,
    endAdded: deleteAddedPasskeys,
    exports: () => import('./people/passkeys/export-account.ts'),
  },
  secondFactors: { takeOver: deleteSecondFactor, endAdded: deleteAddedSecondFactor },
  wallets: { takeOver: unlinkWallets, exports: () => import('./people/wallets/export-account.ts') },
  connections: {
    feature: 'connections',
    exportsOfProfile: () => import('./profiles/connections/export-connections.ts'),
  },
  profileNames: {},
  hiddenProfiles: {},
  profileNumbers: {},
  gateVersions: {},
  agreements: { takeOver: forgetAgreements, exports: () => import('./access/paywall/export-account.ts') },
  sales: { takeOver: revokeHandGrants },
  paidRequests: {},
  openPurchases: {},
  changelog: {},
  followers: {},
  eventRetention: {},
  pageVersions: {},
  pageDrafts: { takeOver: cancelPublications },
  ordering: {},
  oldPaths: {},
  jobs: {},
  files: { feature: 'files' },
  fileTexts: { feature: 'text-extraction' },
  media: { feature: 'media' },
  reactions: { feature: 'reactions', exports: () => import('./publishing/reactions/export-account.ts') },
  feed: {
    feature: 'feed',
    exports: () => import('./publishing/feed/export-account.ts'),
    exportsOfProfile: () => import('./publishing/feed/export-posts.ts'),
  },
  negotiations: { feature: 'commerce' },
  listings: { feature: 'listings', exportsOfProfile: () => import('./trade/listings/listing-archive.ts') },
  messages: { feature: 'messages', exportsOfProfile: () => import('./trade/messages/export-messages.ts') },
  reports: { feature: 'reports' },
  subscriptions: {
    feature: 'subscriptions',
    exports: () => import('./access/subscriptions/export-account.ts'),
    beforeErasure: () => import('./access/subscriptions/foreign-charges.ts'),
  },
  trustLevels: {},
  gateSessions: {},
  smartSections: {
    feature: 'smart-sections',
    exportsOfProfile: () => import('./publishing/smart-sections/section-archive.ts'),
  },
  siteScans: { feature: 'site-scanner', exports: () => import('./discovery/site-scanner/export-account.ts') },
  // Nothing in it is worth anything. An export of the account has its purchases and its subscription.
  sandbox: { feature: 'sandbox' },
  siteIndex: {},
  pricedResources: {},
  directory: {},
  audit: { feature: 'admin' },
  auditLog: { feature: 'audit-log' },
  webhooks: {
    feature: 'webhooks',
    takeOver: cancelWebhooks,
    exports: () => import('./events/webhooks/export-account.ts'),
  },
  notifications: { feature: 'notifications', exports: () => import('./events/notifications/export-account.ts') },
  searchSources: {},
  analytics: { feature: 'analytics' },
  memory: { feature: 'memory', exportsOfProfile: () => import('./insight/memory/memory-archive.ts') },
  workspaces: {
    feature: 'workspaces',
    takeOver: endWorkspaceAccess,
    exports: () => import('./insight/workspaces/export-account.ts'),
  },
}

/** The steps of a takeover: for the groups that a storage has, and for the required one. */
export const takeOverSteps = (groups: readonly OptionalGroup[]): readonly TakeOverStep[] => [
  ...OPTIONAL_GROUPS.filter((group) => groups.includes(group)).flatMap(
    // The transaction has the stores of the groups that the storage has.
    (group) => (ACCOUNT_DATA[group].takeOver as TakeOverStep | undefined) ?? [],
  ),
  keepPrivate,
]

/** What ends credentials that were added to an account lately, for the groups that a storage has. */
export const endAddedSteps = (groups: readonly OptionalGroup[]): readonly EndAddedStep[] =>
  OPTIONAL_GROUPS.filter((group) => groups.includes(group)).flatMap(
    // The transaction has the stores of the groups that the storage has.
    (group) => (ACCOUNT_DATA[group].endAdded as EndAddedStep | undefined) ?? [],
  )

/** What a reset of the password ends, for the groups that a storage has. */
export const passwordResetSteps = (groups: readonly OptionalGroup[]): readonly TakeOverStep[] =>
  OPTIONAL_GROUPS.filter((group) => groups.includes(group)).flatMap(
    // The transaction has the stores of the groups that the storage has.
    (group) => (ACCOUNT_DATA[group].passwordReset as TakeOverStep | undefined) ?? [],
  )

/** The groups of a storage whose feature is not on, with the name of the feature. */
export const groupsWithoutFeature = (
  groups: readonly OptionalGroup[],
  on: ReadonlySet<string>,
): readonly { readonly group: OptionalGroup; readonly feature: string }[] =>
  OPTIONAL_GROUPS.filter((group) => groups.includes(group)).flatMap((group) => {
    const { feature } = ACCOUNT_DATA[group]
    return feature === undefined || on.has(feature) ? [] : { group, feature }
  })

/** What the groups that a storage has add to the archive of an account. Their code is loaded when an archive is written. */
export const accountExporters = (
  groups: readonly OptionalGroup[],
  context: AccountExportContext,
): readonly AccountExporter[] =>
  OPTIONAL_GROUPS.filter((group) => groups.includes(group)).flatMap((group) => {
    const { exports } = ACCOUNT_DATA[group] as AccountData
    if (!exports) return []
    return async function* (subject) {
      const { exportOfAccount } = await exports()
      yield* exportOfAccount(context)(subject)
    }
  })

/** What the groups whose feature is off add to the archive of a profile. Their code is loaded when an archive is written. */
export const profileExporters = (
  groups: readonly OptionalGroup[],
  on: ReadonlySet<string>,
  context: AccountExportContext,
): readonly ProfileExporter[] =>
  groupsWithoutFeature(groups, on).flatMap(({ group }) => {
    const { exportsOfProfile } = ACCOUNT_DATA[group] as AccountData
    if (!exportsOfProfile) return []
    return async function* (subject) {
      const { exportOfProfile } = await exportsOfProfile()
      yield* exportOfProfile(context)(subject)
    }
  })

/** What happens before an account is erased, for the groups whose feature is off. Their code is loaded when an account is erased. */
export const erasures = (
  groups: readonly OptionalGroup[],
  on: ReadonlySet<string>,
  context: Parameters<ErasureFile['beforeErasure']>[0],
): readonly AccountErasure[] =>
  groupsWithoutFeature(groups, on).flatMap(({ group }) => {
    const { beforeErasure } = ACCOUNT_DATA[group] as AccountData
    return beforeErasure ? { before: async (account) => (await beforeErasure()).beforeErasure(context)(account) } : []
  })
