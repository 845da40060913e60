import { accountPages } from './account-pages/module.ts'
import { accounts } from './accounts/module.ts'
import { admin } from './admin/module.ts'
import { agentAccess } from './agent-access/module.ts'
import { agents } from './agents/module.ts'
import { analytics } from './analytics/module.ts'
import { apiKeys } from './api-keys/module.ts'
import { archives } from './archives/module.ts'
import { auditLog } from './audit-log/module.ts'
import { checkout } from './checkout/module.ts'
import { commerce } from './commerce/module.ts'
import { connections } from './connections/module.ts'
import { content } from './content/module.ts'
import { dataWithdrawal } from './data-withdrawal/module.ts'
import { delegation } from './delegation/module.ts'
import { discovery } from './discovery/module.ts'
import { feed } from './feed/module.ts'
import { files } from './files/module.ts'
import { gateSessions } from './gate-sessions/module.ts'
import { gates } from './gates/module.ts'
import { insights } from './insights/module.ts'
import { jobs } from './jobs/module.ts'
import { listings } from './listings/module.ts'
import { media } from './media/module.ts'
import { memory } from './memory/module.ts'
import { messages } from './messages/module.ts'
import { notifications } from './notifications/module.ts'
import { oauth } from './oauth/module.ts'
import { passkeys } from './passkeys/module.ts'
import { paywall } from './paywall/module.ts'
import { profilePages } from './profile-pages/module.ts'
import { profiles } from './profiles/module.ts'
import { purchaseRecovery } from './purchase-recovery/module.ts'
import { reactions } from './reactions/module.ts'
import { receipts } from './receipts/module.ts'
import { reports } from './reports/module.ts'
import { search } from './search/module.ts'
import { signals } from './signals/module.ts'
import { siteScanner } from './site-scanner/module.ts'
import { smartSections } from './smart-sections/module.ts'
import { sockets } from './sockets/module.ts'
import { subscriptions } from './subscriptions/module.ts'
import { teams } from './teams/module.ts'
import { textExtraction } from './text-extraction/module.ts'
import { trust } from './trust/module.ts'
import { trustLevels } from './trust-levels/module.ts'
import { usage } from './usage/module.ts'
import { wallets } from './wallets/module.ts'
import { webhooks } from './webhooks/module.ts'
import { workspaces } from './workspaces/module.ts'

/** Every module of the package, in order of dependency: a module comes after those that it requires or uses. */
export const coreModules = [
  profiles,
  accounts,
  teams,
  apiKeys,
  oauth,
  passkeys,
  wallets,
  agents,
  agentAccess,
  delegation,
  dataWithdrawal,
  trust,
  trustLevels,
  connections,
  feed,
  receipts,
  gates,
  paywall,
  gateSessions,
  profilePages,
  smartSections,
  jobs,
  files,
  media,
  textExtraction,
  content,
  reactions,
  commerce,
  listings,
  messages,
  reports,
  subscriptions,
  checkout,
  purchaseRecovery,
  admin,
  signals,
  sockets,
  webhooks,
  notifications,
  auditLog,
  search,
  memory,
  usage,
  workspaces,
  analytics,
  archives,
  insights,
  siteScanner,
  accountPages,
  discovery,
] as const

/** The name of a module of this package. */
export type CoreModuleName = (typeof coreModules)[number]['name']
