import { availableParallelism } from 'node:os'
import { postgresStorage } from '@eep/adapters-postgres'
import { eep } from '@eep/core'
import { everything } from '@eep/core/everything'
import { directoryBlobs } from '@eep/core/files'
import { documentConverter } from '@eep/core/files/text'
import { cashRail, createCashWallets, echoTranscriber } from '@eep/core/testing'
import Fastify from 'fastify'
import { Pool } from 'pg'

/**
 * A host that measures how long its event loop is blocked, in CPU time of the main thread: other processes on a busy machine do
 * not count, and neither do worker threads. Started as a process with `DATABASE_URL` and `BLOBS`; answers messages.
 */
export type MeasuredMessage =
  | { readonly type: 'listening'; readonly url: string }
  /** The longest block since the last question, and how much slower than at its best this machine is now. */
  | { readonly type: 'longest'; readonly ms: number; readonly slowness: number }

const SECRET = 'a secret for benchmarks, thirty-two characters'
const TICK_MS = 5
const WORTH_CALIBRATING_MS = 100

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage()
  return (user + system) / 1000
}

/** CPU time of a fixed piece of work. Hyperthreads and caches that are shared make it longer. */
function calibrate(): number {
  const began = cpuMs()
  const text = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ({ at, name: `name ${at}` })))
  JSON.parse(text)
  return cpuMs() - began
}

function measure() {
  let last = cpuMs()
  let longest = 0
  setInterval(() => {
    const now = cpuMs()
    longest = Math.max(longest, now - last)
    last = now
  }, TICK_MS)
  return {
    take(): number {
      const taken = Math.max(longest, cpuMs() - last)
      last = cpuMs()
      longest = 0
      return taken
    },
    skip() {
      last = cpuMs()
    },
  }
}

async function main() {
  const { DATABASE_URL, BLOBS = '' } = process.env
  const app = Fastify()
  const storage = postgresStorage({ pool: new Pool({ connectionString: DATABASE_URL, max: 10 }) })
  await storage.migrate()
  await app.register(eep, {
    publicUrl: 'https://profiles.example',
    secret: SECRET,
    storage,
    payments: { rails: [cashRail({ cashWallets: createCashWallets() })] },
    limits: { rateLimit: { multiplier: 100_000 }, plans: { community: { limits: { maxStorageMb: 10_000 } } } },
    auth: { passwordHashing: { memoryKiB: 1_024, concurrency: availableParallelism() } },
    modules: everything({
      files: { blobStore: directoryBlobs({ directory: BLOBS }) },
      media: { transcriber: echoTranscriber() },
      textExtraction: { converter: documentConverter() },
    }),
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const best = Math.min(...Array.from({ length: 10 }, calibrate))
  const blocks = measure()
  process.on('message', () => {
    const ms = blocks.take()
    const slowness = ms < WORTH_CALIBRATING_MS ? 1 : calibrate() / best
    blocks.skip()
    process.send?.({ type: 'longest', ms, slowness } satisfies MeasuredMessage)
  })
  process.once('disconnect', () => process.exit(0))
  process.send?.({ type: 'listening', url } satisfies MeasuredMessage)
}

await main()
