import { randomUUID } from 'node:crypto'
import type { NewAccount } from '../../ports/storage/accounts.ts'
import type { NewApiKey } from '../../ports/storage/api-keys.ts'
import type { NewAttempt } from '../../ports/storage/idempotency.ts'
import type { Identity } from '../../ports/storage/oauth.ts'
import type { Passkey } from '../../ports/storage/passkeys.ts'
import type { StoredSession } from '../../ports/storage/sessions.ts'
import type { Token } from '../../ports/storage/tokens.ts'
import type { NewPayout, Wallet } from '../../ports/storage/wallets.ts'
import { freshHash, freshName, moment } from './fresh.ts'

/** An account with a unique email address and username. */
export function newAccount(changes: Partial<NewAccount> = {}): NewAccount {
  const username = freshName()
  return {
    id: randomUUID(),
    email: `${username}@example.com`,
    username,
    fullName: 'Ada Lovelace',
    passwordHash: '$argon2id$v=19$m=16,t=2,p=1$c2FsdHNhbHQ$aGFzaA',
    createdAt: moment,
    ...changes,
  }
}

/** A session of an account with a fixed start and a distant expiry. */
export const newSession = (accountId: string, changes: Partial<StoredSession> = {}): StoredSession => ({
  id: randomUUID(),
  accountId,
  createdAt: moment,
  expiresAt: new Date(moment.getTime() + 10 * 365 * 86_400_000),
  lastUsedAt: moment,
  provedAt: moment,
  userAgent: 'Firefox on Linux',
  emailOwned: false,
  uses: ['cookie', 'bearer'],
  ...changes,
})

/** A token, with or without an account, that is valid for an hour and counts no attempts. */
export const newToken = (accountId: string | null, changes: Partial<Token> = {}): Token => ({
  id: randomUUID(),
  purpose: 'reset_password',
  hash: freshHash(),
  accountId,
  data: { next: '/home' },
  triesLeft: null,
  createdAt: moment,
  expiresAt: new Date(Date.now() + 3_600_000),
  ...changes,
})

/** A GitHub identity of an account. */
export const newIdentity = (accountId: string, changes: Partial<Identity> = {}): Identity => ({
  provider: 'github',
  subject: freshName('subject'),
  accountId,
  email: `${freshName()}@example.com`,
  createdAt: moment,
  ...changes,
})

/** An idempotent request of an account with a new key, stored for an hour. */
export const newAttempt = (accountId: string, changes: Partial<NewAttempt> = {}): NewAttempt => ({
  accountId,
  route: 'POST /manage/pages',
  key: freshName('key'),
  fingerprint: freshHash(),
  holder: randomUUID(),
  expiresAt: new Date(Date.now() + 3_600_000),
  ...changes,
})

/** A wallet of an account on Base, with a unique address. */
export const newWallet = (accountId: string, changes: Partial<Wallet> = {}): Wallet => ({
  id: randomUUID(),
  accountId,
  address: `0x${freshHash().slice(0, 40)}`,
  chainId: 8453,
  verifiedAt: moment,
  ...changes,
})

/** A passkey of an account, on a device that counts its uses. */
export const newPasskey = (accountId: string, changes: Partial<Passkey> = {}): Passkey => ({
  id: randomUUID(),
  accountId,
  credentialId: freshHash(),
  publicKey: freshHash(),
  signCount: 1,
  transports: ['internal', 'hybrid'],
  isBackedUp: false,
  name: 'Laptop',
  createdAt: moment,
  lastUsedAt: null,
  ...changes,
})

/** A payout to a wallet on its network. */
export const newPayout = ({ id, accountId, chainId }: Wallet, changes: Partial<NewPayout> = {}): NewPayout => ({
  accountId,
  walletId: id,
  network: `eip155:${chainId}`,
  asset: 'usdc',
  enabled: true,
  createdAt: moment,
  ...changes,
})

/** A key for all of an account that never expires. */
export const newApiKey = (accountId: string, changes: Partial<NewApiKey> = {}): NewApiKey => ({
  accountId,
  profileId: null,
  parentId: null,
  name: 'Laptop',
  hash: freshHash(),
  masked: 'eep_abcd…wxyz',
  scopes: ['read:profiles', 'write:content'],
  createdAt: moment,
  expiresAt: null,
  ...changes,
})
