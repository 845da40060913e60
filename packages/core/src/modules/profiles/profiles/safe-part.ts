import { validateHeaderValue } from 'node:http'
import type {
  AddedPart,
  PartLinks,
  PartReader,
  PartSubject,
  ProfilePart,
} from '../../../framework/module/profile-part.ts'
import { linkHeader } from '../../../http/documents/links.ts'
import type { Html } from '../../../http/html/html.ts'
import type { Site } from '../../../http/html/view.ts'
import { isEepError } from '../../../kernel/errors.ts'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { within } from '../../../kernel/within.ts'
import type { PageLanguage } from '../../../model/messages.ts'
import type { StoredEvent } from '../../../ports/storage/events.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { type OptionalGroup, type Readers, storageUnavailable } from '../../../ports/storage/storage.ts'
import { changeDetails } from './schemas.ts'

/** How long the reads of a part of a host's module may take. */
const READ_TIMEOUT_MS = 5_000

/** Receives the error of a part of a profile that was left out, once for each of its functions. */
export type OnPartFailure = (error: unknown, of: { readonly part: string; readonly module: string }) => void

/** What a failed function of a part returns instead. */
const NO_LINKS: PartLinks = {}

type Items = readonly unknown[]

/** A part of profiles whose functions do not throw: what fails is left out. Only an unavailable storage fails its reads. */
export interface SafePart extends Pick<ProfilePart, 'key' | 'after'> {
  readonly resource: string | undefined
  /** Whether readers see different items. */
  readonly dependsOnReader: boolean
  /** Whether a function failed. */
  hasFailed(): boolean
  /** Reads the items of a profile; undefined when that failed. */
  load(read: Readers<OptionalGroup>, profile: Profile): Promise<Items | undefined>
  /** Reads the items of several profiles; undefined when dashboards do not have the part, or it failed. */
  loadMany(read: Readers<OptionalGroup>, profiles: readonly Profile[]): Promise<ReadonlyMap<number, Items> | undefined>
  readChanges(
    read: Readers<OptionalGroup>,
    subject: PartSubject,
  ): Promise<(event: StoredEvent) => JsonObject | undefined>
  title(page: PageLanguage): string | undefined
  /** The items that a reader sees. */
  select(items: Items, reader: PartReader): Items
  /** Whether only the team sees an item; also when that is not known. */
  isForTeam(item: unknown): boolean
  json(items: Items, subject: PartSubject): Json | undefined
  markdown(items: Items, subject: PartSubject): string
  html(items: Items, subject: PartSubject, site: Site): Html | false | undefined
  links(items: Items, subject: PartSubject): PartLinks
  updatedAt(item: unknown): Date | undefined
}

/** Wraps a part of profiles for one read of a profile. */
export function safePart({ part, module, isOfHost }: AddedPart, onFailure: OnPartFailure): SafePart {
  const { key, after, resource, limit } = part
  const failed = new Set<string>()

  function fail(name: string, error: unknown): void {
    if (failed.has(name)) return
    failed.add(name)
    onFailure(error, { part: key, module })
  }

  function attempt<Value>(
    name: keyof ProfilePart | 'select' | 'isForTeam',
    work: () => Value,
    otherwise: Value,
  ): Value {
    try {
      return work()
    } catch (error) {
      fail(name, error)
      return otherwise
    }
  }

  async function attemptRead<Value>(
    name: 'load' | 'loadMany' | 'readChanges',
    work: () => Promise<Value> | undefined,
  ): Promise<Value | undefined> {
    try {
      const reading = work()
      return await (isOfHost && reading ? within(reading, READ_TIMEOUT_MS) : reading)
    } catch (error) {
      if (isEepError(error) && error.code === storageUnavailable.code) throw error
      fail(name, error)
      return undefined
    }
  }

  // Only the types of core's parts are checked, and JSON without a representation would fail with the whole document.
  const plain = <Value extends Json>(value: Value): Value => (isOfHost ? JSON.parse(JSON.stringify(value)) : value)

  function checkedChange(change: JsonObject | undefined): JsonObject | undefined {
    if (change && isOfHost) changeDetails.parse(change)
    return change && plain(change)
  }

  function checkedLinks({ record = {}, eep = {}, header = [], feedPath }: PartLinks): PartLinks {
    validateHeaderValue('link', linkHeader(header, ''))
    return { record: plain(record), eep: plain(eep), header, feedPath }
  }

  return {
    key,
    after,
    resource,
    dependsOnReader: part.forReaders !== undefined,
    hasFailed: () => failed.size > 0,
    load: (read, profile) => attemptRead('load', async () => (await part.load(read, profile, limit)).slice(0, limit)),
    loadMany: (read, profiles) => attemptRead('loadMany', () => part.loadMany?.(read, profiles, limit)),
    async readChanges(read, subject) {
      const readChange = await attemptRead('readChanges', () => part.readChanges?.(read, subject))
      return (event) => attempt('readChanges', () => checkedChange(readChange?.(event)), undefined)
    },
    title: (page) => attempt('title', () => part.title(page), undefined),
    select: (items, reader) =>
      attempt<Items>('select', () => (part.forReaders ? [...part.forReaders.select(items, reader)] : items), []),
    isForTeam: (item) => attempt('isForTeam', () => part.forReaders?.isForTeam(item) === true, true),
    json: (items, subject) => attempt('json', () => part.json && plain(part.json(items, subject)), undefined),
    markdown: (items, subject) => attempt('markdown', () => part.markdown?.(items, subject) ?? '', ''),
    html: (items, subject, site) => attempt('html', () => part.html?.(items, subject, site), undefined),
    links: (items, subject) => attempt('links', () => checkedLinks(part.links?.(items, subject) ?? NO_LINKS), NO_LINKS),
    updatedAt: (item) =>
      attempt(
        'updatedAt',
        () => {
          const at = part.updatedAt?.(item)
          if (at && Number.isNaN(at.getTime())) throw new TypeError('updatedAt returned an invalid date')
          return at
        },
        undefined,
      ),
  }
}
