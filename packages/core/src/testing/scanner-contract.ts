import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import type { ScannedFile, Scanner } from '../ports/scanner.ts'
import { hooksOf, type TestRunner } from './runner.ts'

/** The harmless test file that every scanner detects; in two parts, so that scanners do not flag this file. */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')

/** What {@link scannerContract} tests. */
export interface ScannerSubject {
  readonly scanner: Scanner
  /** Of the same kind, and what it asks for a verdict is not there. */
  readonly unreachable?: Scanner | undefined
  close?(): Promise<void>
}

const CHUNK = Buffer.alloc(65_536, 'a')

/**
 * Runs the contract of a {@link Scanner} as test cases: it finds EICAR, reads what is clean to its end, and never says clean of
 * what it could not read.
 *
 * @param create - makes the scanner; called once
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/files.md
 * @example
 * import * as vitest from 'vitest'
 *
 * scannerContract(vitest, () => ({ scanner: ownScanner() }))
 */
export function scannerContract(runner: TestRunner, create: () => Promise<ScannerSubject> | ScannerSubject): void {
  const { describe, it } = runner
  const { beforeAll, afterAll } = hooksOf(runner)

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

    it('says clean of what is harmless, and reads it to its end', async () => {
      for (const chunks of [[], [Buffer.from('Hello.')], Array.from({ length: 16 }, () => CHUNK)]) {
        const body = Readable.from(chunks)
        assert.deepEqual(await subject.scanner.scan(body, file()), { verdict: 'clean' })
        assert.equal(body.readableEnded, true, 'not read to its end')
      }
    })

    it('finds EICAR, in one piece or in many, and names it', async () => {
      const bytes = Buffer.from(EICAR)
      for (const chunks of [[bytes], Array.from(bytes, (byte) => Buffer.from([byte]))]) {
        const found = await scan(chunks)
        assert.equal(found.verdict, 'infected')
        assert.match(found.verdict === 'infected' ? found.signature : '', /eicar/i)
      }
    })

    it('scans many at once', async () => {
      const found = await Promise.all(
        Array.from({ length: 12 }, (_, index) => scan([index % 2 ? Buffer.from(EICAR) : CHUNK])),
      )
      assert.deepEqual(
        found.map(({ verdict }) => verdict),
        found.map((_, index) => (index % 2 ? 'infected' : 'clean')),
      )
    })

    it('says nothing of bytes that break off', async () => {
      const breaking = Readable.from(
        (function* () {
          yield CHUNK
          throw new Error('broken')
        })(),
      )
      await assert.rejects(subject.scanner.scan(breaking, file()))
    })

    it('gives up when it is told to', async () => {
      const stopping = new AbortController()
      const endless = new Readable({ read() {} })
      endless.push(CHUNK)
      const scanning = subject.scanner.scan(endless, file(stopping.signal))
      setImmediate(() => stopping.abort(new Error('enough')))
      await assert.rejects(scanning)
      endless.destroy()
    })

    it('never says clean when what it asks is not there', async () => {
      if (!subject.unreachable) return
      await assert.rejects(subject.unreachable.scan(Readable.from([CHUNK]), file()))
    })
  })
}
