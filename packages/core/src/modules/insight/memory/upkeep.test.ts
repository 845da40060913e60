import { expect, it, vi } from 'vitest'
import { createMemorySeal } from './sealed-memory.ts'
import { createMemoryUpkeep, type MemoryUpkeepDeps } from './upkeep.ts'

it('removes texts from the index before and after it encrypts them', async () => {
  const steps: string[] = []
  const outdated = [{ sessionId: 'a', entryId: 1, text: '{}', keyId: null }]
  const memory = {
    removeExpired: async () => [],
    sweep: async () => 0,
    listOutdated: async () => outdated,
    replaceOutdated: async () => void steps.push('replace'),
  }
  // The upkeep calls these methods only.
  const write = ((work: (tx: object) => unknown) => work({ memory })) as unknown as MemoryUpkeepDeps['write']
  const upkeep = createMemoryUpkeep({
    write,
    clock: () => new Date(),
    seal: createMemorySeal(['a key of this memory, of 32 characters']),
    searchPartitions: { remove: async ([partition]) => void steps.push(`remove ${partition}`) },
    onError: vi.fn(),
  })
  upkeep.start()
  await vi.waitFor(() => expect(steps).toEqual(['remove memory:a', 'replace', 'remove memory:a']), 5_000)
  await upkeep.stop()
})
