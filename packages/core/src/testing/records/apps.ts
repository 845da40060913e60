import { randomUUID } from 'node:crypto'
import type { NewSpend } from '../../ports/storage/app-spending.ts'
import type {
  AppDecision,
  AppDeviceRequest,
  AppGrant,
  NewAppConnection,
  NewAppToken,
} from '../../ports/storage/connected-apps.ts'
import { freshHash, freshName, later, moment } from './fresh.ts'

const DAY_MS = 86_400_000

/** A grant for all profiles of an account, to an app with its own client id. It was given in no session. */
export function newAppGrant(accountId: string, changes: Partial<AppGrant> = {}): AppGrant {
  const host = `${freshName()}.example`
  return {
    app: {
      kind: 'cimd',
      clientId: `https://${host}/client.json`,
      name: 'Assistant',
      host,
      verified: true,
      redirectHost: host,
    },
    accountId,
    sessionId: null,
    scopes: ['read:profiles', 'read:content'],
    reach: 'all',
    profileId: null,
    maySpend: true,
    spender: `host:${host}`,
    spending: null,
    resources: ['https://profiles.example'],
    idleSeconds: 60 * 86_400,
    expiresAt: later(365 * DAY_MS),
    ...changes,
  }
}

/** The decision to allow a grant, with a code of a minute. */
export const newAppDecision = (grant: AppGrant, changes: Partial<AppDecision> = {}): AppDecision => ({
  requestId: freshHash(),
  accountId: grant.accountId,
  decidedAt: moment,
  code: {
    hash: freshHash(),
    redirectUri: 'https://assistant.example/callback',
    challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    grant,
    expiresAt: later(60_000),
  },
  ...changes,
})

/** An access token of an hour, with the scopes and resources of its connection. */
export const newAppToken = (changes: Partial<NewAppToken> = {}): NewAppToken => ({
  hash: freshHash(),
  scopes: null,
  resources: null,
  createdAt: moment,
  expiresAt: later(3_600_000),
  ...changes,
})

/** A connection to make. */
export const newAppConnection = (changes: Partial<NewAppConnection> = {}): NewAppConnection => ({
  id: randomUUID(),
  seed: freshHash(),
  token: newAppToken(),
  limits: { account: 100, app: 10 },
  ...changes,
})

/** A request of a device at a separate address, for ten minutes. */
export const newDeviceRequest = (changes: Partial<AppDeviceRequest> = {}): AppDeviceRequest => ({
  deviceHash: freshHash(),
  userCodeHash: freshHash(),
  app: newAppGrant(randomUUID()).app,
  scopes: ['read:content'],
  resources: ['https://profiles.example'],
  addressHash: freshHash(),
  intervalSeconds: 5,
  createdAt: moment,
  expiresAt: later(600_000),
  ...changes,
})

/** Spending of a dollar, with the limits 5, 10 and 50 of a spender and 200 of the account. */
export const newSpend = (accountId: string, changes: Partial<NewSpend> = {}): NewSpend => ({
  id: randomUUID(),
  accountId,
  spender: 'host:assistant.example',
  currency: 'usd',
  amount: 1_000_000,
  at: moment,
  limits: { purchase: 5_000_000, day: 10_000_000, month: 50_000_000, accountMonth: 200_000_000 },
  ...changes,
})
