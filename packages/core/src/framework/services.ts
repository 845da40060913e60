import type { GatesApi } from '../modules/access/gates/api.ts'
import type { PaywallApi } from '../modules/access/paywall/api.ts'
import type { EntitlementsApi, ReceiptsApi, SalesApi } from '../modules/access/receipts/api.ts'
import type { DiscoveryApi } from '../modules/discovery/discovery/api.ts'
import type { JobsApi } from '../modules/jobs/api.ts'
import type { AccountsApi, HostUsersApi } from '../modules/people/accounts/api.ts'
import type { ApiKeysApi } from '../modules/people/api-keys/api.ts'
import type { TeamsApi } from '../modules/people/teams/api.ts'
import type { ConnectionsApi } from '../modules/profiles/connections/api.ts'
import type { ProfilesApi } from '../modules/profiles/profiles/api.ts'
import type { TrustApi } from '../modules/profiles/trust/api.ts'
import type { ContentApi } from '../modules/publishing/content/api.ts'

/**
 * The services of the package on `app.eep`, by name. The property of a module that is off throws an error that names the module. Those
 * of a host's modules come from `EepExtensions`.
 */
export interface EepServices {
  readonly accounts: AccountsApi
  readonly apiKeys: ApiKeysApi
  readonly connections: ConnectionsApi
  readonly content: ContentApi
  readonly discovery: DiscoveryApi
  readonly entitlements: EntitlementsApi
  readonly gates: GatesApi
  readonly hostUsers: HostUsersApi
  readonly jobs: JobsApi
  readonly paywall: PaywallApi
  readonly profiles: ProfilesApi
  readonly receipts: ReceiptsApi
  readonly sales: SalesApi
  readonly teams: TeamsApi
  readonly trust: TrustApi
}
