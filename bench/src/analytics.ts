import { createDatabaseOn, type startPostgresServer } from '@eep/test/support/postgres-server'
import { type Measured, median, middle, type Pair, run } from './measure.ts'
import { startServer } from './server-process.ts'
import type { Subject } from './subject.ts'

const WARM_SECONDS = 10
/** More and shorter blocks than elsewhere, because the difference is small. */
const ROUNDS = 15

/** Reads of a public profile as JSON with the module that counts them, against the same without it. */
export async function measureAnalytics(server: Awaited<ReturnType<typeof startPostgresServer>>): Promise<Pair> {
  const start = async (modules: Readonly<Record<string, boolean>>) => {
    const connectionString = server.kind === 'pglite' ? undefined : (await createDatabaseOn(server)).connectionString
    const subject = await startServer<Subject>('./subject.ts', { connectionString, modules })
    const { url, profile } = subject.report
    const headers = { accept: 'application/json', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }
    return { ...subject, load: { url: url + profile, headers } }
  }
  const counting = await start({})
  const without = await start({ analytics: false, insights: false })
  await run(counting.load, WARM_SECONDS)
  await run(without.load, WARM_SECONDS)
  const rounds: { subject: Measured; bare: Measured }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    // Either goes first, so that a slope in the load of the machine meets both.
    const [bare, subject] =
      round % 2 === 0
        ? [await run(without.load, 1), await run(counting.load, 1)]
        : await run(counting.load, 1).then(async (first) => [await run(without.load, 1), first])
    if (bare && subject) rounds.push({ bare, subject })
  }
  counting.stop()
  without.stop()
  return {
    subject: middle(rounds.map((round) => round.subject)),
    bare: middle(rounds.map((round) => round.bare)),
    ratio: median(rounds.map((round) => round.subject.requestsPerSecond / round.bare.requestsPerSecond)),
  }
}
