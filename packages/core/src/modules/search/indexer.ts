import { setTimeout as sleep } from 'node:timers/promises'
import type { TransactionalHandler } from '../../consumers/durable.ts'
import { createSemaphore } from '../../kernel/semaphore.ts'
import type { SearchSource } from '../../module/search-source.ts'
import {
  SEARCH_KINDS,
  type SearchDocument,
  type SearchIndex,
  type SearchKind,
  type SearchRebuild,
} from '../../ports/search-index.ts'
import { LOG_START, type StoredEvent } from '../../ports/storage/events.ts'
import type { SearchRefs } from '../../ports/storage/search.ts'
import type { Readers } from '../../ports/storage/storage.ts'
import type { Embedding } from './embedding.ts'
import { reindexRequested } from './events.ts'
import { isOutdated } from './is-outdated.ts'
import { BODY_CHARACTERS, changedPartitions, documentOf } from './partition-documents.ts'
import { passagesOf } from './passages.ts'
import { createPutDocuments, type PutDocuments } from './put-documents.ts'
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
}

/** The number of sources to read and index in one step. */
const BATCH = 100
/** The number of sources that a rebuild reads and indexes in one turn, in batches. Events wait for the turn. */
const REBUILD_BATCH = 300
const PROFILES_A_PAGE = 100

type Changes = { readonly [Kind in SearchKind]: Set<number> }

/** The sources that the events of a batch affect. */
interface Affected {
  readonly refs: Changes
  /** Profiles to index with all of their sources. */
  readonly profiles: Set<number>
  /** Profiles to index with all of their pages, because gates name pages by their paths. */
  readonly moved: Set<number>
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
  'files.file_deleted': ['file', 'fileId'],
  'files.text_extracted': ['file', 'fileId'],
}

/** After these events, all sources of the profile are indexed again, because visibility, access or rank may have changed. */
const OF_PROFILE = new Set([
  // A profile that was imported has contents.
  'profiles.profile_created',
  'trust.level_changed',
  'gates.config_changed',
  'profiles.profile_deleted',
  'profiles.profile_withdrawn',
  'profiles.profile_restored',
  'profiles.profile_purged',
])

const OF_PROFILE_ALONE = new Set(['profiles.did_changed'])

const OF_ACCOUNT = new Set(['accounts.account_banned', 'accounts.account_unbanned'])

function affectedBy(events: readonly StoredEvent[]): Affected {
  const affected: Affected = {
    refs: { profile: new Set(), page: new Set(), post: new Set(), file: new Set() },
    profiles: new Set(),
    moved: new Set(),
    accounts: new Set(),
    isRebuildRequested: false,
  }
  for (const { type, profileId, data, accountId } of events) {
    const [kind, property = ''] = NUMBERS[type] ?? []
    const id = Number(data[property])
    if (kind && Number.isSafeInteger(id)) affected.refs[kind].add(id)
    if (type === reindexRequested.type) affected.isRebuildRequested = true
    if (OF_ACCOUNT.has(type)) {
      const { accountId: about = accountId } = data as { readonly accountId?: string | null }
      if (typeof about === 'string') affected.accounts.add(about)
    }
    if (profileId === null) continue
    if (OF_PROFILE.has(type)) affected.profiles.add(profileId)
    if (OF_PROFILE_ALONE.has(type)) affected.refs.profile.add(profileId)
    if (type === 'content.category_saved' && data.isMoved === true) affected.moved.add(profileId)
    if (type === 'profiles.profile_updated') {
      if (data.visibility === undefined) affected.refs.profile.add(profileId)
      else affected.profiles.add(profileId)
    }
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
export function createIndexer({ read, index, sources, embedderId, embedding, onError, retryMs = 10_000 }: IndexerDeps) {
  const { searchSources } = read
  const createPut = () => createPutDocuments({ ping: () => index.ping(), onError })
  const putChanged = createPut()
  /** Serializes reading and indexing, so that no older state replaces a newer one. */
  const turns = createSemaphore(1)
  let rebuilding: Promise<void> | undefined
  let requested = 0
  const stopping = new AbortController()
  let isStopped = false
  let hasLooked = false

  const withPassages = (documents: readonly SearchDocument[]): readonly SearchDocument[] =>
    embedding ? documents.map((document) => ({ ...document, passages: passagesOf(document) })) : documents

  const sourcesOf = async (refs: SearchRefs): Promise<readonly SearchDocument[]> =>
    withPassages((await searchSources.listListed(refs, BODY_CHARACTERS)).flatMap(documentsOf))

  /** Updates the documents of some ids. */
  async function refresh(kind: SearchKind, ids: readonly number[], signal: AbortSignal): Promise<void> {
    for (const batch of inBatches(ids)) {
      // A profile may have many pages. The next process handles the event again.
      signal.throwIfAborted()
      await turns.run(undefined, async () => {
        const documents = await sourcesOf({ [kind]: batch })
        const present = new Set(documents.map(({ key }) => key))
        const gone = batch.flatMap((id) => keysOf(kind, id)).filter((key) => !present.has(key))
        await index.remove({ keys: gone })
        await putChanged(documents, (each) => index.put(each))
      })
    }
  }

  /** Calls a function with the ids of a kind, of one profile or of all. */
  async function eachBatch(
    kind: SearchKind,
    profileId: number | undefined,
    work: (ids: readonly number[]) => Promise<void>,
    limit = BATCH,
  ) {
    for (let after = 0; !isStopped; ) {
      const ids = await searchSources.listIds(kind, { after, limit, profileId })
      if (ids.length > 0) await work(ids)
      if (ids.length < limit) return
      after = ids.at(-1) ?? after
    }
  }

  /** Updates documents of modules. */
  async function refreshPartitions(events: readonly StoredEvent[], signal: AbortSignal): Promise<void> {
    const { documents: changed, deleted, deletedProfiles } = changedPartitions(sources, events, onError)
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
    for (const { source, profileId } of deletedProfiles) {
      const removal = { profileIds: [profileId], partitionPrefix: `${source.name}:` }
      await turns.run(undefined, () => index.remove(removal))
    }
  }

  async function refreshProfile(profileId: number, signal: AbortSignal): Promise<void> {
    const isListed = await turns.run(undefined, async () => {
      const listed = await searchSources.listListed({ profile: [profileId] }, 0)
      // Its rows may be deleted, so their ids are unknown.
      if (listed.length === 0) await index.remove({ profileIds: [profileId] })
      return listed.length > 0
    })
    if (!isListed) return
    for (const kind of SEARCH_KINDS) await eachBatch(kind, profileId, (ids) => refresh(kind, ids, signal))
  }

  async function profilesOf(accountId: string): Promise<readonly number[]> {
    const ids: number[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await read.profiles.listOfAccount(accountId, { limit: PROFILES_A_PAGE, cursor })
      ids.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
      if (cursor === undefined) return ids
    }
  }

  const begin = () => turns.run(undefined, () => index.rebuild(embedderId))

  /** Adds sources to a rebuild. Reads the next batch while the previous one is indexed. */
  async function rebuildSources(
    next: SearchRebuild,
    putDocuments: PutDocuments,
    kind: SearchKind,
    ids: readonly number[],
  ): Promise<void> {
    let documents: readonly SearchDocument[] = []
    for (const batch of [...inBatches(ids), []]) {
      const putting = putDocuments(documents, (each) => next.put(each))
      const [read] = await Promise.all([batch.length > 0 ? sourcesOf({ [kind]: batch }) : [], putting])
      documents = read
    }
  }

  async function rebuildPartitions(
    next: SearchRebuild,
    putDocuments: PutDocuments,
    source: SearchSource,
  ): Promise<void> {
    for (let cursor: string | undefined; !isStopped; ) {
      cursor = await turns.run(undefined, async () => {
        const { items, nextCursor } = await source.listAll(cursor)
        const documents = items.map(({ partition, document }) => documentOf(partition, document))
        await putDocuments(withPassages(documents), (each) => next.put(each))
        return nextCursor
      })
      if (cursor === undefined) return
    }
  }

  async function finish(next: SearchRebuild, putDocuments: PutDocuments): Promise<void> {
    for (const kind of SEARCH_KINDS) {
      const work = (ids: readonly number[]) => turns.run(undefined, () => rebuildSources(next, putDocuments, kind, ids))
      await eachBatch(kind, undefined, work, REBUILD_BATCH)
    }
    for (const source of sources) await rebuildPartitions(next, putDocuments, source)
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
    const putDocuments = createPut()
    const before = rebuilding
    rebuilding = (async () => {
      await before
      while (!isStopped && number === requested) {
        try {
          next ??= await begin()
          return await finish(next, putDocuments)
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

  async function handle(events: readonly StoredEvent[], signal: AbortSignal): Promise<void> {
    // The first events of a new service.
    const isForAnother = !hasLooked && (await index.stats()).embedderId !== embedderId
    const { refs, profiles, moved, accounts, isRebuildRequested } = affectedBy(events)
    for (const accountId of accounts) for (const id of await profilesOf(accountId)) profiles.add(id)
    for (const kind of SEARCH_KINDS) await refresh(kind, [...refs[kind]], signal)
    for (const profileId of profiles) await refreshProfile(profileId, signal)
    for (const profileId of moved) {
      if (!profiles.has(profileId)) await eachBatch('page', profileId, (ids) => refresh('page', ids, signal))
    }
    await refreshPartitions(events, signal)
    // Started before the position advances, so that a crash in between loses no request.
    if (isRebuildRequested || isForAnother) await startRebuild()
    hasLooked = true
    const last = events.at(-1)
    if (last) await index.mark(last.cursor)
    embedding?.wake()
  }

  const handler: TransactionalHandler = {
    async prepare(events, signal) {
      await handle(events, signal)
      return undefined
    },
    async leased(cursor) {
      const { isRebuilding } = await index.stats()
      // An instance that was rebuilding has ended, or has lost the lease.
      if (!isRebuilding && !(await needsRebuild())) return
      await startRebuild()
      hasLooked = true
      await index.mark(cursor)
    },
    lost() {
      // The next holder of the lease starts the rebuild again.
      requested += 1
    },
  }

  return {
    handler,
    /** Stops a rebuild and waits for its end. It remains unfinished. */
    async stop() {
      isStopped = true
      stopping.abort()
      await rebuilding
    },
  }
}
