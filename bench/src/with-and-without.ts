import { createDatabaseOn, type startPostgresServer } from '@eep/test/support/postgres-server'
import { type Pair, run, takeTurns } from './measure.ts'
import { startServer } from './server-process.ts'
import type { Order, Subject } from './subject.ts'

const WARM_SECONDS = 10

/** Reads of a public profile as JSON by a service, against the same service with another configuration. */
export async function measureWithAndWithout(
  server: Awaited<ReturnType<typeof startPostgresServer>>,
  configured: Order,
  plain: Order,
): Promise<Pair> {
  const start = async (order: Order) => {
    const connectionString = server.kind === 'pglite' ? undefined : (await createDatabaseOn(server)).connectionString
    const subject = await startServer<Subject>('./subject.ts', { connectionString, ...order })
    const { url, profile } = subject.report
    const headers = { accept: 'application/json', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }
    return { ...subject, load: { url: url + profile, headers, pid: subject.pid } }
  }
  const measured = await start(configured)
  const without = await start(plain)
  await run(measured.load, WARM_SECONDS)
  await run(without.load, WARM_SECONDS)
  const pair = await takeTurns(measured.load, without.load)
  measured.stop()
  without.stop()
  return pair
}
