import { expect, it } from 'vitest'
import { createDiffQueue } from './diff-queue.ts'

const decode = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes))
/** Lines that have nothing in common with those of another mark. */
const lines = (mark: string, count: number) => Array.from({ length: count }, (_, at) => `${mark}${at}`).join('\n')

it('compares texts in a worker thread and caches the result', async () => {
  const diff = createDiffQueue()
  const job = { from: 'a\nb\n', to: 'a\nc\n' }
  const first = await diff(job, 'ada')
  expect(decode(first)).toMatchObject({ added: 1, removed: 1, coarse: false, hunks: [{ old_start: 1, new_lines: 2 }] })
  expect(await diff({ ...job }, 'bob')).toBe(first)
})

it('leaves the event loop free while it compares texts of the largest size', async () => {
  const diff = createDiffQueue()
  await diff({ from: 'start', to: 'the thread' }, 'ada')
  const job = { from: '\n'.repeat(1_048_576), to: 'x\n'.repeat(524_288) }
  const before = process.threadCpuUsage()
  const bytes = await diff(job, 'ada')
  const { user, system } = process.threadCpuUsage(before)
  expect(bytes.byteLength).toBeGreaterThan(8_000_000)
  // The comparison itself takes seconds of the worker's time; a busy machine makes reading the clock of a thread less exact.
  expect((user + system) / 1000).toBeLessThan(500)
  expect(decode(bytes)).toMatchObject({ coarse: true, removed: 1_048_576, added: 524_288 })
}, 300_000)

it('refuses the fourth pending comparison of an account and the eleventh of all with 503', async () => {
  const diff = createDiffQueue()
  const pending: Promise<unknown>[] = []
  const begin = (account: string) => {
    const asked = diff({ from: lines(`a${pending.length} `, 900), to: lines('b', 900) }, account)
    pending.push(asked)
    return asked
  }
  for (const account of ['ada', 'ada', 'ada']) void begin(account).catch(() => {})
  await expect(diff({ from: '1', to: '2' }, 'ada')).rejects.toMatchObject({
    code: 'diff_busy',
    status: 503,
    retryAfterMs: 5_000,
  })
  for (let at = 0; at < 7; at++) void begin(`account ${at}`).catch(() => {})
  await expect(diff({ from: '1', to: '2' }, 'bob')).rejects.toMatchObject({ code: 'diff_busy' })
  await Promise.allSettled(pending)
  expect(decode(await diff({ from: '1', to: '2' }, 'ada'))).toMatchObject({ added: 1, removed: 1 })
}, 300_000)
