import type { MailKind, Outbox } from '../../email/outbox.ts'
import type { MailLinks } from '../../model/frontend-links.ts'
import type { Lifetimes } from '../../model/lifetimes.ts'
import type { Mail } from '../../ports/mailer.ts'
import type { Account } from '../../ports/storage/accounts.ts'
import {
  deleteCodeEmail,
  deletionEmail,
  type MailContext,
  passwordChangedEmail,
  resetEmail,
  takeOverEmail,
  verificationEmail,
} from './emails.ts'

export interface AccountMailerDeps {
  readonly outbox: Pick<Outbox, 'post'>
  /** The name of the service in emails. */
  readonly service: string
  readonly links: MailLinks
  readonly lifetimes: Lifetimes
}

/** The period over which password reset emails are spread, in milliseconds. */
const RESET_WITHIN_MS = 400

type Addressee = Pick<Account, 'email' | 'username'>

/** Renders the emails of accounts and adds them to the outbox. Emails never contain text from a request. */
export function createAccountMailer({ outbox, service, links, lifetimes }: AccountMailerDeps) {
  const linkTo = (page: string, secret: string) => {
    const url = new URL(page)
    url.searchParams.set('token', secret)
    return url.href
  }
  const headOf = ({ email, username }: Addressee): MailContext => ({ service, to: email, username })
  const resetMailOf = (account: Addressee, secret: string): Mail =>
    resetEmail(headOf(account), linkTo(links.resetPassword, secret), lifetimes.resetPasswordSeconds)
  const send = (kind: MailKind, mail: Mail) => outbox.post(kind, () => mail)

  return {
    verification: (account: Addressee, secret: string) =>
      send(
        'verification',
        verificationEmail(headOf(account), linkTo(links.verifyEmail, secret), lifetimes.verifyEmailSeconds),
      ),
    /** Everything runs later, including the account lookup, so the answer does not reveal whether the account exists. */
    reset: (prepare: () => Promise<{ readonly account: Addressee; readonly secret: string } | undefined>) =>
      outbox.post(
        'password_reset',
        async () => {
          const prepared = await prepare()
          return prepared && resetMailOf(prepared.account, prepared.secret)
        },
        RESET_WITHIN_MS,
      ),
    takenOver: (account: Addressee, secret: string) =>
      send(
        'password_reset',
        takeOverEmail(headOf(account), linkTo(links.resetPassword, secret), lifetimes.resetPasswordSeconds),
      ),
    deleteCode: (account: Addressee, code: string) =>
      send('delete_code', deleteCodeEmail(headOf(account), code, lifetimes.deleteCodeSeconds)),
    deletion: (account: Addressee, at: Date) => send('deletion_scheduled', deletionEmail(headOf(account), at)),
    passwordChanged: (account: Addressee) => send('password_changed', passwordChangedEmail(headOf(account))),
  }
}

export type AccountMailer = ReturnType<typeof createAccountMailer>
