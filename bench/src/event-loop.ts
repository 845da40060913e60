import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { client } from '@eep/test/support/client'
import { type Ask, type Family, largestRequests } from './event-loop/requests.ts'
import { type LargestService, openLargestService } from './event-loop/service.ts'
import type { Footprint } from './footprint.ts'

/** How long one request may keep all others waiting. */
const MAX_BLOCK_MS = 200
const ATTEMPTS = 3

interface Block {
  readonly ms: number
  readonly what: string
  readonly status: number
  /** Whether the service refused the request because of its form. */
  readonly isInvalid: boolean
}

/**
 * Measures the longest block of a request in processor time of the main thread, so that neither the database, nor worker threads, nor
 * other processes of the machine count: the best of a few attempts, relative to the speed of the machine.
 */
async function blockOf({ host, headers }: LargestService, ask: Ask): Promise<Block> {
  const { method = 'GET', url, accept, payload, type, as = headers } = ask
  let block: Block = { ms: Number.POSITIVE_INFINITY, what: '', status: 0, isInvalid: false }
  for (let attempt = 0; attempt < ATTEMPTS && block.ms > MAX_BLOCK_MS; attempt++) {
    const path = typeof url === 'string' ? url : url(attempt)
    const body = typeof payload === 'function' ? payload() : payload
    const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
    await host.longest()
    const response = await client(host.app).send(method as 'GET', path, isRaw ? body : JSON.stringify(body), {
      ...as,
      ...(accept ? { accept } : {}),
      ...(body === undefined ? {} : { 'content-type': type ?? 'application/json' }),
    })
    const { ms, slowness } = await host.longest()
    block = {
      ms: Math.min(block.ms, ms / Math.max(1, slowness)),
      what: `${method} ${path.slice(0, 100)} ${accept?.slice(0, 40) ?? ''} ${response.statusCode}`,
      status: response.statusCode,
      isInvalid: response.body.includes('"validation_failed"'),
    }
  }
  return block
}

/** @throws Error when the service refused what it should do */
function requireExpected({ what, expected }: Family, blocks: readonly Block[]): void {
  const invalid = blocks.filter(({ isInvalid }) => isInvalid).map((each) => each.what)
  if (expected === 'valid' && invalid.length > 0) throw new Error(`${what}: not valid: ${invalid.join('; ')}`)
  if (expected === undefined || expected === 'valid') return
  const answered = blocks.filter(({ status }) => status === expected.status).length
  if (answered !== expected.of)
    throw new Error(`${what}: ${answered} of ${expected.of} were answered ${expected.status}`)
}

/** How long the largest requests that the interface allows block the event loop, by kind. */
export async function measureEventLoop(connectionString: string): Promise<readonly Omit<Footprint, 'database'>[]> {
  const blobs = await mkdtemp(join(tmpdir(), 'eep-bench-loop-'))
  const service = await openLargestService(connectionString, blobs)
  try {
    const measured: Omit<Footprint, 'database'>[] = []
    for (const family of largestRequests(service)) {
      const blocks: Block[] = []
      for (const ask of await family.asks()) blocks.push(await blockOf(service, ask))
      requireExpected(family, blocks)
      for (const { ms, what } of blocks) if (ms > MAX_BLOCK_MS) console.error(`${ms.toFixed(0)} ms: ${what}`)
      const value = Math.round(Math.max(...blocks.map(({ ms }) => ms)))
      const what = `longest block of the event loop, ${blocks.length} ${family.what}`
      measured.push({ what, must: MAX_BLOCK_MS, value, unit: 'ms' })
    }
    return measured
  } finally {
    await service.host.stop()
    await rm(blobs, { recursive: true, force: true })
  }
}
