import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { HOUR_MS } from '../../../kernel/durations.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import { namedLanguage } from '../../../model/languages.ts'
import type { PayerHint } from '../../../model/payer.ts'
import type { OpenPurchase } from '../../../ports/storage/entitlements.ts'
import type { EmailRate } from '../../../runtime/email/email-rate.ts'
import type { Outbox } from '../../../runtime/email/outbox.ts'
import type { Letter } from '../../../runtime/email/write-email.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { invalidOrExpiredToken } from '../../people/accounts/index.ts'
import { buyerPayer, buyersOf, canonicalEmail } from '../paywall/index.ts'
import { purchaseRecoveryEmail } from './emails.ts'
import { recoveryNotConfigured } from './errors.ts'

export interface RecoveryDeps extends GuardedStorage {
  readonly clock: Clock
  readonly keyring: Keyring
  readonly outbox: Pick<Outbox, 'post'>
  readonly emailRate: EmailRate
  /** Whether the service can send email. */
  readonly sendsMail: boolean
  readonly publicUrl: string
  /** The languages that the service offers. */
  readonly languages: readonly string[]
}

/** The result of a recovery link. */
export interface Recovered {
  /** Undefined when the address has no valid purchase. */
  readonly payer: PayerHint | undefined
  readonly purchases: readonly OpenPurchase[]
}

const LINK_SECONDS = 900
/** The period over which the emails are spread, so that their time does not reveal purchases. */
const WITHIN_MS = 400
const MAX_SHOWN = 100
const SECRET = /^[\w-]{43}$/

/** The path of a link, where `secret` may be a route parameter. */
export const recoveryPath = (secret: string): string => `/eep/payment/recovery/${secret}`

/**
 * Restores access to purchases for buyers who lost the payer cookie. The email address that a buyer enters at checkout
 * is unverified, so it does not grant access by itself: only a link that was emailed to it does.
 */
export function createRecovery(deps: RecoveryDeps) {
  const { read, write, clock, keyring, outbox, emailRate, sendsMail, publicUrl, languages } = deps

  async function prepareLink(
    email: string,
    language: string | undefined,
  ): Promise<Letter<{ link: string; seconds: number }> | undefined> {
    const to = canonicalEmail(email)
    const buyers = buyersOf(email, keyring)
    const [buyer] = buyers
    if (to === undefined || buyer === undefined) return undefined
    const [purchase] = await requireGroup(read, 'openPurchases').openPurchases.list(buyers, 1)
    if (!purchase) return undefined
    const { count } = await emailRate.store.hit(`recovery-mail:${buyer}`, HOUR_MS)
    if (count > emailRate.perHour) return undefined
    const secret = randomBytes(32).toString('base64url')
    const createdAt = clock()
    await write((tx) =>
      tx.tokens.put({
        id: randomUUID(),
        purpose: 'recover_purchases',
        hash: sha256(secret),
        accountId: null,
        data: { buyers },
        triesLeft: null,
        createdAt,
        expiresAt: new Date(createdAt.getTime() + LINK_SECONDS * 1000),
      }),
    )
    return { to, language, data: { link: `${publicUrl}${recoveryPath(secret)}`, seconds: LINK_SECONDS } }
  }

  return {
    /** Whether links can be sent. */
    sendsMail,

    /**
     * Sends a link to an address with valid purchases, in the language that the request names. Everything happens after the response, so
     * neither the response nor its time shows whether there are any.
     *
     * @throws `purchase_recovery_not_configured` when the service sends no email
     */
    request(email: string, acceptLanguage: string | undefined): void {
      if (!sendsMail) throw recoveryNotConfigured()
      const language = namedLanguage(acceptLanguage, languages)
      outbox.post(purchaseRecoveryEmail, () => prepareLink(email, language), WITHIN_MS)
    },

    /**
     * Uses a link. Of concurrent requests, one gets the payer that opens the purchases; the others are refused.
     *
     * @throws `invalid_or_expired_token`
     */
    async redeem(secret: string): Promise<Recovered> {
      if (!SECRET.test(secret)) throw invalidOrExpiredToken()
      return write(async (tx) => {
        const token = await tx.tokens.consume({ purpose: 'recover_purchases', hash: sha256(secret) })
        if (!token) throw invalidOrExpiredToken()
        const buyers = token.data.buyers as readonly string[]
        const purchases = await requireGroup(tx, 'openPurchases').openPurchases.list(buyers, MAX_SHOWN)
        if (purchases.length === 0) return { payer: undefined, purchases }
        return { payer: buyerPayer(buyers), purchases }
      })
    },
  }
}

export type RecoveryService = ReturnType<typeof createRecovery>
