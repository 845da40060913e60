import { expect, it } from 'vitest'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { type Readers, storageUnavailable } from '../../../ports/storage/storage.ts'
import { blankProfile } from './new-profile.ts'
import { createPartReader, type PartReaderDeps } from './read-parts.ts'

const AT = new Date('2026-01-02T03:04:05.000Z')
const PROFILE: Profile = {
  ...blankProfile({ ownerAccountId: 'a', type: 'person', username: 'ada', fullName: null, at: AT }),
  id: 1,
  updatedAt: AT,
  withdrawnAt: null,
}

const partOf = (key: string, load: () => Promise<readonly unknown[]>) =>
  ({ key, after: 'about', limit: 2, title: () => key, load }) as const

const posts = partOf('posts', async () => ['first'])

function readerOf(parts: PartReaderDeps['parts']) {
  const errors: unknown[] = []
  // These parts read nothing.
  const read = {} as Readers
  return { errors, readParts: createPartReader({ read, parts, onError: (error) => errors.push(error) }) }
}

it('leaves out the part of a profile that fails, and reports its error', async () => {
  const failure = new Error('no rows')
  const { errors, readParts } = readerOf([posts, partOf('sections', () => Promise.reject(failure))])
  const { parts, isComplete } = await readParts(PROFILE)
  expect(parts).toEqual([{ part: posts, items: ['first'] }])
  expect(isComplete).toBe(false)
  expect(errors).toEqual([failure])
})

it('reads all parts of a profile at the same time', async () => {
  const begun: string[] = []
  const gate = Promise.withResolvers<void>()
  const held = (key: string) =>
    partOf(key, async () => {
      begun.push(key)
      await gate.promise
      return []
    })
  const { readParts } = readerOf([held('posts'), held('sections')])
  const reading = readParts(PROFILE)
  expect(begun).toEqual(['posts', 'sections'])
  gate.resolve()
  const { parts, isComplete } = await reading
  expect(parts.map(({ part }) => part.key)).toEqual(['posts', 'sections'])
  expect(isComplete).toBe(true)
})

it('keeps no more items than the limit of the part', async () => {
  const { readParts } = readerOf([partOf('posts', async () => ['first', 'second', 'third'])])
  expect((await readParts(PROFILE)).parts[0]?.items).toEqual(['first', 'second'])
})

it('fails when the storage is unavailable, so that readers get the last document instead of a part of it', async () => {
  const { errors, readParts } = readerOf([posts, partOf('sections', () => Promise.reject(storageUnavailable()))])
  await expect(readParts(PROFILE)).rejects.toMatchObject({ code: 'storage_unavailable' })
  expect(errors).toEqual([])
})
