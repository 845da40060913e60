import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { startLocalChain } from '@eep/payments-x402/testing'
import { startEmbeddedPostgres } from '@eep/test/support/embedded-postgres'
import { busyness } from './busyness.ts'
import { createChecks } from './checks.ts'
import { compareWindows, measureWindow, query, type Window } from './growth.ts'
import { createJournal } from './journal.ts'
import { createLoad } from './load.ts'
import { createOperations } from './operations.ts'
import { createOwners } from './owners.ts'
import { reportOf } from './report.ts'
import { createRequests } from './requests.ts'
import { hostEnvironment, type Instance, startInstance } from './service.ts'
import { followStream, startReceiver } from './subscribers.ts'
import { createTraffic, type Fault } from './traffic.ts'
import { verifyAll } from './verify.ts'

const HELP = `npm run soak                     20 minutes of mixed load with faults, and a report in bench/soak.md
npm run soak -- --minutes N      another number of minutes
npm run soak -- --report FILE    another file for the report
npm run soak -- --keep           keep the logs of the instances and the journal of the clients

Exits with 1 when a check fails. Ctrl-C ends the load after the current minute; the rest is checked and reported. Starts everything by itself: PostgreSQL from npm, a local chain, two instances of the example host
on the built packages, and clients in this process.`

const OWNERS = 10
const STREAMS = 6
const STREAM_QUERY = 'types=content.published,content.updated'
const CLIENTS = 24
const WARM_SECONDS = 10
const MEASURED_SECONDS = 20
const SHARE = 0.8
const KILL_AT_MS = 15_000
const RESTART_AT_MS = 38_000
const MINUTE_MS = 60_000
const MAX_RECOVERY_MS = 30_000
const MAX_BUSYNESS = 2
/** The server closes connections that clients have closed, and timers of requests run out. */
const IDLE_MS = 8_000
/** Sessions end after a quarter of an hour. */
const SIGN_IN_EVERY_MINUTES = 3

const run = promisify(execFile)

/** @throws when the instance is not ready in ten minutes */
async function whenReady(instance: Instance): Promise<void> {
  for (const end = Date.now() + 600_000; Date.now() < end; await sleep(250)) {
    const response = await fetch(`${instance.url}/health/ready`).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.ok) return
  }
  throw new Error(`The instance ${instance.name} is not ready; see ${instance.logFile}`)
}

async function messagesOf(instances: readonly Instance[]): Promise<ReadonlyMap<string, number>> {
  const messages = new Map<string, number>()
  for (const { logFile } of instances) {
    for (const line of (await readFile(logFile, 'utf8')).split('\n')) {
      const message = /^\{"level":\d+.*"msg":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1]
      if (message !== undefined) messages.set(message, (messages.get(message) ?? 0) + 1)
    }
  }
  return messages
}

async function commitOf(): Promise<string> {
  const git = async (...args: string[]) => (await run('git', args)).stdout.trim()
  const isChanged = (await git('status', '--porcelain', '--untracked-files=no')) !== ''
  return `${await git('rev-parse', '--short', 'HEAD')}${isChanged ? ', with changes' : ''}`
}

async function soak(minutes: number, reportFile: string, keep: boolean): Promise<boolean> {
  const startedAt = new Date()
  const commit = await commitOf()
  const loadBefore = loadavg()
  const directory = await mkdtemp(join(tmpdir(), 'eep-soak-'))
  // The journal and the logs are read by others than root when they are kept.
  await chmod(directory, 0o755)
  const checks = createChecks()
  const journal = createJournal(join(directory, 'journal.jsonl'))
  const requests = createRequests()
  const closing: (() => Promise<unknown> | unknown)[] = [() => keep || rm(directory, { recursive: true, force: true })]
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort())
  // The instances and the database end with this process.
  process.once('SIGTERM', () => process.exit(143))
  const say = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`)
  try {
    const [database, chain, receiver] = await Promise.all([
      startEmbeddedPostgres({ durable: true }),
      startLocalChain(),
      startReceiver(checks),
    ])
    closing.push(database.stop, chain.stop, receiver.close)
    const { connectionString } = database
    const dataDir = join(directory, 'data')
    const secret = randomBytes(32).toString('base64')
    const environment = (gasKey: string) =>
      hostEnvironment(dataDir, {
        DATABASE_URL: connectionString,
        EEP_SECRET: secret,
        EEP_DEV_CALLBACK_HOSTS: receiver.host,
        X402_NETWORK: chain.network,
        X402_RPC_URL: chain.rpcUrl,
        X402_PAY_TO: chain.wallets.seller.address,
        X402_FACILITATOR_KEY: gasKey,
      })
    // Each has a separate gas key, as the documentation demands.
    const keys = [chain.wallets.facilitator, chain.wallets.platform].map(({ privateKey }) => privateKey)
    const instances: Instance[] = []
    for (const [index, key] of keys.entries()) {
      const instance = await startInstance({ name: `instance-${index + 1}`, directory, environment: environment(key) })
      instances.push(instance)
      closing.push(instance.stop)
    }
    const [steady, mortal] = instances as [Instance, Instance]
    const urls = instances.map(({ url }) => url)
    say(`two instances are ready; logs and journal are in ${directory}`)

    const registration = createOwners({ requests, url: steady.url, dataDir, receiverUrl: receiver.url })
    const owners = await registration.add(OWNERS)
    const streams = Array.from({ length: STREAMS }, () => followStream(urls, `/stream/signals?${STREAM_QUERY}`, checks))
    closing.push(() => {
      for (const { stop } of streams) stop()
    })
    const traffic = createTraffic({ requests, urls, checks })
    const operations = createOperations({ traffic, journal, checks, owners, chain })
    const ending = new AbortController()
    const background = [operations.mintWallets(ending.signal), traffic.probe(ending.signal)]
    closing.push(() => {
      ending.abort()
      return Promise.all(background)
    })

    const load = createLoad(operations.mix)
    await load.measureMaximum(CLIENTS, WARM_SECONDS)
    const maximum = await load.measureMaximum(CLIENTS, MEASURED_SECONDS)
    await operations.followUps()
    const rate = Math.floor(maximum * SHARE)
    say(`the maximum is ${Math.round(maximum)} operations/s; the load has ${rate}`)

    async function make(kind: string, takesDatabase: boolean, work: () => Promise<void>): Promise<void> {
      // One instance cannot carry the load for the many seconds in which the other one starts on a busy machine.
      const isExcused = takesDatabase || busyness() > MAX_BUSYNESS
      const fault: Fault = { kind, at: performance.now(), isExcused }
      traffic.faults.push(fault)
      await work()
      await Promise.all(instances.map(whenReady))
      fault.recoveredAt = performance.now()
      const ms = fault.recoveredAt - fault.at
      if (ms > MAX_RECOVERY_MS * busyness()) {
        checks.violate(
          'recovery',
          `${kind}: ${Math.round(ms / 1_000)} s with a load average of ${loadavg()[0]?.toFixed(1)}`,
        )
      }
    }
    const restart = (mode: 'fast' | 'immediate') =>
      make(mode === 'fast' ? 'restart of the database' : 'crash and restart of the database', true, () =>
        database.restart(mode),
      )

    const windows: Window[] = []
    const step = Math.max(1, Math.floor(minutes / 6))
    const onError = (error: unknown) => checks.violate('answers', String(error instanceof Error ? error.stack : error))
    const before = load.completed()
    let loadedMs = 0
    let doneMinutes = 0
    for (let minute = 1; minute <= minutes && !interrupted.signal.aborted; minute++) {
      if (minute % SIGN_IN_EVERY_MINUTES === 0) for (const owner of owners) await registration.refresh(owner)
      const minuteEnd = new AbortController()
      const begun = performance.now()
      const running = load.run(rate, minuteEnd.signal, onError)
      await sleep(KILL_AT_MS)
      await make('kill -9 of an instance', false, mortal.kill)
      await sleep(Math.max(0, begun + RESTART_AT_MS - performance.now()))
      await restart(minute % 2 === 1 ? 'immediate' : 'fast')
      await sleep(Math.max(0, begun + MINUTE_MS - performance.now()))
      minuteEnd.abort()
      await running
      loadedMs += performance.now() - begun
      say(`minute ${minute}: ${load.completed() - before} operations, ${load.open()} open`)
      doneMinutes = minute
      if (minute % step !== 0 && minute !== minutes && !interrupted.signal.aborted) continue
      await load.idle()
      await operations.followUps()
      requests.closeIdle()
      await sleep(IDLE_MS)
      const window = await measureWindow(steady, connectionString, Math.round(loadedMs / 1_000))
      windows.push(window)
      say(
        `without load: heap ${window.heapMiB.toFixed(1)} MiB, RSS ${window.rssMiB.toFixed(0)} MiB, ${window.descriptors} descriptors`,
      )
    }
    await load.idle()
    await operations.followUps()
    await journal.save()
    compareWindows(windows, checks)
    say('the load is over; comparing')
    const [version] = await query<{ readonly version: string }>(
      connectionString,
      `select split_part(version(), ' on ', 1) as version`,
    )
    await verifyAll({
      checks,
      journal,
      owners,
      requests,
      instances,
      connectionString,
      chain,
      streams,
      receiver,
      streamQuery: STREAM_QUERY,
      filesDirectory: join(dataDir, 'files'),
      purge: async () => {
        const program = new URL('../../../packages/host-example/src/eep.ts', import.meta.url).pathname
        await run(process.execPath, [program, 'purge'], { env: environment(keys[0] ?? '') })
      },
    })
    const completed = load.completed() - before
    const report = reportOf({
      commit,
      startedAt,
      minutes,
      doneMinutes,
      maximum,
      rate,
      completed,
      loadBefore,
      windows,
      checks,
      postgres: version?.version ?? 'PostgreSQL',
      achieved: (completed * 1_000) / loadedMs,
      notStarted: load.notStarted(),
      tallies: traffic.tallies,
      lost: traffic.lost,
      faults: traffic.faults,
      messages: await messagesOf(instances),
    })
    await writeFile(reportFile, report)
    const failed = checks.list().filter(({ count }) => count > 0)
    for (const { sentence, count } of failed) console.error(`failed: ${sentence}: ${count} violations`)
    say(
      `${failed.length === 0 ? 'all checks passed' : `${failed.length} checks failed`}; the report is in ${reportFile}`,
    )
    return failed.length === 0
  } finally {
    for (const close of closing.reverse()) await close()
  }
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    report: { type: 'string', default: new URL('../../soak.md', import.meta.url).pathname },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const minutes = Number(values.minutes)
if (values.help) console.log(HELP)
else if (!Number.isInteger(minutes) || minutes < 1) {
  console.error('--minutes must be a whole number of at least 1')
  process.exitCode = 2
} else if (!(await soak(minutes, values.report, values.keep))) process.exitCode = 1
