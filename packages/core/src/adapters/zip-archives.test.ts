import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { type ArchiveEntry, type ArchiveSource, invalidArchive } from '../ports/archive-format.ts'
import { zipArchives } from './zip-archives.ts'

const format = zipArchives()
const modifiedAt = new Date(0)

async function archiveOf(members: ReadonlyMap<string, string | Buffer>): Promise<Buffer> {
  const writer = format.write()
  const written = buffer(writer.output)
  for (const [path, content] of members)
    await writer.add(path, Readable.from([content]), { modifiedAt, compress: true })
  writer.finish()
  return written
}

/** An archive whose ranges are counted. */
function sourceOf(bytes: Buffer) {
  const ranges: (readonly [number, number])[] = []
  const source: ArchiveSource = {
    size: bytes.length,
    async read(start, end) {
      ranges.push([start, end])
      return Readable.from([bytes.subarray(start, end)])
    },
  }
  return { source, ranges }
}

async function entriesOf(source: ArchiveSource): Promise<readonly ArchiveEntry[]> {
  const entries: ArchiveEntry[] = []
  for await (const entry of format.entries(source)) entries.push(entry)
  return entries
}

describe('reading a ZIP', () => {
  it('reads the directory and small members in ranges of a megabyte', async () => {
    const members = new Map(Array.from({ length: 1_000 }, (_, at) => [`content/page-${at}.md`, `Page ${at}`]))
    const bytes = await archiveOf(members)
    const { source, ranges } = sourceOf(bytes)
    const entries = await entriesOf(source)
    const found = new Map<string, string>()
    for (const entry of entries) found.set(entry.path, await text(await entry.open()))
    expect(found).toEqual(members)
    // The end, the directory and the members.
    expect(ranges.length).toBeLessThanOrEqual(3 + Math.ceil(bytes.length / 1_048_576))
  })

  it('streams a member that is larger than the window as one range', async () => {
    const noise = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => (at * at * 31 + at) % 251))
    const writer = format.write()
    const written = buffer(writer.output)
    await writer.add('files/1/noise.bin', Readable.from([noise]), { modifiedAt, compress: false })
    writer.finish()
    const { source, ranges } = sourceOf(await written)
    const [entry] = await entriesOf(source)
    const before = ranges.length
    expect((await buffer(await (entry as ArchiveEntry).open())).equals(noise)).toBe(true)
    expect(ranges.slice(before).filter(([start, end]) => end - start >= noise.length)).toHaveLength(1)
    expect(ranges.length - before).toBeLessThanOrEqual(2)
  })

  it('passes on the error of its source, and rejects a source that ends too early', async () => {
    const bytes = await archiveOf(new Map([['a.md', 'A']]))
    const gone = invalidArchive({ message: 'The bucket is gone' })
    await expect(entriesOf({ size: bytes.length, read: () => Promise.reject(gone) })).rejects.toBe(gone)
    const short: ArchiveSource = {
      size: bytes.length,
      read: async (start) => Readable.from([bytes.subarray(start, -9)]),
    }
    await expect(entriesOf(short)).rejects.toMatchObject({ code: 'invalid_archive' })
  })
})
