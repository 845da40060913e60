import type { Page as ListPage, PageRequest } from '../../kernel/page.ts'

/** The visibility of a category. */
export type CategoryVisibility = 'public' | 'private'
/** Whether a page is published. */
export type PageStatus = 'draft' | 'published' | 'archived'

/** A folder of pages. */
export interface Category {
  readonly id: number
  readonly profileId: number
  /** Null at the top. */
  readonly parentId: number | null
  readonly name: string
  /** Unique among its siblings. */
  readonly slug: string
  readonly description: string | null
  readonly icon: string | null
  readonly visibility: CategoryVisibility
  /** Display order among siblings, lowest first; ties go by id. */
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
  /** The category with this id, or the one that a path of slugs leads to from the top. */
  get(key: number | CategoryPath): Promise<Category | undefined>
  /**
   * Categories: those of a profile by position and id; or those named in `withParents` and all that lead to them from the
   * top, each once and in no order.
   */
  list(
    which: { readonly profileId: number } | { readonly withParents: readonly number[] },
  ): Promise<readonly Category[]>
  /** How many pages of any status the categories of a profile hold directly: all of them, or those named. */
  countPages(profileId: number, ids?: readonly number[]): Promise<ReadonlyMap<number, number>>
}

/** The categories of profiles. */
export interface CategoryStore extends CategoryReader {
  /** Adds a category. `undefined` when a sibling category has this slug. */
  insert(category: NewCategory): Promise<Category | undefined>
  /** Changes the named fields; `undefined` when it is gone or a sibling category has the slug. */
  save(id: number, changes: CategoryChanges): Promise<Category | undefined>
  /** Removes a category with the categories and pages below it. False when it was gone already. */
  delete(id: number): Promise<boolean>
}

/** A page as it is now. */
export interface ContentPage {
  readonly id: number
  readonly profileId: number
  /** Null for a page at the top. */
  readonly categoryId: number | null
  readonly title: string
  /** Unique among the pages of its category. */
  readonly slug: string
  /** Markdown. */
  readonly body: string
  readonly excerpt: string | null
  readonly status: PageStatus
  /** 1 when made; each save adds one. */
  readonly version: number
  readonly position: number
  readonly createdAt: Date
  readonly updatedAt: Date
  /** When it last became `published`; null while it never was. */
  readonly publishedAt: Date | null
}

/** A page in a table of contents: all but its body. */
export type PageOutline = Omit<ContentPage, 'body'>

/** A page to insert. */
export type NewPage = Omit<ContentPage, 'id' | 'version' | 'updatedAt' | 'position'> & {
  /** Null places it after the last page that its category holds directly, or the top. */
  readonly position: number | null
  /** The account that wrote it. */
  readonly createdBy: string
}

/** What a save makes of the versions of a page. */
export interface Versioning {
  /** The newest version gives way, when it is of the same author and its time to be replaced is not over. */
  readonly replaces: boolean
  /** Until when later saves may replace a version that is added; null for never. What replaces another keeps its time. */
  readonly replaceableUntil: Date | null
  /** How many versions are kept, the newest ones. */
  readonly kept: number
}

/** Changes of a page. Absent fields stay as they are. */
export type PageChanges = Partial<
  Pick<ContentPage, 'categoryId' | 'title' | 'slug' | 'body' | 'excerpt' | 'status' | 'position' | 'publishedAt'>
> & {
  readonly updatedAt: Date
  /** The account that saves it. */
  readonly savedBy: string
  /** Default: a version that is added and never replaced, and all versions are kept. */
  readonly versioning?: Versioning | undefined
}

/** What a page said when it was saved. */
export interface PageVersion {
  readonly pageId: number
  readonly version: number
  readonly title: string
  readonly body: string
  readonly excerpt: string | null
  readonly status: PageStatus
  readonly createdAt: Date
  readonly createdBy: string
}

/** A version in a list: all but its body. */
export type PageVersionOutline = Omit<PageVersion, 'body'>

/** Which pages of a profile to list. */
export interface OutlineRequest extends PageRequest {
  /** Only pages of this status. */
  readonly status?: PageStatus | undefined
  /** Only pages that these categories hold directly; null is the top. */
  readonly categoryIds?: readonly (number | null)[] | undefined
}

/** Pages and their versions, for reading. */
export interface PageReader {
  get(id: number): Promise<ContentPage | undefined>
  /** A page without its body. */
  getOutline(id: number): Promise<PageOutline | undefined>
  /** The page with the last slug in the category that the slugs before it lead to. */
  getByPath(
    profileId: number,
    slugs: readonly string[],
  ): Promise<{ readonly page: ContentPage; readonly categories: readonly Category[] } | undefined>
  /** The pages of a profile without their bodies, by category (the top first), position and id. */
  listOutline(profileId: number, request: OutlineRequest): Promise<ListPage<PageOutline>>
}

/** Pages and their versions. */
export interface PageStore extends PageReader {
  /** Adds a page as version 1. `undefined` when its category has a page of this slug. */
  insert(page: NewPage): Promise<ContentPage | undefined>
  /**
   * Changes the named fields as a new version, with the next number whether or not it replaces the newest one. `undefined`
   * when the page is gone or its category has a page of the slug. Concurrent saves each see the version of the one before.
   */
  save(id: number, changes: PageChanges): Promise<ContentPage | undefined>
  /** Removes a page with its versions. False when it was gone already. */
  delete(id: number): Promise<boolean>
}

/** A former path of a page or category below the content of a profile. */
export interface OldPath {
  readonly profileId: number
  /** The slugs from the top as they were: `notes/my-page`. */
  readonly path: string
  /** The last of them. */
  readonly slug: string
  /** The category it was in, which may be gone; null for the top. */
  readonly placeId: number | null
  readonly target: { readonly pageId: number } | { readonly categoryId: number }
}

/** Where content was, for reading. */
export interface OldPathReader {
  /**
   * The former targets of these slugs in any place of a profile, the latest first, at most `limit`. Deleted pages and
   * categories are left out.
   */
  list(profileId: number, slugs: readonly string[], limit: number): Promise<readonly OldPath[]>
}

/** Where content was. */
export interface OldPathStore extends OldPathReader {
  /** Notes what a path led to; what left the same path before is forgotten. */
  put(oldPath: OldPath, at: Date): Promise<void>
}

/** The versions of pages that `PageStore.save` keeps, for reading. */
export interface PageVersionReader {
  /** The versions of a page without their bodies, newest first. */
  list(pageId: number, page: PageRequest): Promise<ListPage<PageVersionOutline>>
  get(pageId: number, version: number): Promise<PageVersion | undefined>
  /** The newest version that is kept and older than this one. */
  getBefore(pageId: number, version: number): Promise<PageVersion | undefined>
}

/** The order of pages and categories. */
export interface OrderingStore {
  /**
   * Gives the categories below a parent, or at the top, the positions 0, 1, 2 in this order. False, and nothing changed,
   * when these are not exactly its children, each once. Of concurrent calls the later one wins as a whole.
   */
  reorderCategories(
    place: { readonly profileId: number; readonly parentId: number | null },
    ids: readonly number[],
  ): Promise<boolean>
  /**
   * Gives the pages that a category holds directly, or the top, the positions 0, 1, 2 in this order; this creates no version.
   * False, and nothing changed, when these are not exactly its pages, each once. Of concurrent calls the later one wins as a
   * whole.
   */
  reorderPages(
    place: { readonly profileId: number; readonly categoryId: number | null },
    ids: readonly number[],
  ): Promise<boolean>
}
