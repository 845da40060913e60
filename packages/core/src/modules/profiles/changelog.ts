import type { StoredEvent } from '../../events/store.ts'
import { defineError } from '../../kernel/errors.ts'
import { decodeCursor, encodeCursor, invalidCursor } from '../../kernel/page.ts'
import type { Readers } from '../../ports/storage.ts'
import { type ContentsEntry, publicContents } from './contents.ts'
import { PUBLIC_EVENTS } from './public-events.ts'
import { urlsOf } from './record.ts'
import type { Profile } from './store.ts'

export const changeNotKept = defineError(
  'change_not_kept',
  410,
  'The changelog does not reach back to this change; read it from its beginning',
)

/** One public fact about the past of a profile. */
export interface Change {
  readonly id: string
  readonly type: (typeof PUBLIC_EVENTS)[number]
  readonly at: string
  /** Which fields of the profile changed. */
  readonly fields?: readonly string[]
  readonly page?: { readonly id: number; readonly title: string; readonly url: string }
  /** Its place in the log; it orders changes and is not told. */
  readonly position: number
}

/** Which part of a changelog, and in which order. */
export interface ChangelogRequest {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly order: 'asc' | 'desc'
  /** The id of a change, or a moment: only what came later. */
  readonly since?: string | undefined
}

export interface ChangelogPage {
  readonly changes: readonly Change[]
  readonly total: number
  readonly nextCursor: string | undefined
}

/** How far back a changelog reaches. */
const MAX_CHANGES = 1_000
/** How many pages it can name. */
const MAX_PAGES = 1_000

const NOT_PUBLIC = new Set(['email'])

/**
 * What an event tells everybody, or nothing. A page is named as it is now and only while everybody may know of it, so
 * that what was withdrawn does not live on here.
 */
function changeOf(
  { id, type, at, data, position }: StoredEvent,
  pages: ReadonlyMap<unknown, ContentsEntry>,
  contentsUrl: string,
): Change | undefined {
  const base = { id, at: at.toISOString(), position }
  switch (type) {
    case 'profiles.profile_created':
      return { ...base, type }
    case 'profiles.profile_updated': {
      const fields = (Array.isArray(data.fields) ? data.fields : [])
        .map(String)
        .filter((field) => !NOT_PUBLIC.has(field))
      return fields.length > 0 ? { ...base, type, fields } : undefined
    }
    case 'content.page_saved': {
      const entry = pages.get(data.pageId)
      if (!entry || data.status !== 'published') return undefined
      const { page, path } = entry
      return { ...base, type, page: { id: page.id, title: page.title, url: `${contentsUrl}/${path}` } }
    }
    default:
      return undefined
  }
}

/** The public changes of a profile, newest first, as far back as the changelog reaches. */
export async function loadChanges(read: Readers, profile: Profile, publicUrl: string): Promise<readonly Change[]> {
  const [events, categories, pages] = await Promise.all([
    read.events.listLatest({ profileId: profile.id, types: PUBLIC_EVENTS, limit: MAX_CHANGES }),
    read.categories.listOfProfile(profile.id),
    read.pages.listOutline(profile.id, { status: 'published', limit: MAX_PAGES }),
  ])
  const byId = new Map(publicContents(categories, pages.items).map((entry) => [entry.page.id, entry]))
  const { contents } = urlsOf(publicUrl, profile)
  return events.flatMap((event) => changeOf(event, byId, contents) ?? [])
}

/** What came later than a change or a moment. */
function later(changes: readonly Change[], since: string): readonly Change[] {
  const moment = /^\d{4}-/.test(since) ? Date.parse(since) : Number.NaN
  if (!Number.isNaN(moment)) return changes.filter(({ at }) => Date.parse(at) > moment)
  const index = changes.findIndex(({ id }) => id === since)
  if (index < 0) throw changeNotKept()
  return changes.slice(0, index)
}

/**
 * One page of changes that are given newest first. A cursor belongs to the order it was made in.
 *
 * @throws `invalid_cursor`, `change_not_kept`
 */
export function pageOfChanges(newestFirst: readonly Change[], request: ChangelogRequest): ChangelogPage {
  const { limit, cursor, order, since } = request
  const wanted = since === undefined ? newestFirst : later(newestFirst, since)
  const ordered = order === 'desc' ? wanted : wanted.toReversed()
  const sign = order === 'desc' ? -1 : 1
  const behind = cursor === undefined ? undefined : Number(decodeCursor(cursor, ['number'])[0])
  if (behind !== undefined && sign * behind < 0) throw invalidCursor()
  const rest = behind === undefined ? ordered : ordered.filter(({ position }) => sign * position > behind)
  const changes = rest.slice(0, limit)
  const last = changes.at(-1)
  return {
    changes,
    total: wanted.length,
    nextCursor: rest.length > limit && last ? encodeCursor([sign * last.position]) : undefined,
  }
}
