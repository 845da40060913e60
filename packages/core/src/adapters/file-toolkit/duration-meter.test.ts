import { describe, expect, it } from 'vitest'
import { wavOf } from '../../testing/recordings.ts'
import { createDurationMeter, type DurationLimits } from './duration-meter.ts'

const readOf = (bytes: Buffer) => async (start: number, end: number) => new Uint8Array(bytes.subarray(start, end))
const measure = (bytes: Buffer, limits?: DurationLimits) => createDurationMeter(limits)(bytes.length, readOf(bytes))

/** Frames of MPEG-1 layer III at 44.1 kHz, 128 kbit/s, of 1,152 samples each. */
const mp3Of = (frames: number) => {
  const frame = Buffer.alloc(417)
  frame.writeUInt32BE(0xff_fb_90_00)
  return Buffer.concat(Array.from({ length: frames }, () => frame))
}

/** A page of Ogg with one packet. */
function oggPage(serial: number, number: number, granule: bigint, flags: number, packet: Buffer): Buffer {
  const sizes = [...Array.from({ length: Math.floor(packet.length / 255) }, () => 255), packet.length % 255]
  const header = Buffer.alloc(27)
  header.write('OggS')
  header.writeUInt8(flags, 5)
  header.writeBigUInt64LE(granule, 6)
  header.writeUInt32LE(serial, 14)
  header.writeUInt32LE(number, 18)
  header.writeUInt8(sizes.length, 26)
  return Buffer.concat([header, Buffer.from(sizes), packet])
}

const OPUS_HEAD = Buffer.from('4f707573486561640101000080bb0000000000', 'hex')
const OPUS_TAGS = Buffer.from('4f7075735461677300000000' + '00000000', 'hex')

/** Opus, whose length is in its last page only; without that page it has no end. */
function opusOf(seconds: number, hasEnd = true): Buffer {
  const pages = [oggPage(1, 0, 0n, 2, OPUS_HEAD), oggPage(1, 1, 0n, 0, OPUS_TAGS)]
  for (let second = 1; second <= seconds; second++) {
    const flags = hasEnd && second === seconds ? 4 : 0
    pages.push(oggPage(1, second + 1, BigInt(second * 48_000), flags, Buffer.alloc(2_000, 0xf8)))
  }
  return Buffer.concat(pages)
}

const atom = (name: string, ...parts: readonly Buffer[]) => {
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(name, 4)
  return Buffer.concat([head, body])
}

/** One track of it, by which its length is known. */
function trackOf(seconds: number): Buffer {
  const header = Buffer.alloc(24)
  header.writeUInt32BE(1_000, 12)
  header.writeUInt32BE(seconds * 1_000, 16)
  const handler = Buffer.alloc(24)
  handler.write('vide', 8)
  return atom('trak', atom('tkhd', Buffer.alloc(84)), atom('mdia', atom('mdhd', header), atom('hdlr', handler)))
}

/** A video with its header after the media data. */
function mp4Of(seconds: number, bytes: number): Buffer {
  const ftyp = atom('ftyp', Buffer.from('isom\0\0\x02\0isommp41'))
  return Buffer.concat([ftyp, atom('mdat', Buffer.alloc(bytes)), atom('moov', trackOf(seconds))])
}

describe('the duration of a recording', () => {
  it.each([
    ['WAV', wavOf(61), 61],
    ['MP3 without any header', mp3Of(2_000), (2_000 * 1_152) / 44_100],
    ['Opus', opusOf(95), 95],
    ['MP4 with its header at the end', mp4Of(130, 3_000_000), 130],
  ])('is read from %s', async (_, bytes, seconds) => {
    expect(await measure(bytes)).toBeCloseTo(seconds, 0)
  })

  it('is unknown for other files and for damaged recordings', async () => {
    const film = mp4Of(130, 1_000)
    for (const bytes of [Buffer.alloc(0), Buffer.from('Hello.'), Buffer.alloc(300_000, 7), film.subarray(0, 900)]) {
      expect(await measure(bytes)).toBeUndefined()
    }
  })

  it('is read from some ranges, however large the film is', async () => {
    const film = mp4Of(7, 100)
    const size = 1_000_000_000_000
    const ftyp = film.subarray(0, 24)
    const wide = Buffer.alloc(16)
    wide.writeUInt32BE(1)
    wide.write('mdat', 4)
    const moov = film.subarray(24 + 108)
    wide.writeBigUInt64BE(BigInt(size - ftyp.length - moov.length), 8)
    const head = Buffer.concat([ftyp, wide])
    let asked = 0
    const seconds = await createDurationMeter()(size, async (start, end) => {
      asked += 1
      const bytes = new Uint8Array(end - start)
      if (start === 0) bytes.set(head)
      if (end === size) bytes.set(moov, bytes.length - moov.length)
      return bytes
    })
    expect(seconds).toBeCloseTo(7, 0)
    expect(asked).toBeLessThan(10)
  })

  it('is unknown when reading it takes too many bytes or too long', async () => {
    const endless = opusOf(2_000, false)
    expect(await measure(endless, { maxBytes: 1_000_000 })).toBeUndefined()
    const never = createDurationMeter({ maxMs: 50 })(1_000, () => new Promise(() => {}))
    expect(await never).toBeUndefined()
  })

  it('is unknown when the bytes cannot be read', async () => {
    const broken = createDurationMeter()(1_000, () => Promise.reject(new Error('the disk is gone')))
    await expect(broken).rejects.toThrow('the disk is gone')
  })

  it('is measured for many recordings, several concurrently', async () => {
    const meter = createDurationMeter()
    const bytes = wavOf(3)
    const all = await Promise.all(Array.from({ length: 5 }, () => meter(bytes.length, readOf(bytes))))
    expect(all.map((seconds) => Math.round(seconds ?? 0))).toEqual([3, 3, 3, 3, 3])
  })
})
