import { defineModule, type Module, type ServicesOf } from '../framework/module/define-module.ts'
import { gateSessions } from '../modules/access/gate-sessions/token.ts'
import { gates } from '../modules/access/gates/token.ts'
import { paywall } from '../modules/access/paywall/token.ts'
import { purchaseRecovery } from '../modules/access/purchases/token.ts'
import { receipts } from '../modules/access/receipts/token.ts'
import { subscriptions } from '../modules/access/subscriptions/token.ts'
import { agentAccess } from '../modules/agents/access/token.ts'
import { agents } from '../modules/agents/agents/token.ts'
import { delegation } from '../modules/agents/delegation/token.ts'
import { dataWithdrawal } from '../modules/agents/withdrawal/token.ts'
import { discovery } from '../modules/discovery/discovery/token.ts'
import { search } from '../modules/discovery/search/token.ts'
import { siteScanner } from '../modules/discovery/site-scanner/token.ts'
import { auditLog } from '../modules/events/audit-log/token.ts'
import { notifications } from '../modules/events/notifications/token.ts'
import { signals } from '../modules/events/signals/token.ts'
import { sockets } from '../modules/events/sockets/token.ts'
import { webhooks } from '../modules/events/webhooks/token.ts'
import { analytics } from '../modules/insight/analytics/token.ts'
import { insights } from '../modules/insight/insights/token.ts'
import { memory } from '../modules/insight/memory/token.ts'
import { workspaces } from '../modules/insight/workspaces/token.ts'
import { jobs } from '../modules/jobs/token.ts'
import { admin } from '../modules/operations/admin/token.ts'
import { reports } from '../modules/operations/reports/token.ts'
import { usage } from '../modules/operations/usage/token.ts'
import { accountPages } from '../modules/pages/account-pages/token.ts'
import { accounts } from '../modules/people/accounts/token.ts'
import { apiKeys } from '../modules/people/api-keys/token.ts'
import { oauth } from '../modules/people/oauth/token.ts'
import { passkeys } from '../modules/people/passkeys/token.ts'
import { teams } from '../modules/people/teams/token.ts'
import { wallets } from '../modules/people/wallets/token.ts'
import { connections } from '../modules/profiles/connections/token.ts'
import { profiles } from '../modules/profiles/profiles/token.ts'
import { trust } from '../modules/profiles/trust/token.ts'
import { trustLevels } from '../modules/profiles/trust-levels/token.ts'
import { archives } from '../modules/publishing/archives/token.ts'
import { content } from '../modules/publishing/content/token.ts'
import { feed } from '../modules/publishing/feed/token.ts'
import { files } from '../modules/publishing/files/token.ts'
import { media } from '../modules/publishing/media/token.ts'
import { profilePages } from '../modules/publishing/profile-documents/token.ts'
import { reactions } from '../modules/publishing/reactions/token.ts'
import { smartSections } from '../modules/publishing/smart-sections/token.ts'
import { textExtraction } from '../modules/publishing/text-extraction/token.ts'
import { commerce } from '../modules/trade/commerce/token.ts'
import { listings } from '../modules/trade/listings/token.ts'
import { messages } from '../modules/trade/messages/token.ts'
import { sandbox } from '../modules/trade/sandbox/token.ts'

const tokens = [
  gateSessions,
  gates,
  paywall,
  purchaseRecovery,
  receipts,
  subscriptions,
  agentAccess,
  agents,
  delegation,
  dataWithdrawal,
  discovery,
  search,
  siteScanner,
  auditLog,
  notifications,
  signals,
  sockets,
  webhooks,
  analytics,
  insights,
  memory,
  workspaces,
  jobs,
  admin,
  reports,
  usage,
  accountPages,
  accounts,
  apiKeys,
  oauth,
  passkeys,
  teams,
  wallets,
  connections,
  profiles,
  trustLevels,
  trust,
  archives,
  content,
  feed,
  files,
  media,
  profilePages,
  reactions,
  smartSections,
  textExtraction,
  commerce,
  listings,
  messages,
  sandbox,
] as const

/** The internal services of all modules. Those of modules that are off are missing. */
export type InternalServices = Partial<ServicesOf<typeof tokens>>

/** Internal services, for tests of work that no route and no method of `app.eep` starts. */
export interface ServiceProbe {
  /** Pass it in `modules`. */
  readonly module: Module
  /** The services of the modules that are on. */
  readonly services: InternalServices
}

/**
 * Creates a module that gives a test the services of the other modules, with methods that hosts cannot call, such as one run
 * of a background worker. These methods may change in any release.
 *
 * @example
 * const probe = serviceProbe()
 * await app.register(eep, { ...options, modules: [probe.module] })
 * await probe.services.negotiations?.expireDue()
 */
export function serviceProbe(): ServiceProbe {
  const services = {}
  const module = defineModule({
    name: 'service-probe',
    uses: tokens,
    create: (_context, available) => {
      Object.assign(services, available)
      return {}
    },
  })
  return { module, services }
}
