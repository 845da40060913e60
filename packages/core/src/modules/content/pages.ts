import type { EepHooks } from '../../hooks.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Page as ListPage, PageRequest } from '../../kernel/page.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import type { Caller } from '../accounts/index.ts'
import type { Profile } from '../profiles/index.ts'
import type { ContentAccess } from './access.ts'
import { publicationOf, wantsApproval, withApproval } from './approval.ts'
import { type CategoryTree, categoryTree, slugsOf } from './category-tree.ts'
import { pageNotFound, slugTaken, versionNotFound } from './errors.ts'
import { checkTransition } from './page-status.ts'
import { checkPlace, createPlacement, lockTree } from './placement.ts'
import type { ContentPage, NewPage, OutlineRequest, PageChanges, PageOutline, PageVersion } from './store.ts'
import { checkVersion } from './version-tag.ts'

export interface PageDeps extends GuardedStorage {
  readonly clock: Clock
  readonly hooks: EepHooks
  readonly access: ContentAccess
}

/** A page and its slugs from the top, its own last. */
export interface PlacedPage<Item extends PageOutline = ContentPage> {
  readonly profile: Profile
  readonly page: Item
  readonly slugs: readonly string[]
}

export interface PageDraft
  extends Pick<NewPage, 'profileId' | 'categoryId' | 'title' | 'body' | 'excerpt' | 'position'> {
  readonly status: 'draft' | 'published'
  /** Made from the title when the owner names none. */
  readonly slug?: string | undefined
}

export type PageEdits = {
  readonly [Field in keyof Omit<PageChanges, 'updatedAt' | 'savedBy' | 'publishedAt'>]?: PageChanges[Field] | undefined
}

const placeIn = <Item extends PageOutline>(profile: Profile, tree: CategoryTree, page: Item): PlacedPage<Item> => ({
  profile,
  page,
  slugs: [...slugsOf(tree.lineTo(page.categoryId)), page.slug],
})

const factsOf = ({ id, slug, title, status }: ContentPage) => ({ pageId: id, slug, title, status })

/** The pages of a profile as its team works on them. */
export function createPages({ read, write, clock, hooks, access }: PageDeps) {
  const readTree = async (profileId: number) => categoryTree(await read.categories.listOfProfile(profileId))

  async function update(
    id: number,
    edits: PageEdits,
    caller: Caller,
    ifMatch?: string | undefined,
  ): Promise<PlacedPage> {
    const action = edits.status === undefined ? 'content.edit' : 'content.publish'
    const { profile } = await access.page(id, caller, action)
    const moves = edits.slug !== undefined || edits.categoryId !== undefined

    const page = await withApproval(hooks, (approved) =>
      write(async (tx, emit) => {
        await access.lock(tx, profile.id, caller, action)
        const tree = moves ? await lockTree(tx, profile.id) : undefined
        const before = await tx.pages.lock(id)
        if (!before) throw pageNotFound()
        checkVersion(ifMatch, before.version)
        const at = clock()
        const changes = { ...defined(edits), updatedAt: at, savedBy: caller.account.id }
        const next = { ...before, ...changes }
        checkTransition(before.status, next.status)
        if (tree) {
          checkPlace(tree, next.categoryId)
          await createPlacement(tx, tree, profile.id, next.categoryId, { kind: 'page', id }).check(next.slug)
        }
        const revision = `version ${before.version}`
        if (wantsApproval(hooks, next) && approved !== revision) return { publication: publicationOf(next), revision }

        const appears = next.status === 'published' && before.status !== 'published'
        const saved = await tx.pages.save(id, { ...changes, ...(appears ? { publishedAt: at } : {}) })
        if (!saved) throw slugTaken({ details: { slug: next.slug } })
        const { version } = saved
        const origin = { profileId: profile.id, accountId: caller.account.id }
        emit('content.page_saved', { ...factsOf(saved), version, previousStatus: before.status }, origin)
        return { done: saved }
      }),
    )
    return placeIn(profile, await readTree(profile.id), page)
  }

  return {
    /** The pages of a profile whatever their status, without their bodies. */
    async list(
      { profileId, ...request }: OutlineRequest & { readonly profileId: number },
      caller: Caller,
    ): Promise<ListPage<PlacedPage<PageOutline>>> {
      const profile = await access.profile(profileId, caller, 'content.read_drafts')
      const [tree, found] = await Promise.all([readTree(profileId), read.pages.listOutline(profileId, request)])
      return { ...found, items: found.items.map((page) => placeIn(profile, tree, page)) }
    },

    async get(id: number, caller: Caller): Promise<PlacedPage> {
      const { profile, page } = await access.page(id, caller, 'content.read_drafts')
      return placeIn(profile, await readTree(profile.id), page)
    },

    /**
     * Makes a page as version 1.
     *
     * @throws `slug_taken` for a slug that the owner chose; one that is made from the title gets a number instead
     */
    async create(draft: PageDraft, caller: Caller): Promise<PlacedPage> {
      const { slug: wanted, ...content } = draft
      const action = draft.status === 'published' ? 'content.publish' : 'content.edit'
      const profile = await access.profile(draft.profileId, caller, action)

      return withApproval(hooks, (approved) =>
        write(async (tx, emit) => {
          await access.lock(tx, profile.id, caller, action)
          const tree = await lockTree(tx, profile.id)
          checkPlace(tree, draft.categoryId)
          const placement = createPlacement(tx, tree, profile.id, draft.categoryId, { kind: 'page' })
          const slug = wanted === undefined ? await placement.choose(draft.title) : await placement.check(wanted)
          if (wantsApproval(hooks, draft) && approved !== slug) {
            return { publication: publicationOf({ ...content, slug }), revision: slug }
          }

          const at = clock()
          const publishedAt = draft.status === 'published' ? at : null
          const page = await tx.pages.insert({
            ...content,
            slug,
            createdAt: at,
            publishedAt,
            createdBy: caller.account.id,
          })
          if (!page) throw slugTaken({ details: { slug } })
          const { version } = page
          const origin = { profileId: profile.id, accountId: caller.account.id }
          emit('content.page_saved', { ...factsOf(page), version, previousStatus: null }, origin)
          return { done: placeIn(profile, tree, page) }
        }),
      )
    },

    /**
     * Changes the named fields as a new version.
     *
     * @throws `precondition_failed` when `ifMatch` is given and names no longer the present version
     */
    update,

    /** Removes a page with its versions. */
    async delete(id: number, caller: Caller, ifMatch?: string | undefined): Promise<void> {
      const { profile } = await access.page(id, caller, 'content.delete')
      await write(async (tx, emit) => {
        await access.lock(tx, profile.id, caller, 'content.delete')
        const page = await tx.pages.lock(id)
        if (!page) throw pageNotFound()
        checkVersion(ifMatch, page.version)
        await tx.pages.delete(id)
        emit('content.page_deleted', factsOf(page), { profileId: profile.id, accountId: caller.account.id })
      })
    },

    /** The versions of a page, newest first. */
    async listVersions(id: number, request: PageRequest, caller: Caller): Promise<ListPage<PageVersion>> {
      await access.page(id, caller, 'content.read_drafts')
      return read.pages.listVersions(id, request)
    },

    async getVersion(id: number, version: number, caller: Caller): Promise<PageVersion> {
      await access.page(id, caller, 'content.read_drafts')
      const found = await read.pages.getVersion(id, version)
      if (!found) throw versionNotFound()
      return found
    },

    /** Saves what a page said in an earlier version as its newest one. Status, slug and place stay as they are. */
    async restoreVersion(
      id: number,
      version: number,
      caller: Caller,
      ifMatch?: string | undefined,
    ): Promise<PlacedPage> {
      await access.page(id, caller, 'content.edit')
      const found = await read.pages.getVersion(id, version)
      if (!found) throw versionNotFound()
      const { title, body, excerpt } = found
      return update(id, { title, body, excerpt }, caller, ifMatch)
    },
  }
}

/** The fields that were named. */
function defined<Fields extends object>(fields: Fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Field in keyof Fields]?: Exclude<Fields[Field], undefined>
  }
}
