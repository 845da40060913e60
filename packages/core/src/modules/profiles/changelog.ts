import type { EventReader, StoredEvent } from '../../events/store.ts'
import type { PublicDocument } from '../../http/document.ts'
import { CACHE_CONTROL, robotsOf } from '../../http/visibility-headers.ts'
import { documentOf, inline, link, list } from '../../kernel/markdown.ts'
import { decodeCursor, encodeCursor } from '../../kernel/page.ts'
import { changelogHtml } from './changelog-html.ts'
import { didOf, profilePath } from './did.ts'
import type { PUBLIC_EVENTS } from './public-events.ts'
import { urlsOf } from './record.ts'
import type { ProfileView } from './view.ts'

/** One public fact about the past of a profile. */
export interface Change {
  readonly id: string
  readonly type: (typeof PUBLIC_EVENTS)[number]
  readonly at: string
  /** Which fields of the profile changed. */
  readonly fields?: readonly string[]
  readonly page?: { readonly id: number; readonly title: string; readonly url: string }
}

export interface ChangelogPage {
  readonly changes: readonly Change[]
  readonly nextCursor: string | undefined
}

const BATCH = 200
const MAX_BATCHES = 5
const NOT_PUBLIC = new Set(['email'])

/**
 * What an event tells everybody, or nothing. A page is named as it is now and only while everybody may know of it, so
 * that what was withdrawn does not live on here.
 */
function changeOf({ id, type, at, data }: StoredEvent, view: ProfileView, publicUrl: string): Change | undefined {
  const base = { id, at: at.toISOString() }
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
      const entry = view.contents.find(({ page }) => page.id === data.pageId)
      if (!entry || data.status !== 'published') return undefined
      const { page, path } = entry
      return {
        ...base,
        type,
        page: { id: page.id, title: page.title, url: `${urlsOf(publicUrl, view.profile).contents}/${path}` },
      }
    }
    default:
      return undefined
  }
}

/** The public changes of a profile behind a cursor, oldest first. It reads a bounded part of the log at a time. */
export async function readChangelog(
  events: EventReader,
  view: ProfileView,
  request: { readonly limit: number; readonly cursor?: string | undefined },
  publicUrl: string,
): Promise<ChangelogPage> {
  let after = request.cursor === undefined ? 0 : Number(decodeCursor(request.cursor, ['number'])[0])
  const changes: Change[] = []
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const found = await events.list({ after, limit: BATCH, profileId: view.profile.id })
    for (const event of found) {
      const change = changeOf(event, view, publicUrl)
      if (change && changes.length === request.limit) return { changes, nextCursor: encodeCursor([after]) }
      if (change) changes.push(change)
      after = event.position
    }
    if (found.length < BATCH) return { changes, nextCursor: undefined }
  }
  return { changes, nextCursor: encodeCursor([after]) }
}

function sentence({ at, type, fields = [], page }: Change): string {
  if (page) return `${at} Page saved: ${link(page.title, page.url)}`
  return type === 'profiles.profile_created'
    ? `${at} Profile created`
    : `${at} Profile updated: ${fields.map(inline).join(', ')}`
}

/** The changelog of a profile as a public document. */
export function changelogDocument(
  { profile }: ProfileView,
  { changes, nextCursor }: ChangelogPage,
  publicUrl: string,
): PublicDocument {
  const path = `${profilePath(profile)}/changelog`
  const next = nextCursor === undefined ? undefined : `${path}?cursor=${nextCursor}`
  return {
    data: {
      data: changes.map((change) => ({ ...change })),
      pagination: {
        has_more: nextCursor !== undefined,
        ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
      },
    },
    markdown: () => {
      const title = `# Changelog of ${inline(profile.fullName ?? profile.username)}`
      const body = changes.length > 0 ? list(changes.map(sentence)) : 'Nothing yet.'
      return documentOf(title, body, next ? link('More', `${publicUrl}${next}`) : '')
    },
    html: (site) => changelogHtml(profile, changes, next, site),
    headers: { 'eep-entity-did': didOf(publicUrl, profile), ...robotsOf(profile.visibility) },
    links: [{ rel: 'up', href: profilePath(profile) }, ...(next ? [{ rel: 'next', href: next }] : [])],
    cacheControl: CACHE_CONTROL[profile.visibility],
  }
}
