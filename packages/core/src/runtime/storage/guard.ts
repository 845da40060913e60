import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { asJson } from '../../kernel/json.ts'
import type { ActingApp } from '../../model/acting-app.ts'
import type { NewEvent, StoredEvent } from '../../ports/storage/events.ts'
import type { OptionalGroup, Readers, Storage, Stores } from '../../ports/storage/storage.ts'
import { assertEventData, type Emit } from '../events/define-event.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import { transactionDuration } from './metrics.ts'

/** Runs `work` in one transaction and stores the events it emits with it. */
export type Write<With extends OptionalGroup = never> = <Result>(
  work: (tx: Stores<With>, emit: Emit) => Promise<Result>,
) => Promise<Result>

/**
 * The storage as services get it: `read` at any time, writing inside `write` only. The stores of the given optional groups
 * exist.
 */
export interface GuardedStorage<With extends OptionalGroup = never> {
  readonly read: Readers<With>
  readonly write: Write<With>
}

export interface GuardOptions {
  /** Whether an event whose payload does not match its definition fails the transaction. Default: false. */
  readonly checkEvents?: boolean | undefined
  /** Receives the times of transactions. */
  readonly metrics?: Pick<Metrics, 'isOn' | 'histogram'> | undefined
  /** Records transactions as part of a trace. */
  readonly tracing?: Tracing | undefined
  /** Returns the app by which an account acts in the current request. Default: none. */
  readonly actingApp?: ((accountId: string) => ActingApp | null) | undefined
}

/**
 * Wraps a storage for services.
 *
 * Events are appended at the end of the transaction. `committed` is called with them before `write` returns. Using `read`
 * inside `write` throws, because it would deadlock on a storage with one connection.
 */
export function guardStorage(
  storage: Pick<Storage, 'read' | 'transaction'>,
  clock: Clock,
  committed: (events: readonly StoredEvent[]) => void,
  { checkEvents = false, metrics, tracing, actingApp }: GuardOptions = {},
): GuardedStorage {
  const inside = new AsyncLocalStorage<true>()

  const guarded = (name: string, reader: object) =>
    new Proxy(reader, {
      get(target, property, receiver) {
        if (inside.getStore()) throw new Error(`read.${name} was used inside write(); use tx.${name}`)
        return Reflect.get(target, property, receiver)
      },
    })
  // The type of `Object.fromEntries` loses the keys, which are those of `storage.read`.
  const read = Object.fromEntries(
    Object.entries(storage.read).flatMap(([name, reader]) => (reader ? [[name, guarded(name, reader)]] : [])),
  ) as unknown as Readers

  const measured: typeof storage.transaction = metrics?.isOn
    ? timedTransaction(storage, metrics)
    : (work) => storage.transaction(work)
  const transact = tracing?.isOn ? tracedTransaction(measured, tracing) : measured

  const write: Write = async (work) => {
    const outcome = await transact((tx) =>
      inside.run(true, async () => {
        const emitted: NewEvent[] = []
        // The span of this transaction.
        const traceparent = tracing?.activeHeaders().traceparent
        const emit: Emit = (event, data, origin = {}) => {
          if (checkEvents) assertEventData(event, data)
          const through = origin.accountId === undefined ? null : actingApp?.(origin.accountId)
          emitted.push({
            id: randomUUID(),
            type: event.type,
            profileId: origin.profileId ?? null,
            accountId: origin.accountId ?? null,
            // Payloads are JSON objects.
            data: asJson(data as object),
            at: clock(),
            ...(through && { through }),
            ...(traceparent !== undefined && { traceparent }),
          })
        }
        const result = await work(tx, emit)
        return { result, events: emitted.length > 0 ? await tx.events.append(emitted) : [] }
      }),
    )
    if (outcome.events.length > 0) committed(outcome.events)
    return outcome.result
  }

  return { read, write }
}

/** Records transactions of requests and jobs. Background work looks for work so often that its transactions would be most spans. */
function tracedTransaction(transact: Storage['transaction'], tracing: Tracing): Storage['transaction'] {
  return (work) =>
    tracing.activeHeaders().traceparent === undefined
      ? transact(work)
      : tracing.trace({ name: 'transaction', kind: 'client', attributes: { 'db.operation.name': 'transaction' } }, () =>
          transact(work),
        )
}

function timedTransaction(
  storage: Pick<Storage, 'transaction'>,
  metrics: Pick<Metrics, 'histogram'>,
): Storage['transaction'] {
  const duration = metrics.histogram(transactionDuration)
  return async (work) => {
    const start = performance.now()
    let outcome = 'rolled_back'
    try {
      const result = await storage.transaction(work)
      outcome = 'committed'
      return result
    } finally {
      duration.observe({ outcome }, (performance.now() - start) / 1_000)
    }
  }
}
