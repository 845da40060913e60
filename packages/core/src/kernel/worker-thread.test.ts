import { expect, it } from 'vitest'
import { createWorkerThread } from './worker-thread.ts'

const file = new URL('./watched-thread-fixture.ts', import.meta.url)

it('resolves to the answer of a job when the thread sends other messages too', async () => {
  const thread = createWorkerThread<string, { readonly text: string }>({ file, maxMemoryMb: 64 })
  const jobs = ['a', 'b', 'c'].map((job) => thread.run(job, 60_000))
  expect(await Promise.all(jobs)).toEqual([{ text: 'A' }, { text: 'B' }, { text: 'C' }])
})

it('resolves to undefined for a job that fails, and runs the next one in the same thread', async () => {
  const thread = createWorkerThread<string, { readonly text: string }>({ file, maxMemoryMb: 64 })
  expect(await thread.run('bug', 60_000)).toBeUndefined()
  expect(await thread.run('next', 60_000)).toEqual({ text: 'NEXT' })
})
