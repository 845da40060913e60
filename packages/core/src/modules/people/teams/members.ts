import type { Clock } from '../../../kernel/clock.ts'
import { encodeCursor, type Page, type PageRequest } from '../../../kernel/page.ts'
import type { Account } from '../../../model/account.ts'
import type { Caller } from '../../../model/caller.ts'
import { may } from '../../../model/permission.ts'
import { requireRecentProof } from '../../../model/recent-proof.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { MemberRole, NamedInvitation, TeamMember } from '../../../ports/storage/teams.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { memberNotFound, ownerCannotLeave } from './errors.ts'
import { memberRemoved, roleChanged } from './events.ts'

/** How many members and open invitations a profile has at most. */
export const MAX_TEAM = 100

export interface MemberDeps extends GuardedStorage<'teams'> {
  readonly clock: Clock
  readonly profiles: ProfileService
}

/** The team of a profile as a member sees it. */
export interface Team {
  readonly profile: Profile
  readonly owner: Pick<Account, 'id' | 'username' | 'fullName'>
  /** The owner comes first, as a member since the creation of the profile. */
  readonly members: Page<TeamMember | (Omit<TeamMember, 'role'> & { readonly role: 'owner' })>
  /** The open ones, oldest first; undefined for those who may not invite. */
  readonly invitations?: readonly NamedInvitation[] | undefined
}

/** The cursor of the first member when the owner fills a page alone. */
const AFTER_OWNER = encodeCursor(['owner'])

/** The members of a team. */
export function createMembers({ read, write, clock, profiles }: MemberDeps) {
  /** A page of members. Without a cursor it starts with the owner. */
  async function membersOf(profileId: number, { limit, cursor }: PageRequest): Promise<Page<TeamMember>> {
    if (cursor === AFTER_OWNER) return read.members.listOfProfile(profileId, { limit })
    if (cursor !== undefined) return read.members.listOfProfile(profileId, { limit, cursor })
    if (limit > 1) return read.members.listOfProfile(profileId, { limit: limit - 1 })
    const { total } = await read.members.listOfProfile(profileId, { limit: 1 })
    return { items: [], total, nextCursor: total > 0 ? AFTER_OWNER : undefined }
  }

  return {
    async get(profileId: number, request: PageRequest, caller: Caller): Promise<Team> {
      const profile = await profiles.get(profileId, caller)
      const role = await profiles.requirePermission(profile, caller, 'team.read')
      const [owner, members, invitations] = await Promise.all([
        read.accounts.get(profile.ownerAccountId),
        membersOf(profileId, request),
        may(role, 'team.manage') ? read.invitations.list(profileId, { limit: MAX_TEAM }) : undefined,
      ])
      if (!owner) throw memberNotFound()
      const { id: accountId, username, fullName } = owner
      const ofOwner = { profileId, accountId, username, fullName, role: 'owner', createdAt: profile.createdAt } as const
      const isFirst = request.cursor === undefined
      return {
        profile,
        owner,
        members: { ...members, total: members.total + 1, items: isFirst ? [ofOwner, ...members.items] : members.items },
        invitations: invitations?.items,
      }
    },

    async setRole(profileId: number, accountId: string, role: MemberRole, caller: Caller): Promise<void> {
      // Outsiders learn nothing by guessing ids; the role is checked again under the lock.
      await profiles.get(profileId, caller)
      await write(async (tx, emit) => {
        const profile = await profiles.lockWithPermission(tx, profileId, caller, 'team.manage')
        if (accountId === profile.ownerAccountId) throw ownerCannotLeave()
        const previousRole = await tx.members.getRole(profileId, accountId)
        if (previousRole === undefined) throw memberNotFound()
        if (previousRole === role) return
        if (previousRole === 'admin' || role === 'admin') requireRecentProof(caller, clock())
        await tx.members.put({ profileId, accountId, role, createdAt: clock() })
        // The new role may not send these invitations.
        if (!may(role, 'team.manage')) await tx.invitations.deleteBy(profileId, accountId)
        const origin = { profileId, accountId: caller.account.id }
        emit(roleChanged, { accountId, role, previousRole }, origin)
      })
    },

    async remove(profileId: number, accountId: string, caller: Caller): Promise<void> {
      // Outsiders learn nothing by guessing ids; the role is checked again under the lock.
      await profiles.get(profileId, caller)
      await write(async (tx, emit) => {
        const leaves = accountId === caller.account.id
        const profile = await profiles.lockWithPermission(tx, profileId, caller, leaves ? 'team.read' : 'team.manage')
        if (accountId === profile.ownerAccountId) throw ownerCannotLeave()
        const removesAdmin = !leaves && (await tx.members.getRole(profileId, accountId)) === 'admin'
        if (removesAdmin) requireRecentProof(caller, clock())
        if (!(await tx.members.delete(profileId, accountId))) throw memberNotFound()
        await tx.invitations.deleteBy(profileId, accountId)
        emit(memberRemoved, { accountId }, { profileId, accountId: caller.account.id })
      })
    },
  }
}
