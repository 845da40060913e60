import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { ProfileOfAccount } from '../../../ports/storage/teams.ts'

/**
 * The profiles in which an account has a role: those it owns, then those it is a member of, each oldest first. Withdrawn
 * ones are left out. Without teams in the storage there are only owners.
 */
export async function listProfilesOfAccount(
  read: Readers,
  accountId: string,
  request: PageRequest,
): Promise<Page<ProfileOfAccount>> {
  if (read.members) return read.members.listProfiles(accountId, request)
  const { items, ...page } = await read.profiles.listOfAccount(accountId, request)
  const shown = items.filter(({ withdrawnAt }) => withdrawnAt === null)
  return { ...page, items: shown.map((profile) => ({ profile, role: 'owner' as const })) }
}
