import { type ErrorDefinition, isEepError } from '../../../kernel/errors.ts'
import type { Caller } from '../../../model/caller.ts'
import { type Action, may } from '../../../model/permission.ts'
import type { Category, PageOutline } from '../../../ports/storage/content.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { type ProfileService, profileNotFound } from '../../profiles/profiles/index.ts'
import { categoryTree, type Place } from './category-tree.ts'
import { categoryNotFound, pageNotFound } from './errors.ts'

/**
 * Access to content. What a caller cannot see is 404; what everyone can see and only the team can change
 * is 403.
 */
export function createContentAccess({ read, profiles }: { readonly read: Readers; readonly profiles: ProfileService }) {
  async function profileOf(
    profileId: number,
    caller: Caller | undefined,
    missing: ErrorDefinition,
    isLinked = false,
  ): Promise<Profile> {
    try {
      return await (isLinked ? profiles.getEvenIfUnlisted(profileId, caller) : profiles.get(profileId, caller))
    } catch (error) {
      throw isEepError(error) && error.code === profileNotFound.code ? missing() : error
    }
  }

  async function isPublic(place: Place): Promise<boolean> {
    if (place === null) return true
    const tree = categoryTree(await read.categories.list({ withParents: [place] }))
    return tree.get(place) !== undefined && tree.isPublic(place)
  }

  async function check(
    content: { readonly profileId: number; readonly place: Place; readonly hidden: boolean },
    caller: Caller,
    action: Action,
    missing: ErrorDefinition,
  ): Promise<Profile> {
    const profile = await profileOf(content.profileId, caller, missing)
    const isInsider = (await profiles.roleOf(profile, caller)) !== undefined
    if (!isInsider && (content.hidden || !(await isPublic(content.place)))) throw missing()
    await profiles.requirePermission(profile, caller, action)
    return profile
  }

  return {
    /**
     * Locks a profile until the transaction ends.
     *
     * @throws `not_profile_owner`, `profile_not_found` when the caller has lost the right meanwhile
     */
    lock: profiles.lockWithPermission,

    async profile(id: number, caller: Caller, action: Action): Promise<Profile> {
      const profile = await profiles.get(id, caller)
      await profiles.requirePermission(profile, caller, action)
      return profile
    },

    async page(id: number, caller: Caller, action: Action): Promise<{ profile: Profile; page: PageOutline }> {
      const page = await read.pages.getOutline(id)
      if (!page) throw pageNotFound()
      const { profileId, categoryId, status } = page
      const content = { profileId, place: categoryId, hidden: status !== 'published' }
      return { page, profile: await check(content, caller, action, pageNotFound) }
    },

    /**
     * Returns a page that the caller may see: a public one, one of an unlisted profile by the key of its address, or one of the
     * caller's team. Does not evaluate gates.
     *
     * @throws `page_not_found`
     */
    async known(
      id: number,
      caller: Caller | undefined,
      key?: string | undefined,
    ): Promise<{ profile: Profile; page: PageOutline }> {
      const page = await read.pages.getOutline(id)
      if (!page) throw pageNotFound()
      const isLinked = profiles.linkKeys.opens('page', page.profileId, id, key)
      const profile = await profileOf(page.profileId, caller, pageNotFound, isLinked)
      const isOpen = page.status === 'published' && (await isPublic(page.categoryId))
      if (!isOpen && !may(await profiles.roleOf(profile, caller), 'content.read_drafts')) throw pageNotFound()
      return { profile, page }
    },

    async category(id: number, caller: Caller, action: Action): Promise<{ profile: Profile; category: Category }> {
      const category = await read.categories.get(id)
      if (!category) throw categoryNotFound()
      const content = { profileId: category.profileId, place: id, hidden: false }
      return { category, profile: await check(content, caller, action, categoryNotFound) }
    },
  }
}

export type ContentAccess = ReturnType<typeof createContentAccess>
