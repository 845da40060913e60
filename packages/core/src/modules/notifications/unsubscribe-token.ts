import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Keyring } from '../../kernel/keyring.ts'

/** The emails that a link ends: those of one kind, or the daily ones. */
export interface Unsubscription {
  readonly accountId: string
  /** Null for the daily emails. */
  readonly kind: string | null
}

const PURPOSE = 'notification-unsubscribe'
const TOKEN = /^([\w-]{16})\.([\w-]{1,200})\.([\w-]{43})$/

const sign = (key: Uint8Array, payload: string) => createHmac('sha256', key).update(payload).digest('base64url')

/** Makes and reads the tokens of links that end emails. They do not expire, as RFC 8058 has it, and open nothing else. */
export function createUnsubscribeTokens(keyring: Pick<Keyring, 'shared'>) {
  return {
    make({ accountId, kind }: Unsubscription): string {
      const [{ kid, key }] = keyring.shared(PURPOSE)
      const payload = Buffer.from(JSON.stringify([accountId, kind])).toString('base64url')
      return `${kid}.${payload}.${sign(key, payload)}`
    },

    /** Undefined for a token that this service did not make. */
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
