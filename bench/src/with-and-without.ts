import { median, type Pair, run, takeTurns } from './measure.ts'
import { startServer } from './server-process.ts'
import type { Order, Subject } from './subject.ts'

const WARM_SECONDS = 10
/** Two processes of the same code differ by a few percent, as long as they run. */
const PROCESSES = 5

/**
 * Reads of a public profile as JSON by a service, against the same service with another configuration: the pair of processes with
 * the median ratio.
 */
export async function measureWithAndWithout(
  newDatabase: () => Promise<string | undefined>,
  configured: Order,
  plain: Order,
): Promise<Pair> {
  const start = async (order: Order) => {
    const subject = await startServer<Subject>('./subject.ts', { connectionString: await newDatabase(), ...order })
    const { url, profile } = subject.report
    const headers = { accept: 'application/json', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }
    return { ...subject, load: { url: url + profile, headers, pid: subject.pid } }
  }
  const pairs: Pair[] = []
  for (let round = 0; round < PROCESSES; round++) {
    const measured = await start(configured)
    const without = await start(plain)
    await run(measured.load, WARM_SECONDS)
    await run(without.load, WARM_SECONDS)
    pairs.push(await takeTurns(measured.load, without.load))
    measured.stop()
    without.stop()
  }
  const ratio = median(pairs.map((pair) => pair.ratio))
  return pairs.find((pair) => pair.ratio === ratio) as Pair
}
