import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { isEepError } from '../kernel/errors.ts'
import { type Recording, type Transcriber, transcriptionRefused } from '../ports/transcriber.ts'
import { wavOf } from './recordings.ts'
import { contractRunner, type TestRunner } from './runner.ts'

/** Options of {@link transcriberContract}. */
export interface TranscriberContractOptions {
  /** A recording of speech, for transcribers that reject a tone. Default: a tone of three seconds. */
  readonly recording?: Spoken | undefined
  /** Bytes that the transcriber refuses. Default: a text with an audio type. */
  readonly refused?: Uint8Array | undefined
}

/** A recording that the cases of the contract use. */
export interface Spoken {
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly durationSeconds: number
}

const TONE: Spoken = { bytes: wavOf(3), contentType: 'audio/wav', durationSeconds: 3 }
const NO_SOUND = Buffer.from('refuse: this is text, not sound')

/** How long a response may take, and how long the work may continue after an abort. */
const ABORTED_WITHIN_MS = 5_000

/** Records the bodies that were opened, and checks that all were closed. */
function createTape(bytes: Uint8Array, breaks = false) {
  const opened: Readable[] = []
  const open = async () => {
    const half = Math.floor(bytes.length / 2)
    const body = new Readable({ read() {} })
    body.push(breaks ? bytes.subarray(0, half) : bytes)
    if (breaks) setImmediate(() => body.destroy(new Error('the disk is gone')))
    else body.push(null)
    body.on('error', () => {})
    opened.push(body)
    return body
  }
  return { opened, open }
}

/**
 * Runs the contract of a {@link Transcriber} as test cases: transcripts have the form of the
 * port, unusable files are refused, temporary errors are thrown, and every body is closed.
 *
 * @param create - creates the transcriber; called once
 * @see https://github.com/eep-service/eep/blob/main/docs/adapters/transcriber.md
 * @example
 * import * as vitest from 'vitest'
 *
 * transcriberContract(vitest, () => ownTranscriber())
 */
export function transcriberContract(
  runner: TestRunner,
  create: () => Promise<Transcriber> | Transcriber,
  { recording = TONE, refused = NO_SOUND }: TranscriberContractOptions = {},
): void {
  const { describe, it, beforeAll, afterAll } = contractRunner(runner)

  describe('transcriber', () => {
    let transcriber: Transcriber
    beforeAll(async () => {
      transcriber = await create()
    })
    afterAll(async () => {
      await transcriber.close?.()
    })

    const { bytes, ...told } = recording
    const signal = new AbortController().signal
    const progress = async () => {}
    const taped = (tape: Pick<Recording, 'open'>, changes: Partial<Recording> = {}): Recording => ({
      size: bytes.length,
      language: undefined,
      ...told,
      open: tape.open,
      ...changes,
    })
    const ended = ({ opened }: ReturnType<typeof createTape>) => {
      assert.ok(opened.length > 0, 'the recording was opened')
      for (const body of opened) assert.ok(body.readableEnded || body.destroyed, 'a body was not closed')
    }

    it('returns text, language, duration and ordered segments', async () => {
      const tape = createTape(bytes)
      const said = await transcriber.transcribe(taped(tape), { signal, progress })
      assert.equal(typeof said.text, 'string')
      if (said.language !== null) assert.doesNotThrow(() => Intl.getCanonicalLocales(said.language ?? ''))
      assert.ok(
        Math.abs(said.durationSeconds - told.durationSeconds) < 2,
        `${said.durationSeconds} s are not its length`,
      )
      let last = 0
      for (const { startSeconds, endSeconds, text } of said.segments) {
        assert.equal(typeof text, 'string')
        assert.ok(startSeconds >= last && endSeconds >= startSeconds, 'segments are ordered by time')
        last = startSeconds
      }
      ended(tape)
    })

    it('transcribes in the requested language', async () => {
      const tape = createTape(bytes)
      const said = await transcriber.transcribe(taped(tape, { language: 'de' }), { signal, progress })
      assert.equal(said.language?.split('-')[0] ?? 'de', 'de')
    })

    it('measures the recording if it can, and reports progress', async () => {
      const percents: number[] = []
      const tell = async (percent: number) => void percents.push(percent)
      await transcriber.transcribe(taped(createTape(bytes)), { signal, progress: tell })
      for (const percent of percents) assert.ok(percent >= 0 && percent <= 100, `${percent} is not a percentage`)
    })

    it('refuses a file without sound, with a message', async () => {
      const tape = createTape(refused)
      const sent = transcriber.transcribe(taped(tape, { size: refused.length }), { signal, progress })
      await assert.rejects(sent, (error) => {
        assert.ok(isEepError(error), String(error))
        assert.equal(error.code, transcriptionRefused.code)
        assert.notEqual(error.message, '')
        return true
      })
      ended(tape)
    })

    it('does not treat an interrupted recording as refused', async () => {
      const tape = createTape(bytes, true)
      await assert.rejects(transcriber.transcribe(taped(tape), { signal, progress }), (error) => !isEepError(error))
      ended(tape)
    })

    it('does not treat an error of opening as a refusal', async () => {
      const open = () => Promise.reject(new Error('the disk is gone'))
      await assert.rejects(transcriber.transcribe(taped({ open }), { signal, progress }), (error) => !isEepError(error))
    })

    it('stops soon after an abort, and closes the body', async () => {
      const stopping = new AbortController()
      const body = new Readable({ read() {} })
      body.on('error', () => {})
      const open = async () => {
        body.push(bytes.subarray(0, Math.floor(bytes.length / 2)))
        setImmediate(() => stopping.abort(new Error('cancelled')))
        return body
      }
      const started = Date.now()
      await assert.rejects(transcriber.transcribe(taped({ open }), { signal: stopping.signal, progress }))
      assert.ok(Date.now() - started < ABORTED_WITHIN_MS, 'it continued although it was aborted')
      assert.ok(body.destroyed, 'the body was left open')
      const late = transcriber.transcribe(taped(createTape(bytes)), { signal: stopping.signal, progress })
      await assert.rejects(late)
    })
  })
}
