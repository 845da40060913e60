import type { Profiler } from 'node:inspector'
import { median, run } from './measure.ts'
import { startServer } from './server-process.ts'
import type { Order, Subject } from './subject.ts'

const WARM_SECONDS = 10
const SECONDS = 5
/** V8 compiles differently in each process, so the share differs too. */
const PROCESSES = 3

/** A function as a profile names it: its name and its file. */
export type IsPart = (name: string, file: string) => boolean

/** A hook ends by calling these: what they call is the rest of the request. */
const CONTINUATIONS = /\/fastify\/lib\/(?:hooks|reply|handle-request)\.js$/
/** Time that belongs to no function. A profile does not show whose memory is collected. */
const OF_NOBODY = new Set(['(idle)', '(garbage collector)'])

/** The percentage of the time of a profile that some functions take, with everything that they call before they return. */
function shareOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, isPart: IsPart): number {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const known = new Map<number, boolean>()
  function isWithin(id: number | undefined): boolean {
    const node = id === undefined ? undefined : byId.get(id)
    if (!node) return false
    const found = known.get(node.id)
    if (found !== undefined) return found
    const { functionName, url } = node.callFrame
    const within = isPart(functionName, url) || (!CONTINUATIONS.test(url) && isWithin(parents.get(node.id)))
    known.set(node.id, within)
    return within
  }
  let [all, part] = [0, 0]
  for (const [index, id] of samples.entries()) {
    if (OF_NOBODY.has(byId.get(id)?.callFrame.functionName ?? '')) continue
    const micros = timeDeltas[index] ?? 0
    all += micros
    if (isWithin(id)) part += micros
  }
  // A function that was renamed must not look as if it took no time.
  if (part === 0) throw new Error('no function of the profile is part of what is measured')
  return (part / all) * 100
}

/**
 * The percentage of the processor time of reads of a public profile that some functions of a service take: the median of some
 * processes. It is read from profiles, because two processes of the same code differ by more than a few percent: they compile it
 * differently. What goes on after an `await`, such as storing the figures once a second, is not in it.
 */
export async function measureShare(
  newDatabase: () => Promise<string | undefined>,
  order: Order,
  isPart: IsPart,
): Promise<number> {
  const shares: number[] = []
  for (let round = 0; round < PROCESSES; round++) {
    const server = await startServer<Subject>('./subject.ts', { connectionString: await newDatabase(), ...order })
    const { url, profile } = server.report
    const headers = { accept: 'application/json', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }
    const load = { url: url + profile, headers }
    await run(load, WARM_SECONDS)
    shares.push(shareOf(await server.profile(() => run(load, SECONDS)), isPart))
    server.stop()
  }
  return Number(median(shares).toFixed(1))
}
