import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Keyring } from '../../../kernel/keyring.ts'

/** The emails to unsubscribe from: those of one kind, or daily digests. */
export interface Unsubscription {
  readonly accountId: string
  /** Null for daily digests. */
  readonly kind: string | null
}

const PURPOSE = 'notification-unsubscribe'
const TOKEN = /^([\w-]{16})\.([\w-]{1,200})\.([\w-]{43})$/

const sign = (key: Uint8Array, payload: string) => createHmac('sha256', key).update(payload).digest('base64url')

/** Creates and reads the tokens of unsubscribe links. They do not expire (RFC 8058) and permit nothing else. */
export function createUnsubscribeTokens(keyring: Pick<Keyring, 'shared'>) {
  return {
    make({ accountId, kind }: Unsubscription): string {
      const [{ kid, key }] = keyring.shared(PURPOSE)
      const payload = Buffer.from(JSON.stringify([accountId, kind])).toString('base64url')
      return `${kid}.${payload}.${sign(key, payload)}`
    },

    /** Returns undefined for a token that this service did not issue. */
    read(token: string): Unsubscription | undefined {
      const [, kid = '', payload = '', signature = ''] = TOKEN.exec(token) ?? []
      const key = keyring.shared(PURPOSE).find((each) => each.kid === kid)?.key
      if (!key || !timingSafeEqual(Buffer.from(sign(key, payload)), Buffer.from(signature))) return undefined
      const [accountId, kind] = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
      return { accountId, kind }
    },
  }
}

export type UnsubscribeTokens = ReturnType<typeof createUnsubscribeTokens>
