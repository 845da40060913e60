import { timed } from '../../consumers/timed.ts'
import type { Clock } from '../../kernel/clock.ts'
import { hmac, sha256 } from '../../kernel/digest.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import type { AgentRead } from '../../model/agent.ts'
import type { Worker } from '../../module/define-module.ts'
import type { Write } from '../../storage/guard.ts'
import { resourceRead } from './events.ts'

export interface ReadLogDeps {
  readonly write: Write
  readonly clock: Clock
  readonly keyring: Keyring
  readonly onError: (error: unknown) => void
  /** The interval at which reads are stored. Default: 1 second. */
  readonly everyMs?: number | undefined
}

/** The period with at most one event for each agent and resource. */
const SAMPLED_MS = 60_000
/** The maximum number of events per profile and instance in that period. Without it, invented DIDs could flood the log. */
const MAX_OF_PROFILE = 60
/** The maximum number of agents and resources in memory, and of reads waiting to be stored. */
const MAX_REMEMBERED = 10_000
const BATCH = 100
const MAX_DID_LENGTH = 512

const SCOPE = 'agent-access'

/** A read to store, unless another instance stored a read of the same agent and resource in the last minute. */
interface Sample {
  readonly read: AgentRead
  readonly sampledUntil: Date
}

/** Identifies an agent. One that claims a DID without a signature is separate from the agent that proves it. */
function agentOf({ did, verified, keyId }: AgentRead): string {
  if (verified) return `did:${did}`
  return keyId === undefined ? `named:${did}` : `key:${keyId}`
}

/**
 * Collects reads by agents in memory and stores a sample of them as events, so that no request waits for a write. At most
 * one read per minute is stored for each agent and resource, over all instances. A process that crashes loses the reads since
 * the last write.
 */
export function createReadLog({ write, clock, keyring, onError, everyMs = 1_000 }: ReadLogDeps) {
  const [{ key: idKey }] = keyring.shared('agent-ids')
  /** The time from which reads of an agent and resource are stored again, oldest first. */
  const sampledUntil = new Map<string, number>()
  const ofProfiles = new Map<number, { count: number; readonly until: number }>()
  let waiting: Sample[] = []
  let turn: Promise<void> = Promise.resolve()

  function isOverLimit(profileId: number, now: number): boolean {
    const known = ofProfiles.get(profileId)
    const current = known && known.until > now ? known : { count: 0, until: now + SAMPLED_MS }
    if (current !== known) {
      ofProfiles.delete(profileId)
      dropOldest(ofProfiles)
      ofProfiles.set(profileId, current)
    }
    current.count += 1
    return current.count > MAX_OF_PROFILE
  }

  /** Records a read without waiting for the storage. */
  function add(read: AgentRead): void {
    if ((read.did?.length ?? 0) > MAX_DID_LENGTH) return
    const now = clock().getTime()
    const key = `${read.profileId} ${read.resource} ${agentOf(read)}`
    if ((sampledUntil.get(key) ?? 0) > now || waiting.length >= MAX_REMEMBERED) return
    if (isOverLimit(read.profileId, now)) return
    sampledUntil.delete(key)
    dropOldest(sampledUntil)
    sampledUntil.set(key, now + SAMPLED_MS)
    waiting.push({ read, sampledUntil: new Date(now + SAMPLED_MS) })
  }

  const idOf = (read: AgentRead) => hmac(idKey, `${read.profileId} ${agentOf(read)}`).slice(0, 22)

  const store = (samples: readonly Sample[]) =>
    write(async (tx, emit) => {
      const claims = samples
        .map((sample) => ({ ...sample, agentId: idOf(sample.read) }))
        .map((sample) => ({ ...sample, nonce: sha256(`${sample.agentId} ${sample.read.resource}`, 'base64url') }))
        // In a fixed order, to avoid deadlocks with other instances.
        .sort((left, right) => (left.nonce < right.nonce ? -1 : 1))
      for (const { read, sampledUntil: expiresAt, agentId, nonce } of claims) {
        if (!(await tx.nonces.claim({ scope: SCOPE, nonce, expiresAt }))) continue
        const { profileId, did = null, verified, resource, path } = read
        emit(resourceRead, { agentDid: did, agentId, verified, resource, path }, { profileId })
      }
    })

  async function storeWaiting(): Promise<void> {
    const all = waiting
    waiting = []
    for (let from = 0; from < all.length; from += BATCH) {
      try {
        await store(all.slice(from, from + BATCH))
      } catch (error) {
        onError(error)
        waiting = [...all.slice(from), ...waiting].slice(0, MAX_REMEMBERED)
        return
      }
    }
  }

  /** Stores the collected reads. A failure is reported and retried next time. */
  function flush(): Promise<void> {
    turn = turn.then(storeWaiting)
    return turn
  }
  const turns = timed(flush, { everyMs, onError })
  const worker: Worker = {
    start: turns.start,
    async stop() {
      await turns.stop()
      await flush()
    },
  }
  return { add, flush, worker }
}

/** Makes room for one entry. */
function dropOldest(map: Map<unknown, unknown>): void {
  if (map.size < MAX_REMEMBERED) return
  const [oldest] = map.keys()
  map.delete(oldest)
}
