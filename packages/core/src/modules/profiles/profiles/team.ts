import type { Caller } from '../../../model/caller.ts'
import type { Role } from '../../../model/permission.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Readers } from '../../../ports/storage/storage.ts'

const MEMBERS_A_PAGE = 100

/** Whether the credential of a caller reaches a profile of its team: profiles may be closed to connected apps of members. */
export const isReachedBy = (
  { app, account }: Pick<Caller, 'app' | 'account'>,
  { apps, ownerAccountId }: Pick<Profile, 'apps' | 'ownerAccountId'>,
): boolean => !app || apps === 'allowed' || account.id === ownerAccountId

/** The role of an account in a profile; undefined without one. Reads nothing for the owner. */
export async function roleOfAccount(
  { members }: Pick<Readers, 'members'>,
  { id, ownerAccountId }: Pick<Profile, 'id' | 'ownerAccountId'>,
  accountId: string,
): Promise<Role | undefined> {
  return accountId === ownerAccountId ? 'owner' : members?.getRole(id, accountId)
}

/** The owner of a profile, then the members of its team whose role is meant. */
export async function accountsOfTeam(
  { members }: Pick<Readers, 'members'>,
  { id, ownerAccountId }: Pick<Profile, 'id' | 'ownerAccountId'>,
  isMeant: (role: Role) => boolean,
): Promise<readonly string[]> {
  const accountIds = [ownerAccountId]
  for (let cursor: string | undefined; members; ) {
    const page = await members.listOfProfile(id, { limit: MEMBERS_A_PAGE, cursor })
    accountIds.push(...page.items.filter(({ role }) => isMeant(role)).map(({ accountId }) => accountId))
    cursor = page.nextCursor
    if (cursor === undefined) break
  }
  return accountIds
}
