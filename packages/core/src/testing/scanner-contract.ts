import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import type { ScannedFile, Scanner } from '../ports/scanner.ts'
import { contractRunner, type TestRunner } from './runner.ts'

/** The harmless test file that every scanner detects, in two parts so that scanners do not flag this file. */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')

/** The scanner that {@link scannerContract} tests. */
export interface ScannerSubject {
  readonly scanner: Scanner
  /** The same scanner with an unavailable backend. */
  readonly unreachable?: Scanner | undefined
  close?(): Promise<void>
}

const CHUNK = Buffer.alloc(65_536, 'a')

/**
 * Runs the contract of a {@link Scanner} as test cases: it detects EICAR, reads clean files to the end, and never
 * reports a file as clean that it could not read.
 *
 * @param create - creates the scanner; called once
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/files.md
 * @example
 * import * as vitest from 'vitest'
 *
 * scannerContract(vitest, () => ({ scanner: ownScanner() }))
 */
export function scannerContract(runner: TestRunner, create: () => Promise<ScannerSubject> | ScannerSubject): void {
  const { describe, it, beforeAll, afterAll } = contractRunner(runner)

  describe('scanner', () => {
    let subject: ScannerSubject
    beforeAll(async () => {
      subject = await create()
    })
    afterAll(() => subject.close?.())

    const file = (signal = new AbortController().signal): ScannedFile => ({
      size: 100,
      contentType: 'text/plain',
      filename: 'notes.txt',
      signal,
    })
    const scan = (chunks: Iterable<Buffer>) => subject.scanner.scan(Readable.from(chunks), file())

    it('reports a harmless file as clean, and reads it to the end', async () => {
      for (const chunks of [[], [Buffer.from('Hello.')], Array.from({ length: 16 }, () => CHUNK)]) {
        const body = Readable.from(chunks)
        assert.deepEqual(await subject.scanner.scan(body, file()), { verdict: 'clean' })
        assert.equal(body.readableEnded, true, 'not read to its end')
      }
    })

    it('detects and names EICAR, in one chunk or many', async () => {
      const bytes = Buffer.from(EICAR)
      for (const chunks of [[bytes], Array.from(bytes, (byte) => Buffer.from([byte]))]) {
        const found = await scan(chunks)
        assert.equal(found.verdict, 'infected')
        assert.match(found.verdict === 'infected' ? found.signature : '', /eicar/i)
      }
    })

    it('scans many files concurrently', async () => {
      const found = await Promise.all(
        Array.from({ length: 12 }, (_, index) => scan([index % 2 ? Buffer.from(EICAR) : CHUNK])),
      )
      assert.deepEqual(
        found.map(({ verdict }) => verdict),
        found.map((_, index) => (index % 2 ? 'infected' : 'clean')),
      )
    })

    it('reports no verdict for an interrupted body', async () => {
      const breaking = Readable.from(
        (function* () {
          yield CHUNK
          throw new Error('broken')
        })(),
      )
      await assert.rejects(subject.scanner.scan(breaking, file()))
    })

    it('stops when it is aborted', async () => {
      const stopping = new AbortController()
      const endless = new Readable({ read() {} })
      endless.push(CHUNK)
      const scanning = subject.scanner.scan(endless, file(stopping.signal))
      setImmediate(() => stopping.abort(new Error('enough')))
      await assert.rejects(scanning)
      endless.destroy()
    })

    it('never reports clean when its backend is unavailable', async () => {
      if (!subject.unreachable) return
      await assert.rejects(subject.unreachable.scan(Readable.from([CHUNK]), file()))
    })
  })
}
