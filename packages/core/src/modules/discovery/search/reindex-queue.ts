import { createTaskLoop } from '../../../kernel/task-loop.ts'
import { SEARCH_KINDS, type SearchKind } from '../../../ports/search-index.ts'
import { compareCursors } from '../../../ports/storage/events.ts'

/** One step of a run: the sources of a kind of a profile after an id. */
export interface ReindexStep {
  readonly profileId: number
  readonly kind: SearchKind
  readonly after: number
  readonly limit: number
}

/** What a step has indexed. */
export interface ReindexedStep {
  /** The ids of the sources, in ascending order; fewer than the limit at the end of a kind. */
  readonly ids: readonly number[]
  /** The length of their texts. */
  readonly characters: number
}

export interface ReindexQueueDeps {
  readonly index: (step: ReindexStep) => Promise<ReindexedStep>
  /** Called before the first run and after each. */
  readonly settled: () => Promise<void>
  readonly onError: (error: unknown) => void
  /** The pause after a failed step. */
  readonly retryMs: number
  /** How long a large profile is not indexed again after a run. Default: 30 seconds. */
  readonly restMs?: number | undefined
}

/** Events are handled between two steps, and so are steps of other profiles. */
const SOURCES_A_STEP = 25
/** A profile with more sources is large. */
const LARGE_SOURCES = 100
/** A profile with longer texts is large: about that of one long page. */
const LARGE_CHARACTERS = 200_000
const IDLE_MS = 60_000

/** A profile that is to be indexed again. */
interface Waiting {
  readonly kinds: Set<SearchKind>
  /** The cursor before the first event that asked for it. */
  readonly since: string
  /** Whether it waits because a large profile rests. */
  isDeferred: boolean
}

interface Run extends Waiting {
  after: number
  sources: number
  characters: number
}

/**
 * Indexes all sources of profiles in the background, in turns of a few sources. Requests that arrive before a run has begun are one
 * run. A large profile rests after a run, so that frequent changes of it cost one run in each period of rest.
 */
export function createReindexQueue({ index, settled, onError, retryMs, restMs = 30_000 }: ReindexQueueDeps) {
  const waiting = new Map<number, Waiting>()
  const active = new Map<number, Run>()
  /** When the rest of a large profile ends. */
  const resting = new Map<number, number>()

  const isResting = (profileId: number) => (resting.get(profileId) ?? 0) > performance.now()

  function beginRuns(): void {
    for (const [profileId, end] of resting) if (end <= performance.now()) resting.delete(profileId)
    for (const [profileId, each] of waiting) {
      if (active.has(profileId) || resting.has(profileId)) continue
      waiting.delete(profileId)
      active.set(profileId, { ...each, after: 0, sources: 0, characters: 0 })
    }
  }

  function end(profileId: number, { sources, characters }: Run): void {
    if (sources <= LARGE_SOURCES && characters <= LARGE_CHARACTERS) return
    resting.set(profileId, performance.now() + restMs)
    const next = waiting.get(profileId)
    if (next) next.isDeferred = true
  }

  /** Indexes the next sources of a run, which continues after those of others. */
  async function proceed(profileId: number, run: Run): Promise<void> {
    const kind = SEARCH_KINDS.find((each) => run.kinds.has(each))
    if (kind === undefined) return
    const { ids, characters } = await index({ profileId, kind, after: run.after, limit: SOURCES_A_STEP })
    run.after = ids.length < SOURCES_A_STEP ? 0 : (ids.at(-1) ?? 0)
    run.sources += ids.length
    run.characters += characters
    if (run.after === 0) run.kinds.delete(kind)
    // It may have been removed meanwhile.
    if (active.get(profileId) !== run) return
    active.delete(profileId)
    if (run.kinds.size > 0) active.set(profileId, run)
    else end(profileId, run)
  }

  async function turn(signal: AbortSignal): Promise<number> {
    try {
      for (;;) {
        await settled()
        beginRuns()
        const [next] = active
        if (!next) break
        if (signal.aborted) return IDLE_MS
        await proceed(...next)
      }
    } catch (error) {
      onError(error)
      return retryMs
    }
    const ends = [...waiting.keys()].map((profileId) => resting.get(profileId) ?? 0)
    return Math.max(0, Math.min(IDLE_MS, ...ends.map((at) => at - performance.now())))
  }

  const loop = createTaskLoop(turn, { firstMs: IDLE_MS })
  loop.start()

  const firstOf = (entries: readonly Waiting[]): string | undefined =>
    entries.map(({ since }) => since).sort(compareCursors)[0]

  return {
    /**
     * Requests that sources of a profile are indexed again.
     *
     * @param after - the cursor before the event that makes it necessary
     */
    add(profileId: number, kinds: Iterable<SearchKind>, after: string): void {
      const known = waiting.get(profileId) ?? { kinds: new Set(), since: after, isDeferred: isResting(profileId) }
      for (const kind of kinds) known.kinds.add(kind)
      waiting.set(profileId, known)
      loop.wake()
    },
    /** Forgets the requests of a profile, of which nothing is shown any more. */
    remove(profileId: number): void {
      waiting.delete(profileId)
      active.delete(profileId)
    },
    /** Forgets all requests. */
    clear(): void {
      waiting.clear()
      active.clear()
      resting.clear()
    },
    /** The cursor before the first event that is not wholly handled; undefined when all are. */
    pendingSince: (): string | undefined => firstOf([...waiting.values(), ...active.values()]),
    /** The same, without what waits for the rest of a large profile. */
    promptSince: (): string | undefined =>
      firstOf([...waiting.values(), ...active.values()].filter(({ isDeferred }) => !isDeferred)),
    /** Begins no further step, and waits for the present one. The requests remain. */
    stop: () => loop.stop(),
  }
}
