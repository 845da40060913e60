import { crc32, deflateSync } from 'node:zlib'

function chunkOf(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

/** A PNG with one bit per pixel: a few kilobytes for any number of pixels. */
export function pngOf(width: number, height: number, chunks: readonly Buffer[] = []): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunkOf('IHDR', header),
    ...chunks,
    chunkOf('IDAT', rows),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
}

/** A PNG with a place in its metadata. */
export function hiddenPng() {
  const hidden = 'Made by Ada at 51.5 N'
  const bytes = pngOf(40, 20, [chunkOf('tEXt', Buffer.from(`Comment\0${hidden}`))])
  return { bytes, contentType: 'image/png', hidden }
}
