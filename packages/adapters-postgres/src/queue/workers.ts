import { setTimeout as sleep } from 'node:timers/promises'
import type { JobHandler, JobQueueOptions } from '@eep/core/ports'
import type { UntypedDb } from '../untyped-db.ts'
import { bossOn, QUEUE } from './boss.ts'

/** The number of heartbeats in the time after which a process counts as dead. */
const SIGNS_OF_LIFE = 4

/**
 * Starts workers on the queue. `wake` makes them poll immediately, `stop` returns unfinished jobs to the queue.
 *
 * @throws when the tables of the queue are not those of this release
 */
export async function startWorkers(
  db: UntypedDb,
  schema: string,
  handler: JobHandler,
  { concurrency, pollIntervalMs, deadAfterMs, onError }: JobQueueOptions,
) {
  const seconds = Math.ceil(deadAfterMs / 1_000)
  const boss = bossOn(db, schema, { superviseSeconds: Math.max(1, Math.floor(seconds / 2)) })
  const stopping = new AbortController()
  boss.on('error', (error) => {
    // Failures caused by a stop are expected and not logged.
    if (!stopping.signal.aborted) onError(error)
  })
  await boss.start()
  const queue = await boss.getQueue(QUEUE)
  if (queue?.heartbeatSeconds !== seconds) await boss.updateQueue(QUEUE, { heartbeatSeconds: seconds })

  const ids: string[] = []
  const wake = () => {
    for (const id of ids) boss.notifyWorker(id)
  }
  for (let count = 0; count < concurrency; count++) {
    const options = {
      pollingIntervalSeconds: pollIntervalMs / 1_000,
      heartbeatRefreshSeconds: seconds / SIGNS_OF_LIFE,
    }
    const id = await boss.work(QUEUE, options, async ([message]) => {
      if (!message) return
      let next: 'later' | undefined
      try {
        // The job may have been fetched when the stop began.
        stopping.signal.throwIfAborted()
        next = await handler(message.id, AbortSignal.any([message.signal, stopping.signal]))
      } catch (error) {
        if (!stopping.signal.aborted) onError(error)
        // The error is not stored in the tables of the queue.
        throw new Error('to be done again')
      } finally {
        // Otherwise the next job would wait for the next poll.
        wake()
      }
      if (next === 'later') throw new Error('to be done later')
    })
    ids.push(id)
  }

  async function stop(graceMs: number) {
    if (stopping.signal.aborted) return
    const done = boss.offWork(QUEUE, { wait: true })
    stopping.abort()
    await Promise.race([done, sleep(graceMs, undefined, { ref: false })])
    await boss.stop({ graceful: false, close: false })
  }

  return { wake, stop }
}
