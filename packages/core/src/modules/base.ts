import { gateSessions } from './access/gate-sessions/module.ts'
import { gates } from './access/gates/module.ts'
import { paywall } from './access/paywall/module.ts'
import { purchaseRecovery } from './access/purchases/module.ts'
import { receipts } from './access/receipts/module.ts'
import { agents } from './agents/agents/module.ts'
import { discovery } from './discovery/discovery/module.ts'
import { jobs } from './jobs/module.ts'
import { accountPages } from './pages/account-pages/module.ts'
import { accounts } from './people/accounts/module.ts'
import { apiKeys } from './people/api-keys/module.ts'
import { teams } from './people/teams/module.ts'
import { wallets } from './people/wallets/module.ts'
import { connections } from './profiles/connections/module.ts'
import { profiles } from './profiles/profiles/module.ts'
import { trust } from './profiles/trust/module.ts'
import { trustLevels } from './profiles/trust-levels/module.ts'
import { content } from './publishing/content/module.ts'
import { profilePages } from './publishing/profile-documents/module.ts'

/** The modules that every service has. Those of features are imported by the host. */
export const baseModules = [
  profiles,
  accounts,
  teams,
  apiKeys,
  wallets,
  agents,
  trust,
  trustLevels,
  connections,
  receipts,
  gates,
  paywall,
  gateSessions,
  profilePages,
  content,
  purchaseRecovery,
  accountPages,
  discovery,
] as const

/** Modules that are on when another one requires them. */
export const modulesOnDemand = [jobs] as const

/** The modules of the base that a host can leave out. `trust` is left out together with `trust-levels`, which requires it; no other one is required. */
export const OPTIONAL_BASE_MODULES = [
  'teams',
  'api-keys',
  'wallets',
  'trust-levels',
  'trust',
  'connections',
  'gate-sessions',
  'purchase-recovery',
  'account-pages',
  'discovery',
] as const

/** The name of a module of the base that a host can leave out. */
export type OptionalBaseModule = (typeof OPTIONAL_BASE_MODULES)[number]
