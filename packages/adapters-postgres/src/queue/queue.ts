import type { JobHandler, JobQueue, JobQueueOptions, JobWorkers } from '@eep/core/ports'
import type { UntypedDb } from '../untyped-db.ts'
import { startWorkers } from './workers.ts'

/** The queue of a storage with its internal functions. */
export interface LocalQueue extends JobQueue {
  /** Notifies the workers of a job that this process added. */
  wake(): void
  close(): Promise<void>
}

export function createQueue(db: UntypedDb, schema: string): LocalQueue {
  const all = new Set<Awaited<ReturnType<typeof startWorkers>>>()

  return {
    async work(handler: JobHandler, options: JobQueueOptions): Promise<JobWorkers> {
      const workers = await startWorkers(db, schema, handler, options)
      all.add(workers)
      return {
        async stop(graceMs) {
          all.delete(workers)
          await workers.stop(graceMs)
        },
      }
    },
    wake() {
      for (const workers of all) workers.wake()
    },
    async close() {
      await Promise.all([...all].map((workers) => workers.stop(0)))
      all.clear()
    },
  }
}
