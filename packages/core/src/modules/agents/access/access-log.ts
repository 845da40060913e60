import type { Worker } from '../../../framework/module/define-module.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { hmac, sha256 } from '../../../kernel/digest.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import type { AgentAccess } from '../../../model/agent.ts'
import { timed } from '../../../runtime/consumers/timed.ts'
import type { Write } from '../../../runtime/storage/guard.ts'
import { resourceFound, resourceRead } from './events.ts'

export interface AccessLogDeps {
  readonly write: Write
  readonly clock: Clock
  readonly keyring: Keyring
  readonly onError: (error: unknown) => void
  /** The interval at which reads and searches are stored. Default: 1 second. */
  readonly everyMs?: number | undefined
}

/** The period with at most one event of a kind for each agent and resource. */
const SAMPLED_MS = 60_000
/**
 * The maximum number of events of a kind per profile and instance in that period, for proven agents and for all others. Without
 * it, invented DIDs could flood the log.
 */
const MAX_OF_PROFILE = 60
/** The maximum number of agents and resources in memory, and of reads and searches waiting to be stored. */
const MAX_REMEMBERED = 10_000
const BATCH = 100
const MAX_DID_LENGTH = 512

const SCOPE = 'agent-access'

/** A read or search to store, unless another instance stored one of the same agent and resource in the last minute. */
interface Sample {
  readonly access: AgentAccess
  readonly sampledUntil: Date
}

/** Whether an agent signed the request or used an API key. */
const isProven = ({ verified, keyId, bot }: AgentAccess) => verified || keyId !== undefined || bot?.verified === true

/** Identifies an agent. One that claims a DID without a signature is separate from the agent that proves it. */
function agentOf({ did, verified, keyId, bot }: AgentAccess): string {
  if (verified) return `did:${did}`
  if (keyId !== undefined) return `key:${keyId}`
  return bot?.verified ? `bot:${bot.origin} ${did}` : `named:${did}`
}

/** The key of samples: searches are sampled apart from reads, which often follow them. */
const sampledThing = ({ kind, resource, path }: AgentAccess) => `${kind} ${resource ?? path}`

/**
 * Collects reads and searches by agents in memory and stores a sample of them as events, so that no request waits for a write.
 * At most one event of a kind per minute is stored for each agent and resource, over all instances. A process that crashes
 * loses what it collected since the last write.
 */
export function createAccessLog({ write, clock, keyring, onError, everyMs = 1_000 }: AccessLogDeps) {
  const [{ key: idKey }] = keyring.shared('agent-ids')
  /** The time from which reads of an agent and resource are stored again, oldest first. */
  const sampledUntil = new Map<string, number>()
  const ofProfiles = new Map<string, { count: number; readonly until: number }>()
  let waiting: Sample[] = []
  let turn: Promise<void> = Promise.resolve()

  function isOverLimit(access: AgentAccess, now: number): boolean {
    const counted = `${access.kind} ${access.profileId} ${isProven(access)}`
    const known = ofProfiles.get(counted)
    const current = known && known.until > now ? known : { count: 0, until: now + SAMPLED_MS }
    if (current !== known) {
      ofProfiles.delete(counted)
      dropOldest(ofProfiles)
      ofProfiles.set(counted, current)
    }
    current.count += 1
    return current.count > MAX_OF_PROFILE
  }

  /** Records a read or a search without waiting for the storage. */
  function add(access: AgentAccess): void {
    if ((access.did?.length ?? 0) > MAX_DID_LENGTH) return
    const now = clock().getTime()
    const key = `${access.profileId} ${sampledThing(access)} ${agentOf(access)}`
    if ((sampledUntil.get(key) ?? 0) > now || waiting.length >= MAX_REMEMBERED) return
    if (isOverLimit(access, now)) return
    sampledUntil.delete(key)
    dropOldest(sampledUntil)
    sampledUntil.set(key, now + SAMPLED_MS)
    waiting.push({ access, sampledUntil: new Date(now + SAMPLED_MS) })
  }

  const idOf = (access: AgentAccess) => hmac(idKey, `${access.profileId} ${agentOf(access)}`).slice(0, 22)

  const store = (samples: readonly Sample[]) =>
    write(async (tx, emit) => {
      const claims = samples
        .map((sample) => ({ ...sample, agentId: idOf(sample.access) }))
        .map((sample) => ({
          ...sample,
          nonce: sha256(`${sample.agentId} ${sampledThing(sample.access)}`, 'base64url'),
        }))
        // In a fixed order, to avoid deadlocks with other instances.
        .sort((left, right) => (left.nonce < right.nonce ? -1 : 1))
      for (const { access, sampledUntil: expiresAt, agentId, nonce } of claims) {
        if (!(await tx.nonces.claim({ scope: SCOPE, nonce, expiresAt }))) continue
        const { kind, profileId, did = null, verified, bot = null, resource, path } = access
        const agent = { agentDid: did, agentId, verified, bot }
        if (kind === 'read') emit(resourceRead, { ...agent, resource, path }, { profileId })
        else emit(resourceFound, { ...agent, resource, path }, { profileId })
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
