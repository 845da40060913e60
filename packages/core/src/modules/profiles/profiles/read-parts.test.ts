import { expect, it } from 'vitest'
import { type Readers, storageUnavailable } from '../../../ports/storage/storage.ts'
import { createPartReader, type PartReaderDeps } from './read-parts.ts'

const posts = { key: 'posts', load: async () => [{ id: 1, body: 'Hello', createdAt: new Date(0) }] } as const

function readerOf(parts: PartReaderDeps['parts']) {
  const errors: unknown[] = []
  // These parts read nothing.
  const read = {} as Readers
  return { errors, readParts: createPartReader({ read, parts, onError: (error) => errors.push(error) }) }
}

it('leaves out the part of a profile that fails, and reports its error', async () => {
  const failure = new Error('no rows')
  const { errors, readParts } = readerOf([posts, { key: 'sections', load: () => Promise.reject(failure) }])
  const { parts, isComplete } = await readParts(1)
  expect(parts).toEqual({ posts: await posts.load() })
  expect(isComplete).toBe(false)
  expect(errors).toEqual([failure])
})

it('reads all parts of a profile at the same time', async () => {
  const begun: string[] = []
  const gate = Promise.withResolvers<void>()
  const held = <Key extends 'posts' | 'sections'>(key: Key) => ({
    key,
    async load() {
      begun.push(key)
      await gate.promise
      return []
    },
  })
  const { readParts } = readerOf([held('posts'), held('sections')])
  const reading = readParts(1)
  expect(begun).toEqual(['posts', 'sections'])
  gate.resolve()
  expect(await reading).toEqual({ parts: { posts: [], sections: [] }, isComplete: true })
})

it('fails when the storage is unavailable, so that readers get the last document instead of a part of it', async () => {
  const { errors, readParts } = readerOf([posts, { key: 'sections', load: () => Promise.reject(storageUnavailable()) }])
  await expect(readParts(1)).rejects.toMatchObject({ code: 'storage_unavailable' })
  expect(errors).toEqual([])
})

it('refuses two parts with the same key', () => {
  expect(() => readerOf([posts, posts])).toThrow(new TypeError('Two modules add the part "posts" to profiles'))
})
