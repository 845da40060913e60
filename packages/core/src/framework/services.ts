import type { GatesApi } from '../modules/access/gates/api.ts'
import type { PaywallApi } from '../modules/access/paywall/api.ts'
import type { EntitlementsApi, ReceiptsApi, SalesApi } from '../modules/access/receipts/api.ts'
import type { SubscriptionsApi } from '../modules/access/subscriptions/api.ts'
import type { DiscoveryApi } from '../modules/discovery/discovery/api.ts'
import type { SearchApi } from '../modules/discovery/search/api.ts'
import type { SiteScannerApi } from '../modules/discovery/site-scanner/api.ts'
import type { NotificationsApi } from '../modules/events/notifications/api.ts'
import type { SignalsApi } from '../modules/events/signals/api.ts'
import type { SocketsApi } from '../modules/events/sockets/api.ts'
import type { WebhooksApi } from '../modules/events/webhooks/api.ts'
import type { AnalyticsApi } from '../modules/insight/analytics/api.ts'
import type { InsightsApi } from '../modules/insight/insights/api.ts'
import type { WorkspacesApi } from '../modules/insight/workspaces/api.ts'
import type { JobsApi } from '../modules/jobs/api.ts'
import type { AdminApi } from '../modules/operations/admin/api.ts'
import type { AccountsApi, HostUsersApi } from '../modules/people/accounts/api.ts'
import type { ApiKeysApi } from '../modules/people/api-keys/api.ts'
import type { TeamsApi } from '../modules/people/teams/api.ts'
import type { ConnectionsApi } from '../modules/profiles/connections/api.ts'
import type { ProfilesApi } from '../modules/profiles/profiles/api.ts'
import type { TrustApi } from '../modules/profiles/trust/api.ts'
import type { ArchivesApi } from '../modules/publishing/archives/api.ts'
import type { ContentApi } from '../modules/publishing/content/api.ts'
import type { FeedApi } from '../modules/publishing/feed/api.ts'
import type { FilesApi } from '../modules/publishing/files/api.ts'
import type { MediaApi } from '../modules/publishing/media/api.ts'
import type { ReactionsApi } from '../modules/publishing/reactions/api.ts'
import type { SmartSectionsApi } from '../modules/publishing/smart-sections/api.ts'
import type { NegotiationsApi } from '../modules/trade/commerce/api.ts'
import type { MessagesApi } from '../modules/trade/messages/api.ts'

/**
 * The services of the package on `app.eep`, by name. The property of a module that is off throws an error that names the module. Those
 * of a host's modules come from `EepExtensions`.
 */
export interface EepServices {
  readonly accounts: AccountsApi
  readonly admin: AdminApi
  readonly analytics: AnalyticsApi
  readonly apiKeys: ApiKeysApi
  readonly archives: ArchivesApi
  readonly connections: ConnectionsApi
  readonly content: ContentApi
  readonly discovery: DiscoveryApi
  readonly entitlements: EntitlementsApi
  readonly feed: FeedApi
  readonly files: FilesApi
  readonly gates: GatesApi
  readonly hostUsers: HostUsersApi
  readonly insights: InsightsApi
  readonly jobs: JobsApi
  readonly media: MediaApi
  readonly messages: MessagesApi
  readonly negotiations: NegotiationsApi
  readonly notifications: NotificationsApi
  readonly paywall: PaywallApi
  readonly profiles: ProfilesApi
  readonly reactions: ReactionsApi
  readonly receipts: ReceiptsApi
  readonly sales: SalesApi
  readonly search: SearchApi
  readonly signals: SignalsApi
  readonly siteScanner: SiteScannerApi
  readonly smartSections: SmartSectionsApi
  readonly sockets: SocketsApi
  readonly subscriptions: SubscriptionsApi
  readonly teams: TeamsApi
  readonly trust: TrustApi
  readonly webhooks: WebhooksApi
  readonly workspaces: WorkspacesApi
}
