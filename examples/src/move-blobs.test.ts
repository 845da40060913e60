import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { directoryBlobs } from '@eep/core/files'
import { newBlobKey } from '@eep/core/ports'
import { expect, it } from 'vitest'
import { copyBlobs } from './move-blobs.ts'
import { memoryBlobs } from './own-blobs.ts'

it('finds every blob of a directory in another store, under the same key', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'eep-move-'))
  const [disk, memory] = [directoryBlobs({ directory }), memoryBlobs()]
  const keys = Array.from({ length: 130 }, () => newBlobKey())
  for (const key of keys) await disk.put(key, Readable.from([Buffer.from(`bytes of ${key}`)]))
  expect(await copyBlobs(disk, memory)).toBe(130)
  for (const key of keys) {
    const blob = await memory.get(key)
    expect(blob && (await text(blob.body))).toBe(`bytes of ${key}`)
  }
  await rm(directory, { recursive: true })
})
