import { generateKeyPairSync } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { downloaded, hashOf, imported, type Members, resigned, unzip, zip } from '../support/archives.ts'
import { client } from '../support/client.ts'
import { fileOf } from '../support/files.ts'
import { newFilledProfile, openTwoServices } from '../support/filled-profile.ts'
import { openUploads } from '../support/uploads.ts'

const ARTIST = 'Ada Lovelace'
const XMP = '<x:xmpmeta exif:GPSLatitude="51,30N"/>'
const APPENDED = 'a film after the picture'

const drawn = () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  return sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal', noise } }).withIccProfile('p3')
}
const tagged = (orientation?: number) =>
  drawn()
    .withExif({ IFD0: { Artist: ARTIST }, IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } })
    .withMetadata({ ...(orientation && { orientation }) })
    .withXmp(XMP)

const pixels = (bytes: Buffer) => sharp(bytes, { animated: true }).raw().toBuffer()

/** A GIF of two frames, with a comment and XMP as Photoshop writes it: as text, with the trailer that ends it for readers. */
async function gif(): Promise<Buffer> {
  const frames = Buffer.concat(await Promise.all(['teal', 'red'].map((background) => frame(background))))
  const bytes = await sharp(frames, { raw: { width: 8, height: 16, channels: 3, pageHeight: 8 } })
    .gif({ loop: 3 })
    .toBuffer()
  const trailer = Buffer.from([1, ...Array.from({ length: 256 }, (_, index) => 255 - index), 0])
  const xmp = Buffer.concat([Buffer.from('21ff0b', 'hex'), Buffer.from(`XMP DataXMP${XMP}`), trailer])
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, ARTIST.length]), Buffer.from(`${ARTIST}\0`)])
  const head = 13 + 3 * 2 ** (((bytes[10] as number) & 7) + 1)
  return Buffer.concat([bytes.subarray(0, head), xmp, comment, bytes.subarray(head)])
}

const frame = (background: string) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .raw()
    .toBuffer()

/** Exif data or a TIFF file with one directory, and a second one with places or only with a version. */
function tiff(gpsTag: number | undefined): Buffer {
  const bytes = Buffer.alloc(64)
  bytes.write('II*\0', 0, 'latin1')
  bytes.writeUInt32LE(8, 4)
  bytes.writeUInt16LE(1, 8)
  bytes.writeUInt16LE(gpsTag === undefined ? 0x0100 : 0x8825, 10)
  bytes.writeUInt16LE(4, 12)
  bytes.writeUInt32LE(1, 14)
  bytes.writeUInt32LE(32, 18)
  bytes.writeUInt16LE(1, 32)
  bytes.writeUInt16LE(gpsTag ?? 0, 34)
  return bytes
}

function box(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}

const jpegXl = (...boxes: readonly Buffer[]) =>
  Buffer.concat([Buffer.from('0000000c4a584c200d0a870a', 'hex'), ...boxes, box('jxlc', Buffer.from('ff0a', 'hex'))])
const exifBox = (content: Buffer) => box('Exif', Buffer.concat([Buffer.alloc(4), content]))

describe('images without an image processor', async () => {
  const { send, get, left } = await openUploads()

  async function sendAndGet(bytes: Buffer, name: string) {
    const sent = await send(fileOf(bytes, name))
    expect(sent.statusCode, sent.body).toBe(200)
    return (await get(`/files/${sent.json().id}`)).rawPayload
  }

  it.each([
    ['a JPEG', () => tagged().jpeg().toBuffer(), 'a.jpg'],
    ['a progressive JPEG', () => tagged().jpeg({ progressive: true }).toBuffer(), 'p.jpg'],
    ['a PNG', () => tagged().png().toBuffer(), 'a.png'],
    ['a WebP', () => tagged().webp().toBuffer(), 'a.webp'],
    ['a lossless WebP', () => tagged().webp({ lossless: true }).toBuffer(), 'l.webp'],
    ['a GIF', gif, 'a.gif'],
  ])('lose the metadata and the appended data of %s, and keep size, pixels and colors', async (_, make, name) => {
    const bytes = Buffer.concat([await make(), Buffer.from(APPENDED)])
    const stored = await sendAndGet(bytes, name)
    expect(bytes.includes(ARTIST)).toBe(true)
    expect([ARTIST, 'xmpmeta', 'GPS', APPENDED].filter((text) => stored.includes(text))).toEqual([])
    expect(stored.length).toBe(bytes.length)
    expect(await pixels(stored)).toEqual(await pixels(bytes))
    const [before, after] = [await sharp(bytes).metadata(), await sharp(stored).metadata()]
    expect([after.exif, after.xmp, after.icc, after.pages]).toEqual([undefined, undefined, before.icc, before.pages])
  })

  it.each([
    ['a JPEG', 'jpeg', 'a.jpg'],
    ['a PNG', 'png', 'a.png'],
    ['a WebP', 'webp', 'a.webp'],
  ] as const)('keep the orientation of %s', async (_, format, name) => {
    const stored = await sendAndGet(await tagged(6).toFormat(format).toBuffer(), name)
    expect((await sharp(stored).metadata()).orientation).toBe(6)
    expect([stored.includes(ARTIST), stored.includes('GPS')]).toEqual([false, false])
  })

  it.each([
    ['JPEG', 'jpeg', 'a.jpg'],
    ['PNG', 'png', 'a.png'],
    ['WebP', 'webp', 'a.webp'],
  ] as const)('are stored byte for byte when a %s has no metadata', async (_, format, name) => {
    const bytes = await drawn().toFormat(format).toBuffer()
    expect(await sendAndGet(bytes, name)).toEqual(bytes)
  })

  it.each([
    ['a JPEG whose segments end in other bytes', async () => damaged(await tagged().jpeg().toBuffer()), 'a.jpg'],
    ['a TIFF with coordinates', () => tiff(2), 'a.tif'],
    ['a TIFF whose directories cannot be read', () => tiff(2).subarray(0, 20), 'a.tif'],
    ['a JPEG XL with coordinates', () => jpegXl(exifBox(tiff(2))), 'a.jxl'],
    ['a JPEG XL with coordinates in XMP', () => jpegXl(box('xml ', Buffer.from(XMP))), 'a.jxl'],
    ['a JPEG XL with packed metadata that cannot be read', () => jpegXl(box('brob', Buffer.from('Exif?'))), 'a.jxl'],
  ])('are refused when the location cannot be removed from %s', async (_, make, name) => {
    const before = await left()
    const response = await send(fileOf(await make(), name))
    expect([response.statusCode, codeOf(response)]).toEqual([415, 'location_not_removable'])
    expect(await left()).toEqual(before)
  })

  it.each([
    ['a TIFF without a location', tiff(undefined), 'a.tif'],
    ['a TIFF with only the version of its empty GPS directory', tiff(0), 'a.tif'],
    ['a JPEG XL without a location', jpegXl(exifBox(tiff(undefined))), 'a.jxl'],
    ['a JPEG XL without metadata', Buffer.from('ff0a00000000000000000000', 'hex'), 'b.jxl'],
  ])('are stored unchanged: %s', async (_, bytes, name) => {
    expect(await sendAndGet(bytes, name)).toEqual(bytes)
  })
})

describe('files of an imported archive', async () => {
  const { from, to, ada } = await openTwoServices()

  it('lose their metadata like uploaded files, and are refused like these', async () => {
    const profile = await newFilledProfile(from.app, ada, 'place', 'l')
    const members = await unzip(await downloaded(from.app, ada, { profile_id: profile.id }))
    const withFile = async (bytes: Buffer, type: string, extension: string) =>
      zip(resigned(members, exchanged(members, bytes, type, extension), generateKeyPairSync('ed25519')))

    const bob = await signUp(to.app)
    const photo = await tagged().jpeg().toBuffer()
    const job = await imported(to.app, bob, await withFile(photo, 'image/jpeg', 'jpg'))
    expect(job.error).toBe(null)
    const { files } = (await client(to.app).get(`/l/${profile.username}?format=json`)).json()
    const { id } = files.find(({ filename }: { readonly filename: string }) => filename === 'dot.jpg')
    const { rawPayload } = await client(to.app).get(`/files/${id}`)
    expect([rawPayload.length, rawPayload.includes(ARTIST), rawPayload.includes('GPS')]).toEqual([
      photo.length,
      false,
      false,
    ])
    expect(hashOf(rawPayload)).not.toBe(hashOf(photo))

    const refused = await imported(to.app, await signUp(to.app), await withFile(tiff(2), 'image/tiff', 'tif'))
    expect(refused.error?.code).toBe('location_not_removable')
  })
})

/** Changes of an archive that put another file in the place of `dot.png`. */
function exchanged(members: Members, bytes: Buffer, type: string, extension: string) {
  const path = [...members.keys()].find((each) => each.endsWith('dot.png')) ?? ''
  const files = JSON.parse(String(members.get('files.json')))
  const changed = files.map((file: { readonly path: string }) =>
    file.path === path
      ? {
          ...file,
          path: path.replace('png', extension),
          filename: `dot.${extension}`,
          content_type: type,
          size: bytes.length,
        }
      : file,
  )
  return { [path]: undefined, [path.replace('png', extension)]: bytes, 'files.json': JSON.stringify(changed) }
}

/** Other bytes between the header of the picture and its next segment. */
function damaged(jpeg: Buffer): Buffer {
  const frame = jpeg.indexOf(Buffer.from('ffc0', 'hex'))
  const end = frame + 2 + jpeg.readUInt16BE(frame + 2)
  return Buffer.concat([jpeg.subarray(0, end), Buffer.from(ARTIST), jpeg.subarray(end)])
}
