import type { Page as ListPage, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { OutlineRequest, PageOutline, PageVersion, PageVersionOutline } from '../../../ports/storage/content.ts'
import type { CategoryDraft, CategoryEdits, CategoryNode, PlacedCategory } from './categories.ts'
import type { DraftEdits, ProfileDraft } from './drafts.ts'
import type { PageDraft, PageEdits, PlacedPage, SaveOptions } from './pages.ts'
import type { Order } from './reorder.ts'
import type { VersionDiff, VersionRange } from './versions.ts'

export interface ContentPagesApi {
  /**
   * Returns a page with its body, whatever its status, to the team of its profile.
   *
   * @throws `page_not_found`, `not_profile_owner`
   */
  get(id: number, caller: Caller): Promise<PlacedPage>
  /**
   * Deletes a page with its versions.
   *
   * @throws `page_not_found`, `not_profile_owner`, `precondition_failed` when `ifMatch` does not name the current version
   */
  delete(id: number, caller: Caller, ifMatch?: string): Promise<void>
  /**
   * Returns the pages of a profile without their bodies, whatever their status, to its team; with `categoryIds` those
   * directly in these categories.
   *
   * @throws `unknown_category`, `profile_not_found`, `not_profile_owner`, `invalid_cursor`
   */
  list(
    request: OutlineRequest & { readonly profileId: number },
    caller: Caller,
  ): Promise<ListPage<PlacedPage<PageOutline>>>
  /**
   * Creates a page as version 1. Without a slug one is made from the title, with a number when it is taken. Of concurrent
   * calls with the same slug one succeeds.
   *
   * @throws `slug_taken` for a chosen slug, `unknown_category`, `not_profile_owner`, `file_quota_reached`, and what the
   * hook `beforePublish` throws
   */
  create(draft: PageDraft, caller: Caller): Promise<PlacedPage>
  /**
   * Changes the given fields as a new version. With `autosave` it replaces the newest one when that is an automatic save of the
   * same author and not older than `content.autosaveIntervalSeconds`, unless the status changes. Without `ifMatch` the last of
   * concurrent updates wins, field by field.
   *
   * @throws `precondition_failed` when `ifMatch` does not name the current version; `page_not_found`, `slug_taken`,
   * `not_profile_owner`, `file_quota_reached`, and what the hook `beforePublish` throws
   */
  update(id: number, edits: PageEdits, caller: Caller, options?: SaveOptions): Promise<PlacedPage>
}

export interface ContentCategoriesApi {
  /**
   * Returns a category to the team of its profile.
   *
   * @throws `category_not_found`, `not_profile_owner`
   */
  get(id: number, caller: Caller): Promise<PlacedCategory>
  /**
   * Deletes a category; with `cascade` also all pages and categories below it. Many pages are deleted in several transactions, and
   * the categories in the last one: when one fails, delete the category again.
   *
   * @throws `category_not_empty` without `cascade`, `category_not_found`, `not_profile_owner`
   */
  delete(id: number, caller: Caller, options: { readonly cascade: boolean }): Promise<void>
  /**
   * Creates a category. Without a slug one is made from the name, with a number when it is taken. Of concurrent calls with
   * the same slug one succeeds.
   *
   * @throws `slug_taken` for a chosen slug, `too_many_categories`, `category_too_deep`, `unknown_category`,
   * `not_profile_owner`
   */
  create(draft: CategoryDraft, caller: Caller): Promise<PlacedCategory>
  /**
   * Changes the given fields. With another parent, everything below moves along, and former addresses redirect.
   *
   * @throws `category_not_found`, `slug_taken`, `category_cycle`, `category_too_deep`, `not_profile_owner`
   */
  update(id: number, edits: CategoryEdits, caller: Caller): Promise<PlacedCategory>
  /**
   * Returns the categories of a profile as a tree, and how many there are, to its team.
   *
   * @throws `profile_not_found`, `not_profile_owner`
   */
  tree(profileId: number, caller: Caller): Promise<{ roots: readonly CategoryNode[]; total: number }>
}

export interface ContentDraftsApi {
  /**
   * Returns the draft of a published page to those of its team who may edit it.
   *
   * @throws `draft_not_found`, `page_not_found`, `not_profile_owner`
   */
  get(pageId: number, caller: Caller): Promise<ProfileDraft>
  /**
   * Saves the given fields of the draft of a published page, and creates it if there is none. It changes nothing that others see,
   * emits no event and makes no version. Without `ifMatch` the last of concurrent calls wins, field by field.
   *
   * @throws `page_not_published` for a page of another status, `invalid_base_version`, `invalid_cover`; `precondition_failed` when
   * `ifMatch` does not name the revision of the draft; `page_not_found`, `not_profile_owner`, `file_quota_reached`
   */
  put(pageId: number, edits: DraftEdits, caller: Caller, ifMatch?: string): Promise<ProfileDraft>
  /**
   * Deletes the draft of a page.
   *
   * @throws `draft_not_found`, `page_not_found`, `not_profile_owner`, `precondition_failed` when `ifMatch` does not name its revision
   */
  delete(pageId: number, caller: Caller, ifMatch?: string): Promise<void>
  /**
   * Schedules the publication of a draft, at most a year ahead. It is published at most a minute late, also when its author has left the
   * team meanwhile; if the page was saved until then, the event `content.publication_failed` is emitted and the draft stays.
   *
   * @throws `in_the_past`, `too_far_ahead`; `precondition_failed` when the version of the page is not the base version of the draft;
   * `draft_not_found`, `page_not_published`, `page_not_found`, `not_profile_owner`
   */
  schedule(pageId: number, publishAt: Date, caller: Caller, ifMatch?: string): Promise<ProfileDraft>
  /**
   * Publishes the draft of a page as its next version and deletes it. Of concurrent calls exactly one succeeds.
   *
   * @throws `precondition_failed` when the version of the page is not the base version of the draft, or the draft was saved meanwhile;
   * `draft_not_found`, and what `pages.update` throws
   */
  publish(pageId: number, caller: Caller, ifMatch?: string): Promise<PlacedPage>
}

export interface ContentVersionsApi {
  /**
   * Returns one version of a page with its body.
   *
   * @throws `version_not_found`, `page_not_found`, `not_profile_owner`
   */
  get(pageId: number, version: number, caller: Caller): Promise<PageVersion>
  /**
   * Returns the stored versions of a page, newest first, to the team of its profile.
   *
   * @throws `page_not_found`, `not_profile_owner`, `invalid_cursor`
   */
  list(pageId: number, request: PageRequest, caller: Caller): Promise<ListPage<PageVersionOutline>>
  /**
   * Compares two versions of a page, in a worker thread. Version 0 is the empty page before the first one.
   *
   * @param from - Default: the stored version before `to`.
   * @throws `version_not_found`, `page_not_found`, `not_profile_owner`; `diff_busy` while too many comparisons run
   */
  diff(pageId: number, range: VersionRange, caller: Caller): Promise<VersionDiff>
  /**
   * Saves the title, body and excerpt of an earlier version as a new one. Status, slug and category stay as they are.
   *
   * @throws `version_not_found`, `precondition_failed` when `ifMatch` does not name the current version, and what
   * `pages.update` throws
   */
  restore(pageId: number, version: number, caller: Caller, ifMatch?: string): Promise<PlacedPage>
}

/** The methods of `app.eep.content`. */
export interface ContentApi {
  readonly pages: ContentPagesApi
  readonly categories: ContentCategoriesApi
  readonly drafts: ContentDraftsApi
  readonly versions: ContentVersionsApi
  /**
   * Orders the pages or categories of one place. The last of concurrent calls wins, as a whole; with `previousIds` the first.
   *
   * @throws `invalid_order` unless the ids are those of everything in the place, each once; `precondition_failed` when `previousIds` is not
   * its order; `unknown_category`, `not_profile_owner`
   */
  reorder(order: Order, caller: Caller): Promise<void>
}
