import type { AddedPart, PartSubject } from '../../../framework/module/profile-part.ts'
import { defineError } from '../../../kernel/errors.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { decodeCursor, encodeCursor, invalidCursor } from '../../../kernel/page.ts'
import type { StoredEvent } from '../../../ports/storage/events.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { type OptionalGroup, type Readers, storageUnavailable } from '../../../ports/storage/storage.ts'
import { withOwnDids } from './did.ts'
import { profileCreated, profileUpdated } from './events.ts'
import type { LinkKeys } from './link-keys.ts'
import { type OnPartFailure, safePart } from './safe-part.ts'
import { partSubject, publicParts } from './view.ts'

export const changelogExpired = defineError(
  'changelog_expired',
  410,
  'The changelog no longer contains this change; read it from the beginning',
)

/** One public change of a profile. */
export interface Change {
  readonly id: string
  /** The type of its event. */
  readonly type: string
  readonly at: string
  /** The fields of the profile that changed. */
  readonly fields?: readonly string[]
  readonly page?: { readonly id: number; readonly title: string; readonly url: string }
}

/** The requested part and order of a changelog. */
export interface ChangelogRequest {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly order: 'asc' | 'desc'
  /** The id of a change, or a time. Only later changes are returned. */
  readonly since?: string | undefined
}

export interface ChangelogPage {
  readonly changes: readonly Change[]
  readonly total: number
  readonly nextCursor: string | undefined
}

/** How far back a changelog reaches. */
const MAX_CHANGES = 1_000

/** The number of times it is read again when the gate changes while it is being read. */
const MAX_ATTEMPTS = 5

const NOT_PUBLIC = new Set(['email'])

/** What the parts of profiles say about their events. */
type ReadChange = (event: StoredEvent) => JsonObject | undefined

/** The public change of an event, or undefined. */
function changeOf(event: StoredEvent, ofParts: readonly ReadChange[]): Change | undefined {
  const { id, type, at, data } = event
  const base = { id, type, at: at.toISOString() }
  if (type === profileCreated.type) return base
  if (type === profileUpdated.type) {
    const fields = (Array.isArray(data.fields) ? data.fields : []).map(String).filter((field) => !NOT_PUBLIC.has(field))
    return fields.length > 0 ? { ...base, fields } : undefined
  }
  for (const readChange of ofParts) {
    const change = readChange(event)
    if (change) return { ...base, ...change, ...base }
  }
  return undefined
}

export interface ChangelogDeps {
  readonly read: Readers
  /** The types of events that are defined with `changelog: true`. */
  readonly types: readonly string[]
  readonly parts: readonly AddedPart[]
  readonly onPartFailure: OnPartFailure
  readonly linkKeys: LinkKeys
  readonly publicUrl: string
}

/** The public changes of a profile, newest first. */
export interface LoadedChanges {
  readonly changes: readonly Change[]
  /** Whether changes of a part are missing, because it failed. */
  readonly hasFailed: boolean
}

export const NO_CHANGES: LoadedChanges = { changes: [], hasFailed: false }

/**
 * The public changes of a profile, as far back as the changelog reaches. They are read under one version of its gate: what a part
 * adds after a change of the gate must not be shown under the previous version.
 */
export async function loadChanges(deps: ChangelogDeps, profile: Profile): Promise<LoadedChanges> {
  const { read, publicUrl, linkKeys } = deps
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const gate = await read.gates.get(profile.id)
    const gates = gate && withOwnDids(publicUrl, gate).config
    const loaded = await readUnderGate(deps, partSubject({ profile, gates, linkKeys }, publicUrl))
    const after = await read.gates.get(profile.id)
    if (after?.version === gate?.version) return loaded
  }
  throw storageUnavailable()
}

async function readUnderGate(
  { read, types, parts, onPartFailure }: ChangelogDeps,
  subject: PartSubject,
): Promise<LoadedChanges> {
  const { profile, gates } = subject
  const shown = publicParts({ parts, gates }).map((part) => safePart(part, onPartFailure))
  const [events, ofParts] = await Promise.all([
    read.changelog?.listLatest({ profileId: profile.id, types, limit: MAX_CHANGES }) ?? [],
    // A module is on only when the storage has its groups.
    Promise.all(shown.map((part) => part.readChanges(read as Readers<OptionalGroup>, subject))),
  ])
  const changes = events.flatMap((event) => changeOf(event, ofParts) ?? [])
  return { changes, hasFailed: shown.some((part) => part.hasFailed()) }
}

/** The changes after a change or a time. */
function later(changes: readonly Change[], since: string): readonly Change[] {
  const moment = /^\d{4}-/.test(since) ? Date.parse(since) : Number.NaN
  if (!Number.isNaN(moment)) return changes.filter(({ at }) => Date.parse(at) > moment)
  const index = changes.findIndex(({ id }) => id === since)
  if (index < 0) throw changelogExpired()
  return changes.slice(0, index)
}

/** The start of the page after a cursor. The change that it names may be missing, because its page is no longer public. */
function indexAfter(ordered: readonly Change[], order: ChangelogRequest['order'], cursor: string): number {
  const [madeIn, lastId, lastAt] = decodeCursor(cursor, ['string', 'string', 'number'])
  if (madeIn !== order) throw invalidCursor()
  const index = ordered.findIndex(({ id }) => id === lastId)
  if (index >= 0) return index + 1
  const isLater = ({ at }: Change) =>
    order === 'asc' ? Date.parse(at) > Number(lastAt) : Date.parse(at) < Number(lastAt)
  const next = ordered.findIndex(isLater)
  return next < 0 ? ordered.length : next
}

/**
 * One page of changes that are given newest first. A cursor is only valid for the order it was created with.
 *
 * @throws `invalid_cursor`, `changelog_expired`
 */
export function pageOfChanges(newestFirst: readonly Change[], request: ChangelogRequest): ChangelogPage {
  const { limit, cursor, order, since } = request
  const wanted = since === undefined ? newestFirst : later(newestFirst, since)
  const ordered = order === 'desc' ? wanted : wanted.toReversed()
  const rest = cursor === undefined ? ordered : ordered.slice(indexAfter(ordered, order, cursor))
  const changes = rest.slice(0, limit)
  const last = changes.at(-1)
  return {
    changes,
    total: wanted.length,
    nextCursor: rest.length > limit && last ? encodeCursor([order, last.id, Date.parse(last.at)]) : undefined,
  }
}
