import { isEepError } from '../../../../kernel/errors.ts'
import type { Caller } from '../../../../model/caller.ts'
import type { ContentPage } from '../../../../ports/storage/content.ts'
import {
  type ContentService,
  draftNotFound,
  draftTag,
  NO_DRAFT,
  type PlacedPage,
  type ProfileDraft,
  pageNotFound,
  versionTag,
} from '../../../publishing/content/index.ts'

/** A page with the text that its team writes: that of its draft, if it is published and has one. */
export interface EditedPage {
  readonly placed: PlacedPage
  readonly draft: ProfileDraft | undefined
  readonly text: Pick<ContentPage, 'title' | 'body' | 'excerpt' | 'coverFileId'>
  /** Names what the text was read as; a save with another one is refused. */
  readonly tag: string
  /** When the page, or its draft, will be published; null when that is not scheduled. */
  readonly publishAt: Date | null
}

/** The text that a form saves. */
export interface SentText {
  readonly title: string
  readonly body: string
  readonly excerpt: string | null
}

async function draftOf({ drafts }: Pick<ContentService, 'drafts'>, pageId: number, caller: Caller) {
  try {
    return await drafts.get(pageId, caller)
  } catch (error) {
    if (isEepError(error) && error.code === draftNotFound.code) return undefined
    throw error
  }
}

/**
 * Reads a page for the editor.
 *
 * @param hasDrafts - whether the storage has drafts of published pages. Without them, a save of a published page publishes it
 * @throws `page_not_found` also for a page of another profile
 */
export async function readEdited(
  content: Pick<ContentService, 'pages' | 'drafts'>,
  { profileId, pageId }: { readonly profileId: number; readonly pageId: number },
  caller: Caller,
  hasDrafts: boolean,
): Promise<EditedPage> {
  const placed = await content.pages.get(pageId, caller)
  const { page } = placed
  if (page.profileId !== profileId) throw pageNotFound()
  const isDrafted = hasDrafts && page.status === 'published'
  const draft = isDrafted ? await draftOf(content, pageId, caller) : undefined
  const tag = draft ? draftTag(draft.draft) : isDrafted ? NO_DRAFT : versionTag(page.version)
  return { placed, draft, text: draft?.draft ?? page, tag, publishAt: draft ? draft.publishAt : placed.publishAt }
}

/**
 * Saves a text: in the draft of a published page, else in the page itself. Readers of a published page see it when it is published.
 *
 * @returns the tag of what was saved
 * @throws `precondition_failed` when the text was saved meanwhile
 */
export async function saveText(
  content: Pick<ContentService, 'pages' | 'drafts'>,
  { placed: { page } }: Pick<EditedPage, 'placed'>,
  text: Partial<SentText> & {
    readonly coverFileId?: number | null | undefined
    readonly publishAt?: Date | null | undefined
  },
  caller: Caller,
  { tag, hasDrafts }: { readonly tag: string; readonly hasDrafts: boolean },
): Promise<string> {
  if (hasDrafts && page.status === 'published') {
    return draftTag((await content.drafts.put(page.id, text, caller, tag)).draft)
  }
  return versionTag((await content.pages.update(page.id, text, caller, { ifMatch: tag })).page.version)
}
