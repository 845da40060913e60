import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { isEepError } from '../kernel/errors.ts'
import { type Recording, type Transcriber, transcriptionRefused } from '../ports/transcriber.ts'
import { wavOf } from './recordings.ts'
import { hooksOf, type TestRunner } from './runner.ts'

/** Options of {@link transcriberContract}. */
export interface TranscriberContractOptions {
  /** Something that is said, for a transcriber that hears nothing in a tone; three seconds of one unless told. */
  readonly recording?: Spoken | undefined
  /** Bytes that the transcriber refuses; text that says it is sound, unless told. */
  readonly refused?: Uint8Array | undefined
}

/** A recording that the cases of the contract use. */
export interface Spoken {
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly durationSeconds: number
}

const TONE: Spoken = { bytes: wavOf(3), contentType: 'audio/wav', durationSeconds: 3 }
const NO_SOUND = Buffer.from('refuse: this is text and no sound at all')

/** How long an answer may take, and how long one that nobody waits for. */
const ABORTED_WITHIN_MS = 5_000

/** Bodies that were opened, and whether all of them came to an end. */
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
 * Runs the contract of a {@link Transcriber} as test cases: what it answers has the form of the port, what will never do
 * is refused, trouble is thrown, and nothing stays open.
 *
 * @param create - makes the transcriber; called once
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
  const { describe, it } = runner
  const { beforeAll, afterAll } = hooksOf(runner)

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
      ...{ size: bytes.length, language: undefined, ...told },
      open: tape.open,
      ...changes,
    })
    const ended = ({ opened }: ReturnType<typeof createTape>) => {
      assert.ok(opened.length > 0, 'the recording was opened')
      for (const body of opened) assert.ok(body.readableEnded || body.destroyed, 'a body was left open')
    }

    it('answers text, the language, the length, and segments in the order of time', async () => {
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
        assert.ok(startSeconds >= last && endSeconds >= startSeconds, 'segments are in the order of time')
        last = startSeconds
      }
      ended(tape)
    })

    it('listens for the language it is told', async () => {
      const tape = createTape(bytes)
      const said = await transcriber.transcribe(taped(tape, { language: 'de' }), { signal, progress })
      assert.equal(said.language?.split('-')[0] ?? 'de', 'de')
    })

    it('measures the recording itself where it can, and tells how far it is', async () => {
      const percents: number[] = []
      const tell = async (percent: number) => void percents.push(percent)
      await transcriber.transcribe(taped(createTape(bytes)), { signal, progress: tell })
      for (const percent of percents) assert.ok(percent >= 0 && percent <= 100, `${percent} is no percentage`)
    })

    it('refuses what is no sound, with a message', async () => {
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

    it('does not take a recording that breaks off for one to be refused', async () => {
      const tape = createTape(bytes, true)
      await assert.rejects(transcriber.transcribe(taped(tape), { signal, progress }), (error) => !isEepError(error))
      ended(tape)
    })

    it('does not take trouble with opening for a refusal', async () => {
      const open = () => Promise.reject(new Error('the disk is gone'))
      await assert.rejects(transcriber.transcribe(taped({ open }), { signal, progress }), (error) => !isEepError(error))
    })

    it('ends soon when nobody wants the text any more, and leaves nothing open', async () => {
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
      assert.ok(Date.now() - started < ABORTED_WITHIN_MS, 'it went on although it was aborted')
      assert.ok(body.destroyed, 'the body was left open')
      const late = transcriber.transcribe(taped(createTape(bytes)), { signal: stopping.signal, progress })
      await assert.rejects(late)
    })
  })
}
