import { median, middle, type Pair, run } from './measure.ts'
import { LOGIN } from './seller.ts'
import { startServer } from './server-process.ts'
import type { Subject } from './subject.ts'

const AT_ONCE = 200
const SECONDS = 4
const ROUNDS = 3
/** The default of the service: 4 concurrent ones use 76 MiB. */
const MEMORY_KIB = 19_456
const MAX_GROWTH_MIB = 300

/** The effect of 200 concurrent sign-ins on readers. The ratio is that of the p99, idle to busy. */
export async function measureLogins(connectionString?: string): Promise<Pair & { readonly memoryMiB: number }> {
  const server = await startServer<Subject>('./subject.ts', { connectionString, memoryKiB: MEMORY_KIB })
  const { url, profile } = server.report
  const read = { url: url + profile, headers: { accept: 'application/json' } }
  const signIn = async () => {
    const { status } = await fetch(`${url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(LOGIN),
    })
    if (status !== 200) throw new Error(`a sign-in was answered with ${status}`)
  }
  /** Keeps this many sign-ins running until it is stopped. Each of them gets its answer. */
  const signInAtOnce = (stop: AbortSignal) =>
    Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (!stop.aborted) await signIn()
      }),
    )

  await run(read, 2)
  const before = await server.memory()
  let grown = 0
  const rounds: Omit<Pair, 'ratio'>[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await run(read, SECONDS)
    const stop = new AbortController()
    const logins = signInAtOnce(stop.signal)
    await Promise.race([logins, new Promise((resolve) => setTimeout(resolve, 1_000))])
    const subject = await run(read, SECONDS)
    grown = Math.max(grown, (await server.memory()) - before)
    stop.abort()
    await logins
    rounds.push({ subject, bare })
  }
  server.stop()
  const memoryMiB = Math.round(grown / 1_048_576)
  if (memoryMiB > MAX_GROWTH_MIB) throw new Error(`the server holds ${memoryMiB} MiB more while people sign in`)
  return {
    subject: middle(rounds.map(({ subject }) => subject)),
    bare: middle(rounds.map(({ bare }) => bare)),
    ratio: median(rounds.map(({ subject, bare }) => bare.p99Ms / subject.p99Ms)),
    memoryMiB,
  }
}
