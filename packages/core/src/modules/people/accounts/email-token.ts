import { randomBytes, randomUUID } from 'node:crypto'
import { sha256 } from '../../../kernel/digest.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { Account } from '../../../ports/storage/accounts.ts'
import type { Token, TokenPurpose } from '../../../ports/storage/tokens.ts'

const SECRET = /^[\w-]{43}$/

/** The digest under which an emailed token is stored; undefined if the text cannot be a token. */
export const tokenHash = (secret: string): string | undefined => (SECRET.test(secret) ? sha256(secret) : undefined)

export interface EmailTokenOptions {
  readonly purpose: TokenPurpose
  readonly account: Pick<Account, 'id' | 'email'>
  readonly at: Date
  readonly seconds: number
  readonly data?: JsonObject | undefined
}

/**
 * Creates a 256-bit secret for an emailed link, and the token to store for it. Valid only for the address it is sent
 * to.
 */
export function newEmailToken({ purpose, account, at, seconds, data = {} }: EmailTokenOptions): {
  readonly secret: string
  readonly token: Token
} {
  const secret = randomBytes(32).toString('base64url')
  const token: Token = {
    id: randomUUID(),
    purpose,
    hash: sha256(secret),
    accountId: account.id,
    data: { ...data, email: account.email },
    triesLeft: null,
    createdAt: at,
    expiresAt: new Date(at.getTime() + seconds * 1000),
  }
  return { secret, token }
}

/** Whether a token was sent to the address that its account has now. */
export const wasSentTo = ({ data }: Token, { email }: Pick<Account, 'email'>): boolean => data.email === email
