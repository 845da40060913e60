import { createServer, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { clamdScanner } from '@eep/core/files'
import { scannerContract } from '@eep/core/testing'
import * as vitest from 'vitest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Clamd, MAX_STREAM_BYTES, startClamd } from '../support/clamd.ts'

const file = { size: 6, contentType: 'text/plain', filename: 'x', signal: new AbortController().signal }

const clamd = await startClamd()

describe.skipIf(typeof clamd === 'string')(`clamd${typeof clamd === 'string' ? `: ${clamd}` : ''}`, () => {
  const { port, socketPath, stop } = clamd as Clamd
  const [byPort, bySocket] = [clamdScanner({ port }), clamdScanner({ socketPath })]
  const unreachable = clamdScanner({ socketPath: `${socketPath}-missing` })
  afterAll(() => stop())

  describe('by its port', () => scannerContract(vitest, () => ({ scanner: byPort, unreachable })))
  describe('by its socket', () => scannerContract(vitest, () => ({ scanner: bySocket, unreachable })))

  it('fails for a stream that is longer than clamd reads', async () => {
    const chunks = Array.from({ length: 40 }, () => Buffer.alloc(MAX_STREAM_BYTES / 16))
    await expect(byPort.scan(Readable.from(chunks), file)).rejects.toThrow()
  })
})

describe('a server in place of clamd', () => {
  let answer: (socket: Socket) => void = () => {}
  const server = createServer((socket) => {
    socket.on('error', () => {})
    answer(socket)
  })
  let port: number
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    port = typeof address === 'object' && address ? address.port : 0
  })
  afterAll(() => server.close())

  const scan = () => clamdScanner({ port, timeoutMs: 200 }).scan(Readable.from([Buffer.from('Hello.')]), file)
  const saying = (text: string) => (socket: Socket) => {
    socket.once('data', () => socket.end(text))
  }

  it('sends the bytes in frames, followed by an empty one', async () => {
    let heard = Buffer.alloc(0)
    answer = (socket) =>
      socket.on('data', (chunk) => {
        heard = Buffer.concat([heard, chunk])
        if (heard.subarray(-4).equals(Buffer.alloc(4))) socket.end('stream: OK\0')
      })
    expect(await scan()).toEqual({ verdict: 'clean' })
    const frames = [Buffer.from('zINSTREAM\0'), Buffer.from([0, 0, 0, 6]), Buffer.from('Hello.'), Buffer.alloc(4)]
    expect(heard).toEqual(Buffer.concat(frames))
  })

  it.each([
    ['an error', 'stream: Can not open file ERROR\0'],
    ['no end', 'stream: OK'],
    ['nothing', ''],
    ['another protocol', 'HTTP/1.1 200 OK\r\n\r\n\0'],
    ['more than a verdict', `stream: OK ${'x'.repeat(10_000)}`],
    ['a verdict on something else', 'stream: OK\nstream: Eicar FOUND\0'],
  ])('fails when the server answers %s', async (_, text) => {
    answer = saying(text)
    await expect(scan()).rejects.toThrow(/clamd/)
  })

  it('does not wait for a server that does not respond', async () => {
    answer = (socket) => socket.resume()
    await expect(scan()).rejects.toThrow('clamd did not respond within 200 ms')
  })

  it('requires exactly one of port and socket', () => {
    expect(() => clamdScanner({ socketPath: '/run/clamd', port: 1 })).toThrow(TypeError)
  })
})
