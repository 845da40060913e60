import type { OptionalGroup, Stores } from '@eep/core/ports'
import type { Kysely } from 'kysely'
import type { Database, Db } from './database.ts'
import { TRANSACTION } from './kysely-of.ts'
import { lazily } from './lazy-stores.ts'
import { accounts } from './stores/accounts.ts'
import { agreements } from './stores/agreements.ts'
import { analytics } from './stores/analytics.ts'
import { apiKeys } from './stores/api-keys.ts'
import { appSpending } from './stores/app-spending.ts'
import { audit } from './stores/audit.ts'
import { auditLog } from './stores/audit-log.ts'
import { categories } from './stores/categories.ts'
import { connectedApps } from './stores/connected-apps.ts'
import { connections } from './stores/connections.ts'
import { customers } from './stores/customers.ts'
import { directory } from './stores/directory.ts'
import { disputes } from './stores/disputes.ts'
import { documentComments } from './stores/document-comments.ts'
import { entitlements } from './stores/entitlements.ts'
import { changelog, eventRetention, events, followers } from './stores/events.ts'
import { expired } from './stores/expired.ts'
import { feed } from './stores/feed.ts'
import { fileTexts } from './stores/file-texts.ts'
import { files } from './stores/files.ts'
import { gateSessions } from './stores/gate-sessions.ts'
import { gates, gateVersions } from './stores/gates.ts'
import { grants } from './stores/grants.ts'
import { hiddenProfiles } from './stores/hidden-profiles.ts'
import { idempotency } from './stores/idempotency.ts'
import { identities } from './stores/identities.ts'
import { invitations } from './stores/invitations.ts'
import { jobs } from './stores/jobs.ts'
import { listings } from './stores/listings.ts'
import { media } from './stores/media.ts'
import { members } from './stores/members.ts'
import { memory } from './stores/memory.ts'
import { messages } from './stores/messages.ts'
import { negotiations } from './stores/negotiations.ts'
import { nonces } from './stores/nonces.ts'
import { notifications } from './stores/notifications.ts'
import { oldPaths } from './stores/old-paths.ts'
import { ordering } from './stores/ordering.ts'
import { openPurchases } from './stores/own-purchases.ts'
import { pageDrafts } from './stores/page-drafts.ts'
import { pagePreviewLinks } from './stores/page-preview-links.ts'
import { pages, pageVersions } from './stores/pages.ts'
import { paidRequests } from './stores/paid-requests.ts'
import { passkeys } from './stores/passkeys.ts'
import { payments } from './stores/payments.ts'
import { payouts } from './stores/payouts.ts'
import { prepaidPlans } from './stores/prepaid-plans.ts'
import { pricedResources } from './stores/priced-resources.ts'
import { pricing } from './stores/pricing.ts'
import { profileNames, profileNumbers, profiles } from './stores/profiles.ts'
import { reactions } from './stores/reactions.ts'
import { receipts, refunds, sales } from './stores/receipts.ts'
import { reports } from './stores/reports.ts'
import { sandboxMail } from './stores/sandbox-mail.ts'
import { sandboxPayments } from './stores/sandbox-payments.ts'
import { sandboxPlans } from './stores/sandbox-plans.ts'
import { sandboxWallets } from './stores/sandbox-wallets.ts'
import { scheduledPublications } from './stores/scheduled-publications.ts'
import { searchSources } from './stores/search-sources.ts'
import { secondFactors } from './stores/second-factors.ts'
import { sessions } from './stores/sessions.ts'
import { siteIndex } from './stores/site-index.ts'
import { siteScans } from './stores/site-scans.ts'
import { smartSections } from './stores/smart-sections.ts'
import { subscriptions } from './stores/subscriptions.ts'
import { tokens } from './stores/tokens.ts'
import { transfers } from './stores/transfers.ts'
import { trustLevels } from './stores/trust-levels.ts'
import { wallets } from './stores/wallets.ts'
import { webhooks } from './stores/webhooks.ts'
import { workspaceActivity } from './stores/workspace-activity.ts'
import { workspaceDocuments } from './stores/workspace-documents.ts'
import { workspaceInvitations } from './stores/workspace-invitations.ts'
import { workspaceMembers } from './stores/workspace-members.ts'
import { workspaces } from './stores/workspaces.ts'

/** Callbacks of a transaction that stores events or jobs. */
export interface Marks {
  readonly added?: (() => void) | undefined
  readonly appended?: (() => void) | undefined
}

type AllStores = Stores<OptionalGroup>

/** The function that creates each store. On a connection a store reads, in a transaction it also writes. */
const CREATE: { readonly [Name in keyof AllStores]: (db: Db, schema: string, marks: Marks) => AllStores[Name] } = {
  accounts,
  sessions,
  tokens,
  identities,
  passkeys,
  secondFactors,
  wallets,
  payouts,
  apiKeys,
  connectedApps,
  appSpending,
  profiles,
  hiddenProfiles,
  profileNames,
  profileNumbers,
  members,
  invitations,
  transfers,
  categories,
  pages,
  pageVersions,
  pageDrafts,
  scheduledPublications,
  pagePreviewLinks,
  ordering,
  oldPaths,
  reactions,
  connections,
  feed,
  gates,
  gateVersions,
  agreements,
  entitlements,
  grants,
  customers,
  disputes,
  openPurchases,
  siteIndex,
  pricedResources,
  directory,
  nonces,
  idempotency,
  payments,
  paidRequests,
  receipts,
  sales,
  refunds,
  files,
  fileTexts,
  jobs: (db, schema, { added }) => jobs(db, schema, added ?? (() => {})),
  media,
  listings,
  negotiations,
  messages,
  reports,
  gateSessions,
  smartSections,
  siteScans,
  sandboxWallets,
  sandboxPayments,
  sandboxPlans,
  sandboxMail,
  subscriptions,
  pricing,
  prepaidPlans,
  trustLevels,
  audit,
  auditLog,
  expired,
  events: (db, _schema, { appended }) => events(db, appended),
  eventRetention,
  changelog,
  followers,
  webhooks,
  notifications,
  searchSources,
  analytics,
  memory,
  workspaces,
  workspaceMembers,
  workspaceInvitations,
  workspaceActivity,
  workspaceDocuments,
  documentComments,
}

/** Creates the stores on a connection. */
export function createStores(db: Kysely<Database>, schema: string): AllStores {
  const scoped = db.withSchema(schema)
  const stores = Object.entries(CREATE).map(([name, create]) => [name, create(scoped, schema, {})])
  // The type of `Object.fromEntries` loses the names.
  return Object.fromEntries(stores) as AllStores
}

const createLazily = lazily<AllStores, [Db, string, Marks]>(CREATE)

/**
 * Returns the stores of a transaction, each created when it is first used: most transactions use a few, and creating all of them
 * takes longer than a statement. `kyselyOf` returns `trx` for them and for copies of them.
 */
export const createTransactionStores = (trx: Kysely<Database>, schema: string, marks: Marks = {}): AllStores =>
  createLazily([trx.withSchema(schema), schema, marks], { [TRANSACTION]: trx })
