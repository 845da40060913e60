import type { Clock } from '../../../kernel/clock.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Account } from '../../../model/account.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { NamedTransfer, Transfer } from '../../../ports/storage/teams.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockCaller } from '../../../runtime/storage/lock-caller.ts'
import { profileUpdated } from '../../profiles/profiles/events.ts'
import { type ProfileService, profileNotFound } from '../../profiles/profiles/index.ts'
import {
  accountNotFound,
  primaryProfileRequired,
  recipientIsOwner,
  transferNotFound,
  transferNotPending,
  transferNotYours,
  transferPending,
} from './errors.ts'
import { profileTransferred, transferEnded, transferOffered } from './events.ts'
import type { TeamMailer } from './team-mailer.ts'

export interface TransferDeps extends GuardedStorage<'teams'> {
  readonly clock: Clock
  readonly profiles: ProfileService
  readonly teamMailer: TeamMailer
  readonly seconds: number
}

/** The ended transfer and both sides. */
interface Ended {
  readonly transfer: Transfer
  readonly profile: Profile
  readonly from: Account
  readonly to: Account
}

/** The primary profile of an account shares its username, so it cannot be transferred. */
const isOwnProfile = ({ type, username }: Profile, owner: Account) => type === 'person' && username === owner.username

/** Transfers of profiles to another owner. */
export function createTransfers({ read, write, clock, profiles, teamMailer, seconds }: TransferDeps) {
  const subjectOf = (profile: Profile) => ({ url: profiles.urlOf(profile), username: profile.username })

  const named = ({ transfer, profile, from, to }: Ended): NamedTransfer => ({
    ...transfer,
    profile: { type: profile.type, username: profile.username },
    fromUsername: from.username,
    toUsername: to.username,
  })

  /** The transfer, when the caller is one of its two sides. */
  async function find(tx: Pick<Stores<'teams'>, 'transfers'>, id: number, { account }: Caller, side: 'from' | 'to') {
    const transfer = await tx.transfers.get(id)
    if (!transfer) throw transferNotFound()
    const { fromAccountId, toAccountId } = transfer
    if (account.id !== fromAccountId && account.id !== toAccountId) throw transferNotFound()
    if (account.id !== (side === 'from' ? fromAccountId : toAccountId)) throw transferNotYours()
    return transfer
  }

  async function resolve(
    tx: Stores<'teams'>,
    id: number,
    state: 'accepted' | 'rejected' | 'cancelled',
  ): Promise<Transfer> {
    const transfer = await tx.transfers.resolve(id, { state, at: clock() })
    if (transfer) return transfer
    const present = await tx.transfers.get(id)
    throw transferNotPending(present && { details: { state: present.state } })
  }

  async function sidesOf(tx: Stores<'teams'>, transfer: Transfer): Promise<Ended> {
    const [profile, from, to] = [
      await tx.profiles.get(transfer.profileId),
      await tx.accounts.get(transfer.fromAccountId),
      await tx.accounts.get(transfer.toAccountId),
    ]
    if (!profile || !from || !to) throw transferNotFound()
    return { transfer, profile, from, to }
  }

  async function end(id: number, caller: Caller, state: 'rejected' | 'cancelled'): Promise<NamedTransfer> {
    const ended = await write(async (tx, emit) => {
      await find(tx, id, caller, state === 'rejected' ? 'to' : 'from')
      const transfer = await resolve(tx, id, state)
      const origin = { profileId: transfer.profileId, accountId: caller.account.id }
      emit(transferEnded, { transferId: id, state }, origin)
      return sidesOf(tx, transfer)
    })
    return named(ended)
  }

  return {
    async offer(profileId: number, recipient: string, caller: Caller): Promise<NamedTransfer> {
      await profiles.requirePermission(await profiles.get(profileId, caller), caller, 'profile.transfer')
      const to = await read.accounts.get({ username: recipient })
      if (!to || to.deletionScheduledAt || to.bannedAt) throw accountNotFound()
      await teamMailer.count(caller.account)
      const offered = await write(async (tx, emit): Promise<Ended> => {
        const profile = await profiles.lockWithPermission(tx, profileId, caller, 'profile.transfer')
        const from = await tx.accounts.get(profile.ownerAccountId)
        if (!from) throw profileNotFound()
        if (to.id === from.id) throw recipientIsOwner()
        if (isOwnProfile(profile, from)) throw primaryProfileRequired()
        const at = clock()
        const transfer = await tx.transfers.insert({
          profileId,
          fromAccountId: from.id,
          toAccountId: to.id,
          createdAt: at,
          expiresAt: new Date(at.getTime() + seconds * 1000),
        })
        if (!transfer) throw transferPending()
        const origin = { profileId, accountId: from.id }
        emit(transferOffered, { transferId: transfer.id, accountId: to.id }, origin)
        return { transfer, profile, from, to }
      })
      teamMailer.offered(offered.from, offered.to, subjectOf(offered.profile))
      return named(offered)
    },

    list: ({ account }: Caller, request: PageRequest): Promise<Page<NamedTransfer>> =>
      read.transfers.listOfAccount(account.id, request),

    async accept(id: number, caller: Caller): Promise<NamedTransfer> {
      const ended = await write(async (tx, emit): Promise<Ended> => {
        const { profileId } = await find(tx, id, caller, 'to')
        // An account in deletion withdraws its profiles. A profile that is received meanwhile would remain visible.
        const to = await lockCaller(tx, caller)
        const profile = await tx.profiles.lock(profileId)
        if (!profile || profile.withdrawnAt) throw transferNotFound()
        const transfer = await resolve(tx, id, 'accepted')
        const from = await tx.accounts.get(transfer.fromAccountId)
        if (!from || profile.ownerAccountId !== from.id) throw transferNotFound()

        const shown = profiles.visibilityWithOwner(profile, to)
        const { updatedAt } = profile
        await tx.profiles.save(profileId, { ownerAccountId: to.id, email: null, ...shown, updatedAt })
        await tx.members.delete(profileId, to.id)
        await tx.members.put({ profileId, accountId: from.id, role: 'editor', createdAt: clock() })
        await tx.invitations.deleteFor(profileId, { accountId: to.id, email: to.email })
        await tx.invitations.deleteBy(profileId, from.id)
        const origin = { profileId, accountId: to.id }
        emit(profileTransferred, { transferId: id, accountId: to.id }, origin)
        if (shown.visibility !== profile.visibility) {
          const { type, username, visibility: previousVisibility } = profile
          const { visibility } = shown
          emit(profileUpdated, { type, username, fields: ['visibility'], visibility, previousVisibility }, origin)
        }
        return { transfer, profile, from, to }
      })
      return named(ended)
    },

    reject: (id: number, caller: Caller): Promise<NamedTransfer> => end(id, caller, 'rejected'),

    cancel: (id: number, caller: Caller): Promise<NamedTransfer> => end(id, caller, 'cancelled'),
  }
}
