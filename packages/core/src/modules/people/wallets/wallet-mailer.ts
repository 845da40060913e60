import { HOUR_MS } from '../../../kernel/durations.ts'
import { evmNetwork } from '../../../kernel/network.ts'
import type { Account } from '../../../model/account.ts'
import type { Wallet } from '../../../ports/storage/wallets.ts'
import type { EmailRate } from '../../../runtime/email/email-rate.ts'
import type { Outbox } from '../../../runtime/email/outbox.ts'
import { payoutChangedEmail, walletLinkedEmail } from './emails.ts'

export interface WalletMailerDeps {
  readonly outbox: Pick<Outbox, 'post'>
  readonly emailRate: EmailRate
}

/** Emails owners about linked wallets and changed payouts, so that a thief cannot redirect sales unnoticed. Limited per hour and kind. */
export function createWalletMailer({ outbox, emailRate }: WalletMailerDeps) {
  const report =
    (email: typeof walletLinkedEmail | typeof payoutChangedEmail) =>
    (account: Account, { address, chainId }: Pick<Wallet, 'address' | 'chainId'>): void =>
      outbox.post(email, async () => {
        const { count } = await emailRate.store.hit(`${email.kind}-mail:${account.id}`, HOUR_MS)
        if (count > emailRate.perHour) return undefined
        const { email: to, username, language } = account
        return { to, username, language, data: { address, network: evmNetwork(chainId) } }
      })

  return {
    /** Reports a wallet that was linked. */
    linked: report(walletLinkedEmail),
    /** Reports the wallet that sales on its network are paid to from now on. */
    payoutChanged: report(payoutChangedEmail),
  }
}

export type WalletMailer = ReturnType<typeof createWalletMailer>
