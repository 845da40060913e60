import { HOUR_MS } from '../../../kernel/durations.ts'
import { evmNetwork } from '../../../kernel/network.ts'
import type { Account } from '../../../model/account.ts'
import type { Expiry } from '../../../model/expiry.ts'
import { type FrontendUrls, linkWithToken } from '../../../model/frontend-links.ts'
import type { Wallet } from '../../../ports/storage/wallets.ts'
import type { EmailRate } from '../../../runtime/email/email-rate.ts'
import type { Outbox } from '../../../runtime/email/outbox.ts'
import { payoutChangedEmail, payoutsRestoredEmail, walletLinkedEmail } from './emails.ts'

export interface WalletMailerDeps {
  readonly outbox: Pick<Outbox, 'post'>
  readonly emailRate: EmailRate
  readonly frontendUrls: Pick<FrontendUrls, 'undoPayout' | 'resetPassword'>
  readonly expiry: Pick<Expiry, 'undoChangeSeconds' | 'resetPasswordSeconds'>
}

/** Emails owners about linked wallets and changed payouts, so that a thief cannot redirect sales unnoticed. Limited per hour and kind. */
export function createWalletMailer({ outbox, emailRate, frontendUrls, expiry }: WalletMailerDeps) {
  const mayReport = async (kind: string, { id }: Account) =>
    (await emailRate.store.hit(`${kind}-mail:${id}`, HOUR_MS)).count <= emailRate.perHour

  const letterTo = <Data>({ email, username, language }: Account, data: Data) => ({
    to: email,
    username,
    language,
    data,
  })

  return {
    /** Reports a wallet that was linked. */
    linked: (account: Account, { address, chainId }: Pick<Wallet, 'address' | 'chainId'>): void =>
      outbox.post(walletLinkedEmail, async () =>
        (await mayReport(walletLinkedEmail.kind, account))
          ? letterTo(account, { address, network: evmNetwork(chainId) })
          : undefined,
      ),
    /** Reports the wallet that sales on a network are paid to from now on; null when none is. Without a secret the email has no link. */
    payoutChanged: (
      account: Account,
      changed: { readonly network: string; readonly address: string | null },
      secret: string | undefined,
    ): void =>
      outbox.post(payoutChangedEmail, async () => {
        if (!(await mayReport(payoutChangedEmail.kind, account))) return undefined
        const link = secret === undefined ? null : linkWithToken(frontendUrls.undoPayout, secret)
        return letterTo(account, { ...changed, link, seconds: expiry.undoChangeSeconds })
      }),
    /** Confirms that payouts were restored. Without a secret the email has no link to choose a password. */
    payoutsRestored: (account: Account, secret: string | undefined): void =>
      outbox.post(payoutsRestoredEmail, () => {
        const link = secret === undefined ? null : linkWithToken(frontendUrls.resetPassword, secret)
        return letterTo(account, { link, seconds: expiry.resetPasswordSeconds })
      }),
  }
}

export type WalletMailer = ReturnType<typeof createWalletMailer>
