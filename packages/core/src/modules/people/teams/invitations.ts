import type { Clock } from '../../../kernel/clock.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import { requireRecentProof } from '../../../model/recent-proof.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { MemberRole, NamedInvitation } from '../../../ports/storage/teams.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockCaller } from '../../../runtime/storage/lock-caller.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { alreadyMember, invitationNotFound, teamFull } from './errors.ts'
import { invitationRejected, invitationWithdrawn, memberAdded, memberInvited } from './events.ts'
import { findInvitation, type InvitedPerson, openInvitation, personOf, verifyInvited } from './invitees.ts'
import { MAX_TEAM } from './members.ts'
import { prepareInvitation } from './prepare-invitation.ts'
import type { TeamMailer } from './team-mailer.ts'

export interface InvitationDeps extends GuardedStorage<'teams'> {
  readonly clock: Clock
  readonly profiles: ProfileService
  readonly teamMailer: TeamMailer
  readonly seconds: number
  /** Whether accounts get notifications by email. */
  readonly hasNotificationEmails: boolean
}

/** The invited person, by email address or username, and the role. */
export type Invite = { readonly role: MemberRole } & InvitedPerson

/** Invitations to teams, and their answers. */
export function createInvitations(deps: InvitationDeps) {
  const { read, write, clock, profiles, teamMailer, seconds, hasNotificationEmails } = deps

  /** Locks an account, then a profile, and consumes the invitation of the account to the profile. */
  async function take(tx: Stores<'teams'>, token: string, caller: Caller, check: (profile: Profile) => Promise<void>) {
    const account = await lockCaller(tx, caller)
    const found = await findInvitation(tx.invitations, token, account)
    const profile = found && (await tx.profiles.lock(found.profileId))
    if (!profile || profile.withdrawnAt) throw invitationNotFound()
    await check(profile)
    const invitation = await tx.invitations.consume(found.id)
    if (!invitation) throw invitationNotFound()
    return { invitation, account, profile }
  }

  return {
    async invite(profileId: number, invite: Invite, caller: Caller): Promise<NamedInvitation> {
      const { role } = invite
      if (role === 'admin') requireRecentProof(caller, clock())
      const profile = await profiles.get(profileId, caller)
      await profiles.requirePermission(profile, caller, 'team.manage')
      const preparation = { read, clock, rate: teamMailer, seconds, hasNotificationEmails }
      const { guest, invitation, secret, recipient, byEmail } = await prepareInvitation(preparation, invite, caller)
      const made = await write(async (tx, emit) => {
        const profile = await profiles.lockWithPermission(tx, profileId, caller, 'team.manage')
        if (guest && (guest.id === profile.ownerAccountId || (await tx.members.getRole(profileId, guest.id)))) {
          throw alreadyMember()
        }
        const stored = await tx.invitations.put({ ...invitation, profileId, role })
        await checkSize(tx, profileId)
        emit(memberInvited, { invitationId: stored.id, role, byEmail }, { profileId, accountId: caller.account.id })
        return stored
      })
      const { type, username } = profile
      const inviter = caller.account.username
      if (recipient) {
        teamMailer.invitation(recipient, { url: profiles.urlOf(profile), username }, { role, inviter, secret })
      }
      return { ...made, profile: { type, username }, username: guest?.username ?? null, inviterUsername: inviter }
    },

    async withdraw(profileId: number, id: number, caller: Caller): Promise<void> {
      // Outsiders learn nothing by guessing ids; the role is checked again under the lock.
      await profiles.get(profileId, caller)
      await write(async (tx, emit) => {
        await profiles.lockWithPermission(tx, profileId, caller, 'team.manage')
        const found = await tx.invitations.get(id)
        if (found?.profileId !== profileId || !(await tx.invitations.consume(id))) throw invitationNotFound()
        emit(invitationWithdrawn, { invitationId: id }, { profileId, accountId: caller.account.id })
      })
    },

    async listMine({ account }: Caller, request: PageRequest): Promise<Page<NamedInvitation>> {
      return read.invitations.listFor(personOf(account), request)
    },

    /**
     * Returns an open invitation by the token of its email, or by its id for the account that it is for; undefined when there
     * is none.
     */
    async find(token: string, caller: Caller | undefined): Promise<NamedInvitation | undefined> {
      const invitation = await openInvitation(read.invitations, token, caller?.account)
      if (!invitation) return undefined
      const [profile, inviter] = await Promise.all([
        read.profiles.get(invitation.profileId),
        read.accounts.get(invitation.invitedBy),
      ])
      if (!profile || profile.withdrawnAt || !inviter) return undefined
      const { type, username } = profile
      const guest = caller?.account.id === invitation.accountId ? (caller?.account.username ?? null) : null
      return { ...invitation, profile: { type, username }, username: guest, inviterUsername: inviter.username }
    },

    async accept(token: string, caller: Caller): Promise<{ readonly profile: Profile; readonly role: MemberRole }> {
      const accountId = caller.account.id
      return write(async (tx, emit) => {
        const { invitation, account, profile } = await take(tx, token, caller, async ({ id, ownerAccountId }) => {
          if (ownerAccountId === accountId || (await tx.members.getRole(id, accountId))) throw alreadyMember()
        })
        const { role } = invitation
        const person = await verifyInvited(tx, emit, invitation, account)
        await tx.members.put({ profileId: profile.id, accountId, role, createdAt: clock() })
        // An invitation by email and one by username are answered together.
        await tx.invitations.deleteFor(profile.id, person)
        emit(memberAdded, { accountId, role }, { profileId: profile.id, accountId })
        return { profile, role }
      })
    },

    async reject(token: string, caller: Caller): Promise<void> {
      await write(async (tx, emit) => {
        const { invitation, profile } = await take(tx, token, caller, async () => {})
        const origin = { profileId: profile.id, accountId: caller.account.id }
        emit(invitationRejected, { invitationId: invitation.id }, origin)
      })
    },
  }
}

async function checkSize(tx: Stores<'teams'>, profileId: number): Promise<void> {
  const [members, invitations] = [
    await tx.members.listOfProfile(profileId, { limit: 1 }),
    await tx.invitations.list(profileId, { limit: 1 }),
  ]
  if (members.total + invitations.total > MAX_TEAM) throw teamFull({ details: { max_team: MAX_TEAM } })
}
