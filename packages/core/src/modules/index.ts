import { gateSessions } from './access/gate-sessions/module.ts'
import { gates } from './access/gates/module.ts'
import { paywall } from './access/paywall/module.ts'
import { purchaseRecovery } from './access/purchases/module.ts'
import { receipts } from './access/receipts/module.ts'
import { subscriptions } from './access/subscriptions/module.ts'
import { agentAccess } from './agents/access/module.ts'
import { agents } from './agents/agents/module.ts'
import { delegation } from './agents/delegation/module.ts'
import { dataWithdrawal } from './agents/withdrawal/module.ts'
import { discovery } from './discovery/discovery/module.ts'
import { search } from './discovery/search/module.ts'
import { siteScanner } from './discovery/site-scanner/module.ts'
import { auditLog } from './events/audit-log/module.ts'
import { notifications } from './events/notifications/module.ts'
import { signals } from './events/signals/module.ts'
import { sockets } from './events/sockets/module.ts'
import { webhooks } from './events/webhooks/module.ts'
import { analytics } from './insight/analytics/module.ts'
import { insights } from './insight/insights/module.ts'
import { memory } from './insight/memory/module.ts'
import { workspaces } from './insight/workspaces/module.ts'
import { jobs } from './jobs/module.ts'
import { admin } from './operations/admin/module.ts'
import { reports } from './operations/reports/module.ts'
import { usage } from './operations/usage/module.ts'
import { accountPages } from './pages/account-pages/module.ts'
import { checkout } from './pages/checkout/module.ts'
import { accounts } from './people/accounts/module.ts'
import { apiKeys } from './people/api-keys/module.ts'
import { oauth } from './people/oauth/module.ts'
import { passkeys } from './people/passkeys/module.ts'
import { teams } from './people/teams/module.ts'
import { wallets } from './people/wallets/module.ts'
import { connections } from './profiles/connections/module.ts'
import { profiles } from './profiles/profiles/module.ts'
import { trust } from './profiles/trust/module.ts'
import { trustLevels } from './profiles/trust-levels/module.ts'
import { archives } from './publishing/archives/module.ts'
import { content } from './publishing/content/module.ts'
import { feed } from './publishing/feed/module.ts'
import { files } from './publishing/files/module.ts'
import { media } from './publishing/media/module.ts'
import { profilePages } from './publishing/profile-documents/module.ts'
import { reactions } from './publishing/reactions/module.ts'
import { smartSections } from './publishing/smart-sections/module.ts'
import { textExtraction } from './publishing/text-extraction/module.ts'
import { commerce } from './trade/commerce/module.ts'
import { listings } from './trade/listings/module.ts'
import { messages } from './trade/messages/module.ts'

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
