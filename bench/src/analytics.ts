import { createDatabaseOn, type startPostgresServer } from '@eep/test/support/postgres-server'
import { type Pair, run, takeTurns } from './measure.ts'
import { startServer } from './server-process.ts'
import type { Subject } from './subject.ts'

const WARM_SECONDS = 10

/** Reads of a public profile as JSON with the module that counts them, against the same without it. */
export async function measureAnalytics(server: Awaited<ReturnType<typeof startPostgresServer>>): Promise<Pair> {
  const start = async (modules: Readonly<Record<string, boolean>>) => {
    const connectionString = server.kind === 'pglite' ? undefined : (await createDatabaseOn(server)).connectionString
    const subject = await startServer<Subject>('./subject.ts', { connectionString, modules })
    const { url, profile } = subject.report
    const headers = { accept: 'application/json', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }
    return { ...subject, load: { url: url + profile, headers, pid: subject.pid } }
  }
  const counting = await start({})
  const without = await start({ analytics: false, insights: false })
  await run(counting.load, WARM_SECONDS)
  await run(without.load, WARM_SECONDS)
  const pair = await takeTurns(counting.load, without.load)
  counting.stop()
  without.stop()
  return pair
}
