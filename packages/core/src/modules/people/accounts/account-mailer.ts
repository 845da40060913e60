import type { Expiry } from '../../../model/expiry.ts'
import { type FrontendUrls, linkWithToken } from '../../../model/frontend-links.ts'
import type { Account } from '../../../ports/storage/accounts.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { Outbox } from '../../../runtime/email/outbox.ts'
import type { Letter } from '../../../runtime/email/write-email.ts'
import { emailChangedEmail, emailChangeEmail, emailRestoredEmail } from './email-change-emails.ts'
import {
  accountTakenOverEmail,
  deleteCodeEmail,
  deletionScheduledEmail,
  passwordChangedEmail,
  passwordResetEmail,
  verificationEmail,
} from './emails.ts'
import {
  recoveryCodeUsedEmail,
  secondFactorDisabledEmail,
  secondFactorEnabledEmail,
  secondFactorFailedEmail,
} from './second-factor-emails.ts'

export interface AccountMailerDeps {
  readonly outbox: Pick<Outbox, 'post'>
  readonly frontendUrls: FrontendUrls
  readonly expiry: Expiry
  readonly read: Readers
}

/** The period over which password reset emails are spread, in milliseconds. */
const RESET_WITHIN_MS = 400
/** The most webhooks whose hosts an email names. */
const MAX_WEBHOOKS = 50
const RUNNING: ReadonlySet<string> = new Set(['pending_verification', 'active', 'paused'])

type Addressee = Pick<Account, 'email' | 'username' | 'language'>

/** Adds the emails of accounts to the outbox. Emails never contain text from a request. */
export function createAccountMailer({ outbox, frontendUrls, expiry, read }: AccountMailerDeps) {
  /** What works without the password of an account. */
  async function stillValidOf(accountId: string) {
    const keys = (await read.apiKeys?.listOfAccount(accountId)) ?? []
    const webhooks = (await read.webhooks?.listOfAccount(accountId, { limit: MAX_WEBHOOKS }))?.items ?? []
    const hosts = webhooks
      .filter(({ status }) => RUNNING.has(status))
      .map(({ deliveryUrl }) => new URL(deliveryUrl).host)
    return { apiKeys: keys.length, webhooks: [...new Set(hosts)] }
  }

  const letterTo = <Data>({ email, username, language }: Addressee, data: Data): Letter<Data> => ({
    to: email,
    username,
    language,
    data,
  })
  const resetLetter = (account: Addressee, secret: string) =>
    letterTo(account, {
      username: account.username,
      link: linkWithToken(frontendUrls.resetPassword, secret),
      seconds: expiry.resetPasswordSeconds,
    })

  return {
    verification: (account: Addressee, secret: string) =>
      outbox.post(verificationEmail, () =>
        letterTo(account, {
          username: account.username,
          link: linkWithToken(frontendUrls.verifyEmail, secret),
          seconds: expiry.verifyEmailSeconds,
        }),
      ),
    /** Everything runs later, including the lookup of the new address, so the response does not reveal whether an account has it. */
    emailChange: (
      prepare: () => Promise<{ readonly addressee: Addressee; readonly secret?: string | undefined } | undefined>,
    ) =>
      outbox.post(
        emailChangeEmail,
        async () => {
          const prepared = await prepare()
          if (!prepared) return undefined
          const { addressee, secret } = prepared
          const link = secret === undefined ? null : linkWithToken(frontendUrls.changeEmail, secret)
          return letterTo(addressee, { link, seconds: expiry.verifyEmailSeconds })
        },
        RESET_WITHIN_MS,
      ),
    /** `account` as it was before the change. Without a secret the email has no link. */
    emailChanged: (account: Addressee, secret: string | undefined) =>
      outbox.post(emailChangedEmail, () => {
        const link = secret === undefined ? null : linkWithToken(frontendUrls.undoEmail, secret)
        return letterTo(account, { link, seconds: expiry.undoChangeSeconds })
      }),
    emailRestored: (account: Addressee, secret: string) =>
      outbox.post(emailRestoredEmail, () =>
        letterTo(account, {
          link: linkWithToken(frontendUrls.resetPassword, secret),
          seconds: expiry.resetPasswordSeconds,
        }),
      ),
    /** Everything runs later, including the account lookup, so the response does not reveal whether the account exists. */
    reset: (prepare: () => Promise<{ readonly account: Addressee; readonly secret: string } | undefined>) =>
      outbox.post(
        passwordResetEmail,
        async () => {
          const prepared = await prepare()
          return prepared && resetLetter(prepared.account, prepared.secret)
        },
        RESET_WITHIN_MS,
      ),
    takenOver: (account: Addressee, secret: string) =>
      outbox.post(accountTakenOverEmail, () => resetLetter(account, secret)),
    deleteCode: (account: Addressee, code: string) =>
      outbox.post(deleteCodeEmail, () => letterTo(account, { code, seconds: expiry.deleteCodeSeconds })),
    deletion: (account: Addressee, at: Date) => outbox.post(deletionScheduledEmail, () => letterTo(account, { at })),
    passwordChanged: (account: Account) =>
      outbox.post(passwordChangedEmail, async () => letterTo(account, await stillValidOf(account.id))),
    secondFactorEnabled: (account: Addressee) => outbox.post(secondFactorEnabledEmail, () => letterTo(account, {})),
    secondFactorDisabled: (account: Addressee, by: 'owner' | 'administrator') =>
      outbox.post(secondFactorDisabledEmail, () => letterTo(account, { by })),
    secondFactorFailed: (account: Addressee) => outbox.post(secondFactorFailedEmail, () => letterTo(account, {})),
    recoveryCodeUsed: (account: Addressee, left: number) =>
      outbox.post(recoveryCodeUsedEmail, () => letterTo(account, { left })),
  }
}

export type AccountMailer = ReturnType<typeof createAccountMailer>
