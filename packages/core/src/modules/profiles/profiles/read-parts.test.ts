import { afterEach, expect, it, vi } from 'vitest'
import type { AddedPart } from '../../../framework/module/profile-part.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { type Readers, storageUnavailable } from '../../../ports/storage/storage.ts'
import { blankProfile } from './new-profile.ts'
import { createPartReader } from './read-parts.ts'

const AT = new Date('2026-01-02T03:04:05.000Z')
const PROFILE: Profile = {
  ...blankProfile({ ownerAccountId: 'a', type: 'person', username: 'ada', fullName: null, at: AT }),
  id: 1,
  updatedAt: AT,
  withdrawnAt: null,
}

const partOf = (key: string, load: () => Promise<readonly unknown[]>, isOfHost = false): AddedPart => ({
  part: { key, after: 'about', limit: 2, title: () => key, load },
  module: `module-of-${key}`,
  isOfHost,
})

const posts = partOf('posts', async () => ['first'])

function readerOf(parts: readonly AddedPart[]) {
  const failures: unknown[] = []
  const readParts = createPartReader({
    // These parts read nothing.
    read: {} as Readers,
    parts,
    onPartFailure: (error, of) => failures.push([error, of]),
  })
  return {
    failures,
    readParts: async (profile: Profile) => {
      const { parts: read, hasFailed } = await readParts(profile)
      return { read: read.map(({ part, items }) => [part.key, items]), hasFailed: hasFailed() }
    },
  }
}

afterEach(() => {
  vi.useRealTimers()
})

it('leaves out the part of a profile that fails, and reports its error with its key and its module', async () => {
  const failure = new Error('no rows')
  const { failures, readParts } = readerOf([posts, partOf('sections', () => Promise.reject(failure))])
  expect(await readParts(PROFILE)).toEqual({ read: [['posts', ['first']]], hasFailed: true })
  expect(failures).toEqual([[failure, { part: 'sections', module: 'module-of-sections' }]])
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
  expect(await reading).toEqual({
    read: [
      ['posts', []],
      ['sections', []],
    ],
    hasFailed: false,
  })
})

it('keeps no more items than the limit of the part', async () => {
  const { readParts } = readerOf([partOf('posts', async () => ['first', 'second', 'third'])])
  expect((await readParts(PROFILE)).read).toEqual([['posts', ['first', 'second']]])
})

it('fails when the storage is unavailable, so that readers get the last document instead of a part of it', async () => {
  const { failures, readParts } = readerOf([posts, partOf('sections', () => Promise.reject(storageUnavailable()))])
  await expect(readParts(PROFILE)).rejects.toMatchObject({ code: 'storage_unavailable' })
  expect(failures).toEqual([])
})

it("leaves out the part of a host's module whose read does not end", async () => {
  vi.useFakeTimers()
  const { failures, readParts } = readerOf([posts, partOf('quotes', () => new Promise(() => {}), true)])
  const reading = readParts(PROFILE)
  await vi.runAllTimersAsync()
  expect(await reading).toEqual({ read: [['posts', ['first']]], hasFailed: true })
  expect(failures).toEqual([[new Error('No response within 5000 ms'), { part: 'quotes', module: 'module-of-quotes' }]])
})
