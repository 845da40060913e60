import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type Profiler, Session } from 'node:inspector/promises'

/** In the child: waits for the order of the parent, does it, and reports. */
export async function serve<Order, Report extends object>(start: (order: Order) => Promise<Report>): Promise<void> {
  const [order] = (await once(process, 'message')) as [Order]
  process.send?.(await start(order))
  const session = new Session()
  const answers: Readonly<Record<Question, () => Promise<unknown>>> = {
    memory: async () => process.memoryUsage.rss(),
    async startProfile() {
      session.connect()
      await session.post('Profiler.enable')
      await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROS })
      return session.post('Profiler.start')
    },
    async endProfile() {
      const { profile } = await session.post('Profiler.stop')
      session.disconnect()
      return profile
    },
  }
  // A rejection ends the process, which the parent notices.
  process.on('message', (question: Question) => void answers[question]().then((answer) => process.send?.(answer)))
  process.on('disconnect', () => process.exit(0))
}

/** What the parent asks a server while it runs. */
type Question = 'memory' | 'startProfile' | 'endProfile'

const SAMPLE_MICROS = 250

const running = new Set<ChildProcess>()

/** For the parent: stops the servers that still run, because the part that started them failed. */
export function stopServers(): void {
  for (const child of running) child.kill()
}

/** For the parent: a server in a separate process, on the sources or the builds of the packages. */
export async function startServer<Report>(file: string, order: object, { built = false } = {}) {
  const execArgv = built ? [] : ['--conditions=@eep/source']
  const child = fork(new URL(file, import.meta.url), { execArgv })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const died = once(child, 'exit').then(() => {
    throw new Error(`${file} ended before it answered`)
  })
  child.send(order)
  const [report] = (await Promise.race([once(child, 'message'), died])) as [Report]
  died.catch(() => undefined)
  async function ask(question: Question): Promise<unknown> {
    child.send(question)
    const [answer] = await Promise.race([once(child, 'message'), died])
    return answer
  }
  return {
    report,
    pid: child.pid,
    /** How many bytes of memory it holds at this moment. */
    memory: async () => (await ask('memory')) as number,
    /** Records which functions it runs during some work. */
    async profile(work: () => Promise<unknown>): Promise<Profiler.Profile> {
      await ask('startProfile')
      await work()
      return (await ask('endProfile')) as Profiler.Profile
    },
    stop: () => child.disconnect(),
  }
}

const LOOK_EVERY_MS = 10

/** Does something with a server, and watches how much memory it holds meanwhile. */
export async function watchMemory<Result>(server: { memory(): Promise<number> }, work: () => Promise<Result>) {
  let isOver = false
  const watched = (async () => {
    let most = 0
    while (!isOver) {
      most = Math.max(most, await server.memory())
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
    return most
  })()
  const begun = performance.now()
  const result = await work().finally(() => {
    isOver = true
  })
  const ms = performance.now() - begun
  return { result, ms, most: await watched }
}
