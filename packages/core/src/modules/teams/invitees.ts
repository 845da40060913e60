import { sha256 } from '../../kernel/digest.ts'
import type { Account } from '../../model/account.ts'
import type { Invitee } from '../../ports/storage/invitations.ts'
import type { Readers } from '../../ports/storage/storage.ts'
import { accountNotFound, emailNotConfirmed, invitationNotYours } from './errors.ts'

/** The invited person, by email address or username. */
export type InvitedPerson =
  | { readonly email: string; readonly username?: undefined }
  | { readonly username: string; readonly email?: undefined }

const SECRET = /^[\w-]{43}$/
const NUMBER = /^[1-9]\d{0,14}$/

/** The addresses by which an account is invited. An email address belongs to an account once the account has proved it. */
export const personOf = ({ id, email, emailVerified }: Account) => ({
  accountId: id,
  email: emailVerified ? email : null,
})

/** Whether two email addresses are the same, case-insensitively. */
export const isSameAddress = (email: string, account: Account): boolean =>
  email.toLowerCase() === account.email.toLowerCase()

const isFor = (invitation: Invitee, { accountId, email }: ReturnType<typeof personOf>): boolean =>
  invitation.accountId === null
    ? invitation.email.toLowerCase() === email?.toLowerCase()
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
    if (invitation?.email && !isSameAddress(invitation.email, account) && !account.emailVerified) {
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
 * The account that is invited by its username; undefined for an email address.
 *
 * @throws `account_not_found` also for accounts that are banned or about to be deleted
 */
export async function findGuest(
  read: Pick<Readers, 'accounts'>,
  { username }: InvitedPerson,
): Promise<Account | undefined> {
  if (username === undefined) return undefined
  const account = await read.accounts.get({ username })
  if (!account || account.deletionScheduledAt || account.bannedAt) throw accountNotFound()
  return account
}

/**
 * Whether an account has proved that it owns an address. It then gets a notification instead of an email with a token.
 */
export async function hasProvenOwner(read: Pick<Readers, 'accounts'>, address: string): Promise<boolean> {
  const owner = await read.accounts.get({ email: address })
  return !!owner?.emailVerified && !owner.deletionScheduledAt && !owner.bannedAt
}
