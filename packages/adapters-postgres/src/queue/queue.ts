import type { JobHandler, JobQueue, JobQueueOptions, JobWorkers } from '@eep/core/ports'
import type { UntypedDb } from '../untyped-db.ts'
import { keepStatistics } from './statistics.ts'
import { startWorkers } from './workers.ts'

/** The queue of a storage with its internal functions. */
export interface LocalQueue extends JobQueue {
  /** Notifies the workers of a job that this process added. */
  wake(): void
  close(): Promise<void>
}

/** @param isServer - whether the statistics of its tables are kept up to date, as on a server */
export function createQueue(db: UntypedDb, schema: string, isServer: boolean): LocalQueue {
  const all = new Set<Awaited<ReturnType<typeof startWorkers>>>()
  let statistics: ReturnType<typeof keepStatistics> | undefined

  async function endStatistics(): Promise<void> {
    const ended = statistics
    statistics = undefined
    await ended?.stop()
  }

  return {
    async work(handler: JobHandler, options: JobQueueOptions): Promise<JobWorkers> {
      const workers = await startWorkers(db, schema, handler, options)
      all.add(workers)
      if (isServer) statistics ??= keepStatistics(db, schema)
      return {
        async stop(graceMs) {
          all.delete(workers)
          await workers.stop(graceMs)
          if (all.size === 0) await endStatistics()
        },
      }
    },
    wake() {
      for (const workers of all) workers.wake()
    },
    async close() {
      await Promise.all([...all].map((workers) => workers.stop(0)))
      all.clear()
      await endStatistics()
    },
  }
}
