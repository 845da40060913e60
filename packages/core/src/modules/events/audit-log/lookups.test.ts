import { expect, it } from 'vitest'
import type { Readers } from '../../../ports/storage/storage.ts'
import { createLookups } from './lookups.ts'

it('reads each profile, account and DID once', async () => {
  const asked: unknown[] = []
  const ask = async (key: unknown) => void asked.push(key)
  // Only `get` is called.
  const read = { profiles: { get: ask }, accounts: { get: ask } } as unknown as Readers
  const nameOf = (did: string) => ({ type: 'person', username: did }) as const
  const none = async () => undefined
  const lookups = createLookups({ read, profiles: { nameOf }, myProfiles: { defaultOf: none, personOf: none } })
  for (let event = 1; event <= 3; event += 1) {
    await Promise.all([lookups.profile(1), lookups.profile(2), lookups.defaultOf('ada'), lookups.byDid('bert')])
    await lookups.personOf('ada')
  }
  expect(asked).toEqual([1, 2, 'ada', { type: 'person', username: 'bert' }])
})
