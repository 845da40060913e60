import { eep, type JobKind, serverOptions } from '@eep/core'
import { defineError, type Storage } from '@eep/core/ports'
import Fastify from 'fastify'

const noSuchMonth = defineError('no_such_month', 400, 'There are no sales of this month')

/** A job of the host: a monthly report that reports its progress. */
export const report = (salesOf: (month: string, signal: AbortSignal) => Promise<readonly number[]>): JobKind => ({
  name: 'report',
  timeoutMs: 10 * 60_000,
  attempts: 3,
  async run({ job, signal, progress }) {
    const sales = await salesOf(String(job.input.month), signal)
    if (sales.length === 0) throw noSuchMonth()
    await progress(90)
    return { sales: sales.length, total: sales.reduce((sum, sale) => sum + sale, 0) }
  },
})

/** A host with that job. `app.eep.jobs.request({ kind: 'report', … })` requests a report. */
export async function hostWithReports(storage: Storage, secret: string, kind: JobKind) {
  const app = Fastify({ ...serverOptions })
  await app.register(eep, { publicUrl: 'https://profiles.example', storage, secret, jobs: { kinds: [kind] } })
  return app
}
