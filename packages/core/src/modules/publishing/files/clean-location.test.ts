import { Readable } from 'node:stream'
import { brotliCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { BlobStore } from '../../../ports/blob-store.ts'
import { cleanLocation } from './clean-location.ts'
import { imageSizeOf } from './image-header.ts'

/** A store of one file, which counts what is read of it. */
function storeOf(bytes: Buffer) {
  const read = { requests: 0, bytes: 0 }
  let written: Buffer | undefined
  const blobs = {
    async get(_key: string, range?: { readonly start: number; readonly end: number }) {
      const part = range ? bytes.subarray(range.start, range.end + 1) : bytes
      read.requests += 1
      read.bytes += part.length
      return { body: Readable.from([part]), size: part.length }
    },
    async put(_key: string, body: Readable) {
      written = Buffer.concat(await body.toArray())
      return { size: written.length }
    },
  } as unknown as BlobStore
  const clean = (contentType: string) =>
    cleanLocation(
      { key: 'a', contentType, size: bytes.length, sha256: '' },
      { signal: new AbortController().signal, refuse: () => undefined },
      blobs,
    )
  return { read, clean, written: () => written }
}

const box = (type: string, ...content: readonly Buffer[]) => {
  const body = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + body.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}
const u16 = (...values: readonly number[]) =>
  Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])))
const u32 = (...values: readonly number[]) =>
  Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(value)
      return bytes
    }),
  )
/** A directory of TIFF, big-endian, with the same entry many times. */
const directory = (count: number, tag: number, values: number, at: number) =>
  Buffer.concat([
    u16(count),
    ...Array.from({ length: count }, () => Buffer.concat([u16(tag, 1), u32(values, at)])),
    u32(0),
  ])
const tiff = (first: Buffer, rest = Buffer.alloc(0)) => Buffer.concat([Buffer.from('MM\0*'), u32(8), first, rest])
const segment = (marker: number, content: Buffer) =>
  Buffer.concat([Buffer.from([0xff, marker]), u16(content.length + 2), content])

const JXL = Buffer.from('0000000c4a584c200d0a870a', 'hex')
const ORIENTATION = 0x0112
const XMP = 700

describe('an uploaded image that refers to the same bytes again and again', () => {
  const refused = { code: 'location_not_removable' }

  it('is refused before all of its packed metadata is unpacked, while other work goes on', async () => {
    const packed = box('brob', Buffer.from('xml '), brotliCompressSync(Buffer.alloc(4_000_000)))
    const { read, clean } = storeOf(Buffer.concat([JXL, ...Array.from({ length: 1_000 }, () => packed)]))
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 0)
    await expect(clean('image/jxl')).rejects.toMatchObject(refused)
    clearInterval(timer)
    expect(turns).toBeGreaterThan(1)
    expect(read.requests).toBeLessThan(10)
  })

  it('is refused when its boxes are nested, or more than a file has', async () => {
    const nested = Array.from({ length: 20 }).reduce<Buffer>((inner) => box('moov', inner), box('free'))
    await expect(storeOf(Buffer.concat([JXL, nested])).clean('image/jxl')).rejects.toMatchObject(refused)
    const many = Array.from({ length: 11 }, () => box('moov', ...Array.from({ length: 1_000 }, () => box('free'))))
    await expect(storeOf(Buffer.concat([JXL, ...many])).clean('image/jxl')).rejects.toMatchObject(refused)
  })

  it('is refused with more than one XMP text in a directory, without reading each', async () => {
    const { read, clean } = storeOf(tiff(directory(19_000, XMP, 4_000_000, 300_000), Buffer.alloc(4_200_000)))
    await expect(clean('image/tiff')).rejects.toMatchObject(refused)
    expect(read.bytes).toBeLessThan(6_000_000)
  })

  it('is read once for each directory, also with an entry that lists directories', async () => {
    const list = tiff(directory(1, 330, 60, 26), u32(...Array.from({ length: 60 }, () => 8)))
    const { read, clean } = storeOf(list)
    await clean('image/tiff')
    expect(read.requests).toBeLessThan(10)
  })

  it('has the size in its header, however many orientations it has', async () => {
    const exif = segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff(directory(5_000, XMP, 60_000, 0))]))
    const frame = segment(0xc0, Buffer.concat([Buffer.from([8]), u16(48, 64), Buffer.from([1, 1, 0x11, 0])]))
    const bytes = Buffer.concat([Buffer.from([0xff, 0xd8]), ...Array.from({ length: 8 }, () => exif), frame])
    let reads = 0
    const size = await imageSizeOf(async (start, length) => {
      reads += 1
      return bytes.subarray(start, start + length)
    }, 'image/jpeg')
    expect(size).toEqual({ width: 64, height: 48 })
    expect(reads).toBeLessThan(40)
  })

  it('is turned by its first orientation', async () => {
    const turned = (value: number) =>
      segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff(directory(1, ORIENTATION, 1, value << 16))]))
    const frame = segment(0xc0, Buffer.concat([Buffer.from([8]), u16(48, 64), Buffer.from([1, 1, 0x11, 0])]))
    const bytes = Buffer.concat([Buffer.from([0xff, 0xd8]), turned(6), turned(1), frame])
    const size = await imageSizeOf(async (start, length) => bytes.subarray(start, start + length), 'image/jpeg')
    expect(size).toEqual({ width: 48, height: 64 })
  })

  it('is fetched in a few requests, also its last bytes', async () => {
    const scan = Buffer.from([0xff, 0xda, 0, 2])
    const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8]), ...Array.from({ length: 16_000 }, () => scan)])
    const { read, clean } = storeOf(jpeg)
    await clean('image/jpeg')
    expect(read.requests).toBeLessThan(10)
  })

  it('is fetched in a few requests, also with blocks of one byte', async () => {
    const screen = Buffer.concat([Buffer.from('GIF89a'), Buffer.from([1, 0, 1, 0, 0, 0, 0])])
    const picture = Buffer.concat([
      Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2]),
      Buffer.alloc(2_000_000, 1),
      Buffer.from([0, 0x3b]),
    ])
    const { read, clean } = storeOf(Buffer.concat([screen, picture]))
    await clean('image/gif')
    expect(read.requests).toBeLessThan(10)
  })
})

describe('a film or HEIC image whose lists of items name the same bytes again and again', () => {
  const refused = { code: 'location_not_removable' }
  /** The boxes of one Exif item with many extents of some length; the fields have the given sizes in bytes. */
  function list(extents: number, { field = 4, length = 100 } = {}) {
    const entry = box('infe', Buffer.from([2, 0, 0, 0]), u16(1, 0), Buffer.from('Exif\0'))
    const items = box('iinf', Buffer.alloc(4), u16(1), entry)
    const places = Array.from({ length: field === 0 ? 0 : extents }, () => u32(0, length))
    const location = box('iloc', Buffer.alloc(4), u16((field << 12) | (field << 8), 1, 1, 0, extents), ...places)
    return box('meta', Buffer.alloc(4), items, location)
  }

  it('is cleaned at each place once', async () => {
    const { clean, written } = storeOf(Buffer.concat([box('free', Buffer.alloc(200, 7)), list(5_000)]))
    await clean('image/heic')
    expect(written()?.subarray(0, 100).equals(Buffer.alloc(100))).toBe(true)
    expect(written()?.subarray(100, 208).equals(Buffer.alloc(108, 7))).toBe(true)
  })

  it('is refused with too many lists or places', async () => {
    for (const lists of [Array.from({ length: 17 }, () => list(1)), [list(6_000), list(6_000)]]) {
      const { clean } = storeOf(Buffer.concat([box('free', Buffer.alloc(200)), ...lists]))
      await expect(clean('image/heic')).rejects.toMatchObject(refused)
    }
  })

  it('is refused when places without bytes are more than a file has', async () => {
    const one = (id: number) => u16(id, 0, 65_535)
    const entry = box('infe', Buffer.from([2, 0, 0, 0]), u16(9_999, 0), Buffer.from('Exif\0'))
    const items = box('iinf', Buffer.alloc(4), u16(1), entry)
    const location = box('iloc', Buffer.alloc(4), u16(0, 9_000), ...Array.from({ length: 9_000 }, (_, id) => one(id)))
    const { clean } = storeOf(box('meta', Buffer.alloc(4), items, location))
    await expect(clean('image/heic')).rejects.toMatchObject(refused)
  })
})
