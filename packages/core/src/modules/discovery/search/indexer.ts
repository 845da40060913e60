import { setTimeout as sleep } from 'node:timers/promises'
import type { SearchSource } from '../../../framework/module/search-source.ts'
import { allPages } from '../../../kernel/all-pages.ts'
import { createSemaphore } from '../../../kernel/semaphore.ts'
import {
  SEARCH_KINDS,
  type SearchDocument,
  type SearchIndex,
  type SearchKind,
  type SearchRebuild,
} from '../../../ports/search-index.ts'
import { compareCursors, LOG_START, type StoredEvent } from '../../../ports/storage/events.ts'
import type { SearchRefs } from '../../../ports/storage/search.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { TransactionalHandler } from '../../../runtime/consumers/durable.ts'
import type { Embedding } from './embedding.ts'
import { reindexRequested } from './events.ts'
import { createIndexDocuments, type IndexDocuments } from './index-documents.ts'
import { isOutdated } from './is-outdated.ts'
import { BODY_CHARACTERS, changedPartitions, documentOf } from './partition-documents.ts'
import { passagesOf } from './passages.ts'
import { createReindexQueue } from './reindex-queue.ts'
import { documentsOf, keysOf } from './search-documents.ts'

export interface IndexerDeps {
  readonly read: Readers<'searchSources'>
  readonly index: SearchIndex
  /** The documents of modules for their partitions. */
  readonly sources: readonly SearchSource[]
  /** The embedder that the index is built for. */
  readonly embedderId: string | undefined
  readonly embedding: Pick<Embedding, 'fill' | 'wake'> | undefined
  readonly onError: (error: unknown) => void
  /** The pause before a failed rebuild is started again. Default: 10 seconds. */
  readonly retryMs?: number | undefined
  /** How long a large profile is not indexed again as a whole. Default: 30 seconds. */
  readonly restMs?: number | undefined
}

/** The number of sources to read and index in one step. */
const BATCH = 100
/** The number of sources that a rebuild reads and indexes in one turn, in batches. Events wait for the turn. */
const REBUILD_BATCH = 300

type Changes = { readonly [Kind in SearchKind]: Set<number> }

/** The sources that the events of a batch affect. */
interface Affected {
  readonly refs: Changes
  /** Profiles to index with all of their sources of some kinds. */
  readonly profiles: Map<number, Set<SearchKind>>
  readonly accounts: Set<string>
  isRebuildRequested: boolean
}

const NUMBERS: Readonly<Record<string, readonly [SearchKind, string]>> = {
  'content.page_saved': ['page', 'pageId'],
  'content.page_deleted': ['page', 'pageId'],
  'content.page_hidden': ['page', 'pageId'],
  'content.page_revealed': ['page', 'pageId'],
  'feed.post_published': ['post', 'postId'],
  'feed.post_removed': ['post', 'postId'],
  'files.file_stored': ['file', 'fileId'],
  'files.file_updated': ['file', 'fileId'],
  'files.file_deleted': ['file', 'fileId'],
  'files.text_extracted': ['file', 'fileId'],
}

/** After these events, all sources of the profile are indexed again, because visibility or rank may have changed. */
const OF_PROFILE = new Set([
  // A profile that was imported has contents.
  'profiles.profile_created',
  'trust.level_changed',
  'profiles.profile_deleted',
  'profiles.profile_withdrawn',
  'profiles.profile_restored',
  'profiles.profile_purged',
])

/** A small profile is deleted with its event, a large one is hidden first and purged later. */
const OF_DELETED = new Set(['profiles.profile_deleted', 'profiles.profile_purged'])

const OF_PROFILE_ALONE = new Set(['profiles.did_changed'])

const OF_ACCOUNT = new Set(['accounts.account_banned', 'accounts.account_unbanned'])

/** The kinds of sources that gates can close. */
const GATED_KINDS = ['profile', 'page', 'file'] as const satisfies readonly SearchKind[]

/** Returns the kinds of sources of its profile that an event changes all of. */
function kindsChangedBy({ type, data }: StoredEvent): readonly SearchKind[] {
  if (OF_PROFILE.has(type)) return SEARCH_KINDS
  if (type === 'profiles.profile_updated' && data.visibility !== undefined) return SEARCH_KINDS
  if (type === 'gates.config_changed' && data.isAccessChanged) return GATED_KINDS
  // Gates name pages by their paths.
  return type === 'content.category_saved' && data.isMoved === true ? ['page'] : []
}

function addProfile(profiles: Affected['profiles'], profileId: number, kinds: readonly SearchKind[]): void {
  if (kinds.length > 0) profiles.set(profileId, new Set([...(profiles.get(profileId) ?? []), ...kinds]))
}

function affectedBy(events: readonly StoredEvent[]): Affected {
  const affected: Affected = {
    refs: { profile: new Set(), page: new Set(), post: new Set(), file: new Set() },
    profiles: new Map(),
    accounts: new Set(),
    isRebuildRequested: false,
  }
  for (const event of events) {
    const { type, profileId, data, accountId } = event
    const [kind, property = ''] = NUMBERS[type] ?? []
    const id = Number(data[property])
    if (kind && Number.isSafeInteger(id)) affected.refs[kind].add(id)
    if (type === reindexRequested.type) affected.isRebuildRequested = true
    if (OF_ACCOUNT.has(type)) {
      const { accountId: about = accountId } = data as { readonly accountId?: string | null }
      if (typeof about === 'string') affected.accounts.add(about)
    }
    if (profileId === null) continue
    addProfile(affected.profiles, profileId, kindsChangedBy(event))
    const isAlone = type === 'profiles.profile_updated' && data.visibility === undefined
    if (isAlone || OF_PROFILE_ALONE.has(type)) affected.refs.profile.add(profileId)
  }
  return affected
}

function* inBatches<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += BATCH) yield items.slice(start, start + BATCH)
}

/**
 * Keeps the index up to date with the event log, on one instance at a time, with each event handled at least once. Sources are
 * read when an event is handled, so repeated and late events are harmless.
 */
export function createIndexer({ read, index, sources, embedderId, embedding, onError, ...deps }: IndexerDeps) {
  const { retryMs = 10_000, restMs } = deps
  const { searchSources } = read
  const createPut = () => createIndexDocuments({ ping: () => index.ping(), onError })
  const putChanged = createPut()
  /** Serializes reading and indexing, so that no older state replaces a newer one. */
  const turns = createSemaphore(1)
  let rebuilding: Promise<void> | undefined
  let requested = 0
  const stopping = new AbortController()
  let isStopped = false
  let hasLooked = false
  /** The last event of which everything is handled or queued, and the position that was stored last. */
  let [latest, marked]: [latest?: string, marked?: string] = []

  const withPassages = (documents: readonly SearchDocument[]): readonly SearchDocument[] =>
    embedding ? documents.map((document) => ({ ...document, passages: passagesOf(document) })) : documents

  const sourcesOf = async (refs: SearchRefs): Promise<readonly SearchDocument[]> =>
    withPassages((await searchSources.listListed(refs, BODY_CHARACTERS)).flatMap(documentsOf))

  /** Updates the documents of at most a batch of ids, and returns the documents that remain. */
  const update = (kind: SearchKind, ids: readonly number[]): Promise<readonly SearchDocument[]> =>
    turns.run(undefined, async () => {
      const documents = await sourcesOf({ [kind]: ids })
      const present = new Set(documents.map(({ key }) => key))
      const gone = ids.flatMap((id) => keysOf(kind, id)).filter((key) => !present.has(key))
      await index.remove({ keys: gone })
      await putChanged(documents, (each) => index.put(each))
      return documents
    })

  /** Updates the documents of some ids. */
  async function refresh(kind: SearchKind, ids: readonly number[], signal: AbortSignal): Promise<void> {
    for (const batch of inBatches(ids)) {
      // An event may name many. The next process handles it again.
      signal.throwIfAborted()
      await update(kind, batch)
    }
  }

  /** Stores the position, unless an earlier event is in work. It never moves back. */
  const mark = () =>
    turns.run(undefined, async () => {
      const position = queue.promptSince() ?? latest
      if (position === undefined || (marked !== undefined && compareCursors(position, marked) <= 0)) return
      await index.mark(position)
      marked = position
    })

  const queue = createReindexQueue({
    async index({ kind, ...request }) {
      const ids = await searchSources.listIds(kind, request)
      const documents = ids.length > 0 ? await update(kind, ids) : []
      return { ids, characters: documents.reduce((sum, { excerpt, body }) => sum + excerpt.length + body.length, 0) }
    },
    settled: mark,
    onError,
    retryMs,
    restMs,
  })

  /** Calls a function with the ids of a kind. */
  async function eachBatch(kind: SearchKind, work: (ids: readonly number[]) => Promise<void>) {
    for (let after = 0; !isStopped; ) {
      const ids = await searchSources.listIds(kind, { after, limit: REBUILD_BATCH })
      if (ids.length > 0) await work(ids)
      if (ids.length < REBUILD_BATCH) return
      after = ids.at(-1) ?? after
    }
  }

  /** Updates documents of modules. */
  async function refreshPartitions(events: readonly StoredEvent[], signal: AbortSignal): Promise<void> {
    const { documents: changed, deleted } = changedPartitions(sources, events, onError)
    for (const { source, partition, keys } of changed) {
      for (const batch of inBatches(keys)) {
        signal.throwIfAborted()
        await turns.run(undefined, async () => {
          const documents = (await source.listDocuments(partition, batch)).map((each) => documentOf(partition, each))
          const present = new Set(documents.map(({ key }) => key))
          await index.remove({ keys: batch.filter((key) => !present.has(key)), partition })
          await putChanged(withPassages(documents), (each) => index.put(each))
        })
      }
    }
    if (deleted.length > 0) await turns.run(undefined, () => index.remove({ partitions: deleted }))
    // Also from partitions of modules that are off.
    const profileIds = events.flatMap(({ type, profileId }) =>
      OF_DELETED.has(type) && profileId !== null ? profileId : [],
    )
    if (profileIds.length > 0) await turns.run(undefined, () => index.remove({ profileIds, allPartitions: true }))
  }

  /** Removes the documents of those profiles that are not shown any more, and queues the others. */
  async function refreshProfiles(profiles: Affected['profiles'], after: string, signal: AbortSignal): Promise<void> {
    for (const batch of inBatches([...profiles.keys()])) {
      signal.throwIfAborted()
      await turns.run(undefined, async () => {
        const listed = await searchSources.listListed({ profile: batch }, 0)
        const shown = new Set(listed.map(({ id }) => id))
        const hidden = batch.filter((id) => !shown.has(id))
        // Their rows may be deleted, so their ids are unknown.
        if (hidden.length > 0) await index.remove({ profileIds: hidden })
        for (const id of hidden) queue.remove(id)
        for (const id of shown) queue.add(id, profiles.get(id) ?? [], after)
      })
    }
  }

  const begin = () => turns.run(undefined, () => index.rebuild(embedderId))

  /** Adds sources to a rebuild. Reads the next batch while the previous one is indexed. */
  async function rebuildSources(
    next: SearchRebuild,
    indexDocuments: IndexDocuments,
    kind: SearchKind,
    ids: readonly number[],
  ): Promise<void> {
    let documents: readonly SearchDocument[] = []
    for (const batch of [...inBatches(ids), []]) {
      const putting = indexDocuments(documents, (each) => next.put(each))
      const [read] = await Promise.all([batch.length > 0 ? sourcesOf({ [kind]: batch }) : [], putting])
      documents = read
    }
  }

  async function rebuildPartitions(
    next: SearchRebuild,
    indexDocuments: IndexDocuments,
    source: SearchSource,
  ): Promise<void> {
    for (let cursor: string | undefined; !isStopped; ) {
      cursor = await turns.run(undefined, async () => {
        const { items, nextCursor } = await source.listAll(cursor)
        const documents = items.map(({ partition, document }) => documentOf(partition, document))
        await indexDocuments(withPassages(documents), (each) => next.put(each))
        return nextCursor
      })
      if (cursor === undefined) return
    }
  }

  async function finish(next: SearchRebuild, indexDocuments: IndexDocuments): Promise<void> {
    for (const kind of SEARCH_KINDS) {
      const work = (ids: readonly number[]) =>
        turns.run(undefined, () => rebuildSources(next, indexDocuments, kind, ids))
      await eachBatch(kind, work)
    }
    for (const source of sources) await rebuildPartitions(next, indexDocuments, source)
    // Queries use the old vectors meanwhile. An embedder that fails does not hold up the rebuild.
    if (!isStopped) await embedding?.fill()
    // An unfinished rebuild restarts when an instance gets the lease.
    if (!isStopped) await turns.run(undefined, () => next.commit())
  }

  /**
   * Starts a rebuild, and finishes it in the background while new events are applied to both indexes. A failed rebuild
   * is started again, until another one is requested.
   */
  async function startRebuild(): Promise<void> {
    requested += 1
    const number = requested
    let next: SearchRebuild | undefined = await begin()
    const indexDocuments = createPut()
    const before = rebuilding
    rebuilding = (async () => {
      await before
      while (!isStopped && number === requested) {
        try {
          next ??= await begin()
          return await finish(next, indexDocuments)
        } catch (error) {
          if (number !== requested) return
          onError(error)
          next = undefined
          await sleep(retryMs, undefined, { signal: stopping.signal }).catch(() => {})
        }
      }
    })()
  }

  /** Whether the log cannot complete the index. An empty service has nothing to index. */
  const needsRebuild = async () =>
    (await isOutdated(index, embedderId, read)) && (await read.events.head()) !== LOG_START

  async function handle(events: readonly StoredEvent[], signal: AbortSignal, after: string): Promise<void> {
    // The first events of a new service.
    const isForAnother = !hasLooked && (await index.stats()).embedderId !== embedderId
    const { refs, profiles, accounts, isRebuildRequested } = affectedBy(events)
    for (const accountId of accounts) {
      for await (const { id } of allPages((page) => read.profiles.listOfAccount(accountId, page))) {
        addProfile(profiles, id, SEARCH_KINDS)
      }
    }
    await refreshProfiles(profiles, after, signal)
    for (const kind of SEARCH_KINDS) await refresh(kind, [...refs[kind]], signal)
    await refreshPartitions(events, signal)
    // Started before the position advances, so that a crash in between loses no request.
    if (isRebuildRequested || isForAnother) await startRebuild()
    hasLooked = true
    latest = events.at(-1)?.cursor ?? latest
    await mark()
    embedding?.wake()
  }

  const handler: TransactionalHandler = {
    async prepare(events, signal, after) {
      await handle(events, signal, after)
      return undefined
    },
    async leased(cursor) {
      const { isRebuilding } = await index.stats()
      // An instance that was rebuilding has ended, or has lost the lease.
      if (!isRebuilding && !(await needsRebuild())) return
      await startRebuild()
      hasLooked = true
      latest = cursor
      marked = undefined
      await mark()
    },
    lost() {
      // The next holder of the lease starts the rebuild again, and gets the events of what is queued.
      requested += 1
      queue.clear()
      latest = marked = undefined
    },
    pendingSince: () => queue.pendingSince(),
  }

  return {
    handler,
    /** Stops work in the background and waits for its end. The next process continues it. */
    async stop() {
      isStopped = true
      stopping.abort()
      await Promise.all([queue.stop(), rebuilding])
    },
  }
}
