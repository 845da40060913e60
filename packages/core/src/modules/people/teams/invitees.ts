import { sha256 } from '../../../kernel/digest.ts'
import { foldAddress } from '../../../kernel/email-address.ts'
import type { Account } from '../../../model/account.ts'
import type { Invitee } from '../../../ports/storage/invitations.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import { confirmEmail } from '../accounts/index.ts'
import { emailNotConfirmed, invitationNotYours } from './errors.ts'

/** The invited person, by email address or username. */
export type InvitedPerson =
  | { readonly email: string; readonly username?: undefined }
  | { readonly username: string; readonly email?: undefined }

const SECRET = /^[\w-]{43}$/
const NUMBER = /^[1-9]\d{0,14}$/

/** The addresses by which an account is invited. An email address belongs to an account once the account has proved it. */
export const personOf = ({ id, email, emailOwned }: Account) => ({
  accountId: id,
  email: emailOwned ? email : null,
})

/** Whether two email addresses are the same, case-insensitively. */
const isSameAddress = (email: string, account: Account): boolean => foldAddress(email) === foldAddress(account.email)

const isFor = (invitation: Invitee, { accountId, email }: ReturnType<typeof personOf>): boolean =>
  invitation.accountId === null
    ? email !== null && foldAddress(invitation.email) === foldAddress(email)
    : invitation.accountId === accountId

/**
 * The open invitation of an emailed token, or of its id for the account it is for. A token proves that the account reads
 * the address it was sent to; an account with another address must have confirmed its own.
 *
 * @throws `invitation_not_yours`, `email_not_confirmed`
 */
export async function findInvitation<Found extends Invitee>(
  invitations: {
    get(id: number): Promise<Found | undefined>
    getByHash(hash: string): Promise<Found | undefined>
  },
  token: string,
  account: Account,
): Promise<Found | undefined> {
  if (SECRET.test(token)) {
    const invitation = await invitations.getByHash(sha256(token))
    if (invitation && invitation.accountId !== null && invitation.accountId !== account.id) throw invitationNotYours()
    if (invitation?.email && !isSameAddress(invitation.email, account) && !account.emailOwned) {
      throw emailNotConfirmed()
    }
    return invitation
  }
  const invitation = NUMBER.test(token) ? await invitations.get(Number(token)) : undefined
  return invitation && isFor(invitation, personOf(account)) ? invitation : undefined
}

/**
 * The open invitation of an emailed token, for anyone who has it, or of its id, for the account that it is for.
 */
export async function openInvitation<Found extends Invitee>(
  invitations: {
    get(id: number): Promise<Found | undefined>
    getByHash(hash: string): Promise<Found | undefined>
  },
  token: string,
  account: Account | undefined,
): Promise<Found | undefined> {
  if (SECRET.test(token)) return invitations.getByHash(sha256(token))
  if (!account || !NUMBER.test(token)) return undefined
  const invitation = await invitations.get(Number(token))
  return invitation && isFor(invitation, personOf(account)) ? invitation : undefined
}

/**
 * Verifies the email address of an account that accepts an invitation which was sent there. Returns the addresses by which the
 * account is invited, with this one.
 */
export async function verifyInvited(tx: Stores, emit: Emit, { email }: Invitee, account: Account) {
  const isProven = email !== null && isSameAddress(email, account) && !account.emailOwned
  if (isProven) await confirmEmail(tx, emit, account)
  return personOf({ ...account, emailOwned: account.emailOwned || isProven })
}
