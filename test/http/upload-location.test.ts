import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { fileOf } from '../support/files.ts'
import { openUploads } from '../support/uploads.ts'

const PLACE = '+48.8577+002.295/'
const MEDIA = Buffer.from('the frames of the film')

type Content = Buffer | string

const join = (...parts: readonly Content[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))
const u16 = (value: number) => Buffer.from([value >> 8, value & 255])
const u32 = (value: number) => join(u16(value >>> 16), u16(value & 0xffff))

function box(type: string, ...content: readonly Content[]) {
  const body = join(...content)
  return join(u32(body.length + 8), type, body)
}

const full = (type: string, version: number, ...content: readonly Content[]) =>
  box(type, u32(version << 24), ...content)
const ftyp = (brand: string) => box('ftyp', brand, u32(0), brand)
const hdlr = (handler: string) => full('hdlr', 0, u32(0), handler, Buffer.alloc(13))
const xmp = () => box('uuid', Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'), `<x:xmpmeta>${PLACE}</x:xmpmeta>`)
const title = () => full('meta', 0, hdlr('mdir'), box('ilst', box('\xA9nam', 'My holiday')))
const track = (...entries: readonly Buffer[]) =>
  box('trak', box('mdia', box('minf', box('stbl', full('stsd', 0, u32(entries.length), ...entries)))))
const mebx = (key: string) => box('mebx', Buffer.alloc(8), box('keys', box('\0\0\0\x01', box('keyd', 'mdta', key))))

const iphone = (...tracks: readonly Buffer[]) =>
  join(
    ftyp('qt  '),
    box('wide'),
    box('mdat', MEDIA),
    box(
      'moov',
      ...tracks,
      box('meta', hdlr('mdta'), box('keys', 'com.apple.quicktime.location.ISO6709'), box('ilst', PLACE)),
    ),
  )
const android = () =>
  join(
    ftyp('mp42'),
    box('moov', box('udta', box('\xA9xyz', PLACE), full('loci', 0, PLACE), title()), box('trak', box('udta', xmp()))),
    xmp(),
    box('mdat', MEDIA),
  )

/** A picture whose Exif item is in two pieces, and whose XMP item is in the item data box. */
function heic(method = 1) {
  const exif = `Exif ${PLACE}`
  const item = (id: number, type: string, ...rest: readonly Content[]) =>
    full('infe', 2, u16(id), u16(0), type, '\0', ...rest)
  const items = full('iinf', 0, u16(3), item(1, 'hvc1'), item(2, 'Exif'), item(3, 'mime', 'application/rdf+xml\0'))
  const data = box('idat', 'kept', `<x:xmpmeta>${PLACE}`)
  const build = (at: number) => {
    const extent = (start: number, length: number) => join(u32(start), u32(length))
    const place = (id: number, how: number, ...extents: readonly Buffer[]) =>
      join(u16(id), u16(how), u16(0), u16(extents.length), ...extents)
    const iloc = full(
      'iloc',
      1,
      u16(0x4400),
      u16(3),
      place(1, 0, extent(at, MEDIA.length)),
      place(2, 0, extent(at + MEDIA.length, 5), extent(at + MEDIA.length + 5, exif.length - 5)),
      place(3, method, extent(4, 11 + PLACE.length)),
    )
    return join(ftyp('heic'), full('meta', 0, hdlr('pict'), items, iloc, data), box('mdat', MEDIA, exif))
  }
  return build(build(0).length - MEDIA.length - exif.length)
}

describe('the location in files that are not re-encoded', async () => {
  const { send, get, left, account } = await openUploads()

  async function sendAndGet(bytes: Buffer, name: string) {
    const sent = await send(fileOf(bytes, name))
    expect(sent.statusCode, sent.body).toBe(200)
    return (await get(`/files/${sent.json().id}`)).rawPayload
  }

  it.each([
    ['an iPhone film', iphone(track(mebx('com.apple.quicktime.detected-face'))), 'a.mov'],
    ['an Android film', android(), 'a.mp4'],
    ['a HEIC picture', heic(), 'IMG_0001.HEIC'],
  ])('is removed from %s, while its size and its media stay', async (_, bytes, name) => {
    const stored = await sendAndGet(bytes, name)
    expect([bytes.includes(PLACE), stored.includes(PLACE), stored.includes('xmpmeta')]).toEqual([true, false, false])
    expect([stored.length, stored.indexOf(MEDIA)]).toEqual([bytes.length, bytes.indexOf(MEDIA)])
  })

  it('leaves the title of a film, and item data of other items', async () => {
    expect((await sendAndGet(android(), 'title.mp4')).includes('My holiday')).toBe(true)
    expect((await sendAndGet(heic(), 'data.heic')).includes('idatkept')).toBe(true)
  })

  it('leaves a film without a location unchanged', async () => {
    const bytes = join(ftyp('mp42'), box('moov', box('udta', title())), box('mdat', MEDIA))
    expect(await sendAndGet(bytes, 'plain.mp4')).toEqual(bytes)
  })

  it('lists the digest of the cleaned file', async () => {
    const stored = await sendAndGet(android(), 'digest.mp4')
    const { data } = (await get(`/files/list/u/${account.username}`)).json()
    expect(data[0]).toMatchObject({ sha256: createHash('sha256').update(stored).digest('hex'), size: stored.length })
  })

  it.each([
    ['a track of places of an iPhone', iphone(track(mebx('com.apple.quicktime.location.ISO6709'))), 'a.mov'],
    ['a track of places of an action camera', iphone(track(box('gpmd', Buffer.alloc(8)))), 'a.mov'],
    ['a track of camera motion', iphone(track(box('camm', Buffer.alloc(8)))), 'a.mov'],
    ['a box that is longer than the file', android().subarray(0, -1), 'a.mp4'],
    ['a compressed movie box', join(ftyp('qt  '), box('moov', box('cmov', PLACE))), 'a.mov'],
    ['metadata that is made of another item', heic(2), 'a.heic'],
    ['too many nested boxes', join(ftyp('mp42'), nested(40)), 'a.mp4'],
    ['too many boxes', join(ftyp('mp42'), Buffer.alloc(8 * 50_001, box('free'))), 'a.mp4'],
  ])('cannot be removed from a file with %s, which is refused', async (_, bytes, name) => {
    const before = await left()
    const response = await send(fileOf(bytes, name))
    expect([response.statusCode, codeOf(response)]).toEqual([415, 'location_not_removable'])
    expect(await left()).toEqual(before)
  })
})

function nested(depth: number): Buffer {
  return depth === 0 ? box('\xA9xyz', PLACE) : box('udta', nested(depth - 1))
}
