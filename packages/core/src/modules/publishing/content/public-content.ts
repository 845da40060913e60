import type { PublicDocument } from '../../../http/documents/public-document.ts'
import { isEepError } from '../../../kernel/errors.ts'
import type { PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import { may } from '../../../model/permission.ts'
import { shownAccent } from '../../../model/shown-accent.ts'
import type { Category, ContentPage } from '../../../ports/storage/content.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { CacheEntry, ReadCache } from '../../../runtime/storage/read-cache.ts'
import type { GatedResource } from '../../access/paywall/index.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { gatedContent, SLUG } from './address.ts'
import { type CategoryTree, categoryTree, type Place } from './category-tree.ts'
import { type ContentsDocument, contentsDocument } from './contents-document.ts'
import { coverUrl, fileUrlsOf } from './cover.ts'
import { pageNotFound, pageWasDeleted } from './errors.ts'
import { pageDocument } from './page-document.ts'
import { createRedirects } from './resolve-redirect.ts'

/** Pages per response of a table of contents. */
export const CONTENTS_LIMIT = 1_000

const MAX_SEGMENTS = 9
const ENCODED_SLASH = /%2f/i

// Larger pages are not cached: they may have a megabyte, and the cache is limited by entries.
const MAX_KEPT_CHARACTERS = 65_536

export interface FoundPage {
  readonly page: ContentPage
  /** The resource of its gate. */
  readonly gated: ReturnType<typeof gatedContent> & Pick<GatedResource, 'image' | 'accent' | 'written'>
  /** Whether it is public. */
  readonly isPublic: boolean
  readonly document: PublicDocument
}

export interface FoundContents {
  readonly page?: undefined
  readonly document: ContentsDocument
}

/** Content with another path now. */
export interface Moved {
  /** Its current slugs. */
  readonly newSlugs: readonly string[]
  /** Whether the redirect is public or for the team only. */
  readonly isPublic: boolean
}

export interface PublicContentDeps {
  readonly read: Readers
  readonly cache: ReadCache
  readonly profiles: ProfileService
}

/**
 * The slugs of a path below `/content` in canonical spelling. Undefined for any other spelling. `url` is not decoded, so
 * a slash that is written as `%2F` does not separate slugs.
 */
export function parsePath(path: string, url: string): readonly string[] | undefined {
  const slugs = path.split('/')
  const [address = ''] = url.split('?')
  return slugs.length <= MAX_SEGMENTS && slugs.every((slug) => SLUG.test(slug)) && !ENCODED_SLASH.test(address)
    ? slugs
    : undefined
}

/** Public content of profiles, below `/content`. */
export function createPublicContent({ read, cache, profiles }: PublicContentDeps) {
  const resolveRedirect = createRedirects(read)

  // The profile is read again in the loaders: one that was read before a change must not be kept after it.
  async function load(
    profileId: number,
    slugs: readonly string[],
  ): Promise<CacheEntry<FoundPage | 'category' | undefined>> {
    const [profile, found] = await Promise.all([read.profiles.get(profileId), read.pages.getByPath(profileId, slugs)])
    if (!profile || !found) {
      const isCategory = (await read.categories.get({ profileId, slugs })) !== undefined
      return isCategory ? { value: 'category', profileId } : { value: undefined, profileId: undefined }
    }
    const { page, categories } = found
    const isPublic = page.status === 'published' && categories.every(({ visibility }) => visibility === 'public')
    const [images = [], gate] = await Promise.all([
      read.files?.listShown(profileId, { pageId: page.id }),
      read.gates.get(profileId),
    ])
    const gates = gate?.config
    const document = pageDocument({ profile, page, categories, isPublic, gates, images, profiles })
    const isKept = isPublic && page.body.length <= MAX_KEPT_CHARACTERS
    const gated = {
      ...gatedContent(profile, slugs, page, categories),
      image: coverUrl(page, fileUrlsOf(profile, profiles)),
      accent: shownAccent(profile, gates),
      written: { at: page.updatedAt, bytes: page.bodyBytes },
    }
    return { value: { page, gated, isPublic, document }, profileId: isKept ? profileId : undefined }
  }

  async function loadContents(
    profileId: number,
    slugs: readonly string[],
    request: PageRequest,
    forTeam: boolean,
  ): Promise<CacheEntry<ContentsDocument | undefined>> {
    const [profile, categories, gate] = await Promise.all([
      read.profiles.get(profileId),
      read.categories.list({ profileId }),
      read.gates.get(profileId),
    ])
    const tree = categoryTree(categories.filter(({ visibility }) => forTeam || visibility === 'public'))
    const place = placeOf(tree, slugs)
    if (!profile || place === undefined) return { value: undefined, profileId: undefined }
    const inside = place === null ? tree.childrenOf(null).flatMap(({ id }) => tree.within(id)) : tree.within(place)
    const categoryIds = [...(place === null ? [null] : []), ...inside.map(({ id }) => id)]
    const pages = await read.pages.listOutline(profileId, { ...request, status: 'published', categoryIds })
    const view = { profile, tree, place, pages, limit: request.limit, gates: gate?.config, forTeam, profiles }
    const isKept = !forTeam && request.cursor === undefined && request.limit === CONTENTS_LIMIT
    return { value: contentsDocument(view), profileId: isKept ? profileId : undefined }
  }

  async function contents(
    profile: Profile,
    slugs: readonly string[],
    request: PageRequest,
    caller: Caller | undefined,
  ): Promise<FoundContents> {
    const { limit, cursor = '' } = request
    const key = `contents:${profile.id}:${slugs.join('/')}:${limit}:${cursor}`
    const document = await cache.getOrLastSeen(key, () => loadContents(profile.id, slugs, request, false))
    if (document) return { document }
    if (!may(await profiles.roleOf(profile, caller), 'content.read_drafts')) throw pageNotFound()
    const { value } = await loadContents(profile.id, slugs, request, true)
    if (!value) throw pageNotFound()
    return { document: value }
  }

  async function present(
    profile: Profile,
    slugs: readonly string[],
    request: PageRequest,
    caller: Caller | undefined,
  ): Promise<FoundPage | FoundContents> {
    const key = `page:${profile.id}:${slugs.join('/')}`
    const found = slugs.length > 0 ? await cache.getOrLastSeen(key, () => load(profile.id, slugs)) : 'category'
    if (!found) throw pageNotFound()
    if (found === 'category') return contents(profile, slugs, request, caller)
    if (!found.isPublic && !may(await profiles.roleOf(profile, caller), 'content.read_drafts')) throw pageNotFound()
    return found
  }

  /**
   * Returns the current address of moved content, if the caller may see it.
   *
   * @throws `page_deleted`
   */
  async function moved(profile: Profile, slugs: readonly string[], caller: Caller | undefined) {
    const known = await resolveRedirect(profile.id, slugs, false)
    if (known && known !== 'deleted') return { newSlugs: known, isPublic: true }
    if (may(await profiles.roleOf(profile, caller), 'content.read_drafts')) {
      const inside = await resolveRedirect(profile.id, slugs, true)
      if (inside && inside !== 'deleted') return { newSlugs: inside, isPublic: false }
    }
    if (known) throw pageWasDeleted({ visibility: profile.visibility })
    return undefined
  }

  return {
    /**
     * Resolves a path of slugs: to a page, or to the table of contents of a category or of the top level. Content that is
     * not public is visible to the team only. A path without content resolves to its redirect, if there is one.
     *
     * @throws `page_not_found` when there is nothing the caller may see; `page_deleted` when something public was deleted
     */
    async find(
      profile: Profile,
      slugs: readonly string[],
      request: PageRequest,
      caller?: Caller | undefined,
    ): Promise<FoundPage | FoundContents | Moved> {
      try {
        return await present(profile, slugs, request, caller)
      } catch (error) {
        const gone = isEepError(error) && error.code === pageNotFound.code
        const way = gone ? await moved(profile, slugs, caller) : undefined
        if (!way) throw error
        return way
      }
    },
  }
}

/** The category of a path of slugs. Null for no slugs, undefined when it does not exist. */
function placeOf(tree: CategoryTree, slugs: readonly string[]): Place | undefined {
  let place: Place = null
  for (const slug of slugs) {
    const category: Category | undefined = tree.childrenOf(place).find((child) => child.slug === slug)
    if (!category) return undefined
    place = category.id
  }
  return place
}
