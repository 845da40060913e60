import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { sha256 } from '../../../kernel/digest.ts'
import type { Account } from '../../../model/account.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Invitee } from '../../../ports/storage/invitations.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { accountNotFound } from './errors.ts'
import type { InvitationRate } from './invitation-rate.ts'
import type { InvitedPerson } from './invitees.ts'

export interface PreparationDeps {
  readonly read: Pick<Readers, 'accounts'>
  readonly clock: Clock
  readonly rate: InvitationRate
  /** How long an invitation is open. */
  readonly seconds: number
  /** Whether accounts get notifications by email. */
  readonly hasNotificationEmails: boolean
}

/** An invitation that is not stored yet, and how the person learns of it. */
export interface PreparedInvitation {
  /** The account that is invited by its username; undefined for an email address. */
  readonly guest: Account | undefined
  /** The stored fields, besides the group and the role. */
  readonly invitation: Invitee & {
    readonly hash: string
    readonly invitedBy: string
    readonly createdAt: Date
    readonly expiresAt: Date
  }
  /** The token of the email. */
  readonly secret: string
  /** The recipient of the email with the token; undefined when none is sent. */
  readonly recipient: (Pick<Account, 'email'> & Partial<Pick<Account, 'username' | 'language'>>) | undefined
  /** Whether the notification is sent by email, too. */
  readonly byEmail: boolean
}

/**
 * Prepares an invitation of an account or an email address, and counts the email that it causes. The owner of a proven address
 * gets a notification instead of an email with a token. Above the rate of an address nothing is sent there.
 *
 * @throws `account_not_found`, `too_many_mails`
 */
export async function prepareInvitation(
  { read, clock, rate, seconds, hasNotificationEmails }: PreparationDeps,
  person: InvitedPerson,
  { account }: Caller,
): Promise<PreparedInvitation> {
  const guest = await findGuest(read, person)
  await rate.count(account)
  const address = guest?.email ?? (person.email as string)
  const isWithinRate = await rate.countTo(address)
  const hasNotification = hasNotificationEmails && (await hasProvenOwner(read, address))
  const secret = randomBytes(32).toString('base64url')
  const createdAt = clock()
  return {
    guest,
    invitation: {
      ...(guest ? { accountId: guest.id, email: null } : { accountId: null, email: address }),
      hash: sha256(secret),
      invitedBy: account.id,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + seconds * 1000),
    },
    secret,
    recipient: isWithinRate && !hasNotification ? (guest ?? { email: address }) : undefined,
    byEmail: isWithinRate && hasNotification,
  }
}

/**
 * The account that is invited by its username; undefined for an email address.
 *
 * @throws `account_not_found` also for accounts that are banned or about to be deleted
 */
async function findGuest(read: Pick<Readers, 'accounts'>, { username }: InvitedPerson): Promise<Account | undefined> {
  if (username === undefined) return undefined
  const account = await read.accounts.get({ username })
  if (!account || account.deletionScheduledAt || account.bannedAt) throw accountNotFound()
  return account
}

/**
 * Whether an account has proved that it owns an address. It then gets a notification instead of an email with a token.
 */
async function hasProvenOwner(read: Pick<Readers, 'accounts'>, address: string): Promise<boolean> {
  const owner = await read.accounts.get({ email: address })
  return !!owner?.emailOwned && !owner.deletionScheduledAt && !owner.bannedAt
}
