import type { Page as ListPage, PageRequest } from '../../kernel/page.ts'
import type { ActingApp } from '../../model/acting-app.ts'

export type { ActingApp } from '../../model/acting-app.ts'

/** The visibility of a category. */
export type CategoryVisibility = 'public' | 'private'
/** Whether a page is published. */
export type PageStatus = 'draft' | 'published' | 'archived'

/** A folder of pages. */
export interface Category {
  readonly id: number
  readonly profileId: number
  /** Null at the top level. */
  readonly parentId: number | null
  readonly name: string
  /** Unique among its siblings. */
  readonly slug: string
  readonly description: string | null
  readonly icon: string | null
  readonly visibility: CategoryVisibility
  /** Display order among siblings, lowest first; ties are ordered by id. */
  readonly position: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A category to insert. */
export type NewCategory = Omit<Category, 'id' | 'updatedAt'>
/** Changes of a category. Absent fields stay as they are. */
export type CategoryChanges = Partial<
  Pick<Category, 'parentId' | 'name' | 'slug' | 'description' | 'icon' | 'visibility' | 'position'>
> & { readonly updatedAt: Date }

/** A path of slugs from the top of the content of a profile. */
export interface CategoryPath {
  readonly profileId: number
  readonly slugs: readonly string[]
}

/** The categories of profiles, for reading. */
export interface CategoryReader {
  /** The category with this id, or at this path of slugs from the top level. */
  get(key: number | CategoryPath): Promise<Category | undefined>
  /**
   * The categories of a profile by position and id; or those given in `withParents` and all their ancestors, each once and
   * in any order.
   */
  list(
    which: { readonly profileId: number } | { readonly withParents: readonly number[] },
  ): Promise<readonly Category[]>
  /** The number of pages of any status directly in the categories of a profile: in all of them, or in the given ones. */
  countPages(profileId: number, ids?: readonly number[]): Promise<ReadonlyMap<number, number>>
}

/** The categories of profiles. */
export interface CategoryStore extends CategoryReader {
  /** Adds a category. `undefined` when a sibling category has this slug. */
  insert(category: NewCategory): Promise<Category | undefined>
  /** Changes the given fields; `undefined` when it does not exist or a sibling category has the slug. */
  save(id: number, changes: CategoryChanges): Promise<Category | undefined>
  /** Deletes a category with the categories and pages below it. False when it does not exist. */
  delete(id: number): Promise<boolean>
}

/** A page as it is now. */
export interface ContentPage {
  readonly id: number
  readonly profileId: number
  /** Null for a page at the top level. */
  readonly categoryId: number | null
  readonly title: string
  /** Unique among the pages of its category. */
  readonly slug: string
  /** Markdown. */
  readonly body: string
  /** The size of its body in UTF-8, which the store counts. */
  readonly bodyBytes: number
  readonly excerpt: string | null
  readonly status: PageStatus
  /** 1 for a new page, incremented by each save. */
  readonly version: number
  readonly position: number
  readonly createdAt: Date
  readonly updatedAt: Date
  /** When it was last published; null if it never was. */
  readonly publishedAt: Date | null
  /** An image of the profile that everyone who sees the page in lists may see; null for none. */
  readonly coverFileId: number | null
  /** The first image of the profile that the body shows, found by the store; null for none. Readers of the page may see it. */
  readonly firstImageId: number | null
}

/** A page in a table of contents: all but its body. */
export type PageOutline = Omit<ContentPage, 'body'>

/** A page to insert. */
export type NewPage = Omit<ContentPage, 'id' | 'version' | 'updatedAt' | 'position' | 'firstImageId' | 'bodyBytes'> & {
  /** Null places it last in its category, or at the top level. */
  readonly position: number | null
  /** The account that wrote it. */
  readonly createdBy: string
  /** The app by which it did. Default: none. */
  readonly through?: ActingApp | null | undefined
}

/** How a save changes the versions of a page. */
export interface Versioning {
  /** Replaces the newest version if it has the same author and app, and may still be replaced. */
  readonly replaces: boolean
  /**
   * Until when later saves may replace an added version, which is an automatic one; null: never, because a person saved it. A version that
   * replaces another keeps the time of that one.
   */
  readonly replaceableUntil: Date | null
  /**
   * The number of versions to keep: the added one, then the newest ones that a person saved, then the newest automatic ones. At least one is
   * kept.
   */
  readonly kept: number
}

/** Changes of a page. Absent fields stay as they are. */
export type PageChanges = Partial<
  Pick<
    ContentPage,
    'categoryId' | 'title' | 'slug' | 'body' | 'excerpt' | 'status' | 'position' | 'publishedAt' | 'coverFileId'
  >
> & {
  readonly updatedAt: Date
  /** The account that saves it. */
  readonly savedBy: string
  /** The app by which that account saves it. Default: none. */
  readonly through?: ActingApp | null | undefined
  /** Default: adds a version that is never replaced, and keeps all versions. */
  readonly versioning?: Versioning | undefined
}

/** A page as it was saved. */
export interface PageVersion {
  readonly pageId: number
  readonly version: number
  readonly title: string
  readonly body: string
  readonly excerpt: string | null
  readonly status: PageStatus
  readonly createdAt: Date
  readonly createdBy: string
  /** The app by which that account saved it; null for none, and once the account is erased. */
  readonly through: ActingApp | null
}

/** A version in a list: all but its body. */
export type PageVersionOutline = Omit<PageVersion, 'body'>

/** A page with its history, as an export of another service describes it. */
export interface RestoredPage extends Omit<ContentPage, 'id' | 'firstImageId' | 'bodyBytes'> {
  /** The account that restores it. */
  readonly createdBy: string
  /** The versions to store, in any order. The page itself is not added to them. */
  readonly versions: readonly Omit<PageVersion, 'pageId' | 'createdBy' | 'through'>[]
}

/** Which pages of a profile to list. */
export interface OutlineRequest extends PageRequest {
  /** Only pages of this status. */
  readonly status?: PageStatus | undefined
  /** Only pages directly in these categories; null is the top level. */
  readonly categoryIds?: readonly (number | null)[] | undefined
}

/** Pages and their versions, for reading. */
export interface PageReader {
  /** Returns a page, published or not; undefined when it does not exist. */
  get(id: number): Promise<ContentPage | undefined>
  /** A page without its body. */
  getOutline(id: number): Promise<PageOutline | undefined>
  /** The page at this path of slugs: the last slug is the page, the others are its categories. */
  getByPath(
    profileId: number,
    slugs: readonly string[],
  ): Promise<{ readonly page: ContentPage; readonly categories: readonly Category[] } | undefined>
  /** The pages of a profile without their bodies, by category (the top level first), position and id. */
  listOutline(profileId: number, request: OutlineRequest): Promise<ListPage<PageOutline>>
}

/** Pages and their versions. */
export interface PageStore extends PageReader {
  /** Adds a page as version 1. `undefined` when its category has a page with this slug. */
  insert(page: NewPage): Promise<ContentPage | undefined>
  /**
   * Changes the given fields as a new version, which always gets the next number, even if it replaces the newest one.
   * `undefined` when the page does not exist or its category has a page with the slug. Concurrent saves run one after
   * another.
   */
  save(id: number, changes: PageChanges): Promise<ContentPage | undefined>
  /** Deletes a page with its versions. False when it does not exist. */
  delete(id: number): Promise<boolean>
}

/** A path below the content of a profile that a page or category had. */
export interface OldPath {
  readonly profileId: number
  /** The former slugs from the top level: `notes/my-page`. */
  readonly path: string
  /** The last slug. */
  readonly slug: string
  /** The category it was in, which may be deleted; null for the top level. */
  readonly placeId: number | null
  /** The page or category that had the path; null when it was deleted. */
  readonly target: { readonly pageId: number } | { readonly categoryId: number } | null
}

/** The path of a page or category that exists. */
export type LeftPath = OldPath & { readonly target: NonNullable<OldPath['target']> }

/** Former paths of content, for reading. */
export interface OldPathReader {
  /**
   * At most `limit` former paths of a profile whose last slug is one of these, the latest first. Those of pages and categories
   * that were deleted without `putDeleted` are left out.
   */
  list(profileId: number, slugs: readonly string[], limit: number): Promise<readonly OldPath[]>
}

/** Former paths of content. */
export interface OldPathStore extends OldPathReader {
  /** Stores a former path, replacing an earlier target of the same path. */
  put(oldPath: LeftPath, at: Date): Promise<void>
  /**
   * Stores the current paths of pages and categories that the same transaction deletes afterwards, and keeps their former paths; the
   * target of both becomes null. A path that is already stored for something else keeps its target.
   */
  putDeleted(paths: readonly LeftPath[], at: Date): Promise<void>
}

/** The versions of pages, for reading. */
export interface PageVersionReader {
  /** The versions of a page without their bodies, newest first. */
  list(pageId: number, page: PageRequest): Promise<ListPage<PageVersionOutline>>
  /** Returns a version of a page; undefined when it is not kept. */
  get(pageId: number, version: number): Promise<PageVersion | undefined>
  /** The newest stored version older than this one. */
  getBefore(pageId: number, version: number): Promise<PageVersion | undefined>
}

/** The versions of pages. Other stores add and delete them with their pages. */
export interface PageVersionStore extends PageVersionReader {
  /**
   * Adds a page with its number, times and versions as they are given. `undefined` when its category has a page with this
   * slug. Later saves continue from its number.
   */
  restore(page: RestoredPage): Promise<ContentPage | undefined>
  /** Adds versions to a page that was restored, of which the page has none yet. */
  addRestored(pageId: number, createdBy: string, versions: RestoredPage['versions']): Promise<void>
}

/** How an order ends. `moved`: the items of the place were not in the previous order. `invalid`: the ids are not exactly its items. */
export type OrderOutcome = 'ordered' | 'moved' | 'invalid'

/** The order of pages and categories. */
export interface OrderingStore {
  /**
   * Gives the categories below a parent, or at the top level, the positions 0, 1, 2 in this order. Nothing changes unless these are exactly
   * its children, each once, and with `previousIds` unless these were its children in their order. Of concurrent calls the later one wins
   * completely; of those with the same `previousIds`, exactly one orders.
   */
  reorderCategories(
    place: { readonly profileId: number; readonly parentId: number | null },
    ids: readonly number[],
    previousIds?: readonly number[] | undefined,
  ): Promise<OrderOutcome>
  /**
   * Gives the pages directly in a category, or at the top level, the positions 0, 1, 2 in this order, without creating
   * versions. Nothing changes unless these are exactly its pages, each once, and with `previousIds` unless these were its pages in their
   * order. Of concurrent calls the later one wins completely; of those with the same `previousIds`, exactly one orders.
   */
  reorderPages(
    place: { readonly profileId: number; readonly categoryId: number | null },
    ids: readonly number[],
    previousIds?: readonly number[] | undefined,
  ): Promise<OrderOutcome>
}
