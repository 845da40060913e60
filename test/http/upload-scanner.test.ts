import type { Readable } from 'node:stream'
import { clamdScanner } from '@eep/core/files'
import type { ScannedFile, Scanner } from '@eep/core/ports'
import { EICAR } from '@eep/core/testing'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { startClamd } from '../support/clamd.ts'
import { client } from '../support/client.ts'
import { field, fileOf, formOf, PNG } from '../support/files.ts'
import { openUploads } from '../support/uploads.ts'

const clamd = await startClamd()

describe.skipIf(typeof clamd === 'string')(
  `files that clamd scans${typeof clamd === 'string' ? `: ${clamd}` : ''}`,
  async () => {
    if (typeof clamd === 'string') return
    const uploads = await openUploads({ files: { scanner: clamdScanner({ port: clamd.port }) } })
    afterAll(() => clamd.stop())

    it('stores clean uploads, and rejects all files of an upload with one infected file, wherever it hides', async () => {
      expect((await uploads.send(fileOf('Hello.'))).statusCode).toBe(200)
      const before = await uploads.left()
      for (const bad of [EICAR, Buffer.concat([PNG, Buffer.from(EICAR)])]) {
        const response = await uploads.send(fileOf('good'), fileOf(bad, 'bad'), fileOf('good too'))
        expect([response.statusCode, codeOf(response)]).toEqual([422, 'file_infected'])
        expect(response.json().error.details).toEqual({ filename: 'bad', signature: expect.stringMatching(/eicar/i) })
        expect(await uploads.left()).toEqual(before)
      }
    })

    it('rejects files longer than clamd reads', async () => {
      const before = await uploads.left()
      const response = await uploads.send(fileOf(Buffer.alloc(4_000_000, 1), 'x.bin'))
      expect([response.statusCode, codeOf(response)]).toEqual([503, 'scanner_unavailable'])
      expect(await uploads.left()).toEqual(before)
    })

    it('rejects uploads when clamd is unreachable', async () => {
      await clamd.stop()
      const response = await uploads.send(fileOf('Hello.'))
      expect([response.statusCode, codeOf(response)]).toEqual([503, 'scanner_unavailable'])
      expect(response.headers['retry-after']).toBe('30')
    })
  },
)

describe('a scanner', async () => {
  const read = async (body: Readable) => {
    for await (const _ of body);
  }
  let scan: Scanner['scan']
  const log: [string, string, Record<string, unknown>][] = []
  const note = (level: string) => (details: object, message: string) =>
    void log.push([level, message, details as Record<string, unknown>])
  const uploads = await openUploads({
    files: { scanner: { scan: (...args) => scan(...args) } },
    logger: { info: note('info'), warn: note('warn'), error: note('error') },
  })
  const { app, account, headers, send, left } = uploads

  it('passes size, type and name of a file to the scanner', async () => {
    let told: ScannedFile | undefined
    scan = async (body, file) => {
      told = file
      await read(body)
      return { verdict: 'clean' }
    }
    expect((await send(fileOf('Hello.', '../notes.txt'))).statusCode).toBe(200)
    expect(told).toMatchObject({ size: 6, contentType: 'text/plain; charset=utf-8', filename: 'notes.txt' })
  })

  it('reports infected files to the operator with the account and the file', async () => {
    scan = async () => ({ verdict: 'infected', signature: 'Bad.Thing' })
    log.length = 0
    expect(codeOf(await send(fileOf('Hello.')))).toBe('file_infected')
    expect(log).toEqual([
      [
        'warn',
        'an infected file was refused',
        {
          reqId: expect.any(String),
          accountId: account.id,
          signature: 'Bad.Thing',
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ],
    ])
  })

  it.each<[string, Scanner['scan']]>([
    ['fails', () => Promise.reject(new Error('no database'))],
    [
      'throws',
      () => {
        throw new Error('no database')
      },
    ],
    ['reports clean without reading the file', async () => ({ verdict: 'clean' })],
    // Verdicts that the types refuse.
    ['returns another verdict', async (body) => read(body).then(() => ({ verdict: 'unsure' }) as never)],
    ['returns nothing', async (body) => read(body).then(() => undefined as never)],
  ])('refuses the upload when the scanner %s', async (_, how) => {
    scan = how
    log.length = 0
    const before = await left()
    const response = await send(fileOf('good'), fileOf('x'))
    expect([response.statusCode, codeOf(response), response.headers['retry-after']]).toEqual([
      503,
      'scanner_unavailable',
      '30',
    ])
    expect(log.map(([level, message]) => [level, message])).toEqual([
      ['error', 'a file was refused because it could not be scanned'],
    ])
    expect(await left()).toEqual(before)
  })

  it('aborts the scan with the upload, and serves no file before its scan is finished', async () => {
    const before = await left()
    const { promise: scanning, resolve: begun } = Promise.withResolvers<AbortSignal>()
    scan = (body, { signal }) => {
      body.resume()
      begun(signal)
      return new Promise(() => {})
    }
    const form = formOf([field('username', account.username), fileOf('x'), fileOf('y')])
    const { socket } = await uploads.connect()
    onTestFinished(() => void socket.destroy())
    socket.write(uploads.headOf({ ...form.headers, 'content-length': form.payload.length }))
    socket.write(form.payload.subarray(0, form.payload.length - 20))
    const signal = await scanning
    const listed = await client(app).get(`/files/list/u/${account.username}`, headers)
    expect(listed.json().data).toHaveLength(1)
    expect((await left())[0]).toBeGreaterThan(before[0])
    socket.destroy()
    await expect.poll(() => signal.aborted).toBe(true)
    await expect.poll(left, { timeout: 60_000 }).toEqual(before)
  })
})
