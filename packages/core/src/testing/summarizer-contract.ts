import assert from 'node:assert/strict'
import type { SummarizedEntry, Summarizer } from '../ports/summarizer.ts'
import { contractRunner, type TestRunner } from './runner.ts'

const at = new Date('2026-03-02T10:00:00Z')
const ENTRIES: readonly SummarizedEntry[] = [
  { role: 'user', content: 'I need to be in Turin on Monday. I do not like to fly.', at },
  { role: 'assistant', content: 'The night train from Paris arrives at 7:30.', at },
  { role: 'tool', content: '{"booked":true,"price":"89.00 EUR"}', at },
]

/**
 * Runs the contract of a {@link Summarizer} as test cases: it returns text for any entries, concurrently, and calls can be aborted.
 *
 * @param create - creates the summarizer; called once
 * @see https://github.com/eep-service/eep/blob/main/docs/adapters/summarizer.md
 * @example
 * import * as vitest from 'vitest'
 *
 * summarizerContract(vitest, () => ownSummarizer(url))
 */
export function summarizerContract(runner: TestRunner, create: () => Promise<Summarizer> | Summarizer): void {
  const { describe, it, beforeAll } = contractRunner(runner)

  describe('summarizer', () => {
    let summarizer: Summarizer
    beforeAll(async () => {
      summarizer = await create()
    })

    async function summarize(entries: readonly SummarizedEntry[], maxWords = 50): Promise<string> {
      const summary = await summarizer.summarize({ entries, maxWords }, new AbortController().signal)
      assert.equal(typeof summary, 'string')
      assert.ok(summary.trim() !== '', 'the summary is not empty')
      return summary
    }

    it('returns a text about entries of any role', async () => {
      await summarize(ENTRIES)
    })

    it('returns a text that is not much longer than requested', async () => {
      const entries = Array.from({ length: 50 }, () => ENTRIES).flat()
      const words = (await summarize(entries, 40)).split(/\s+/u)
      assert.ok(words.length <= 80, `${words.length} words instead of about 40`)
    })

    it('accepts many and long entries, single characters and any script', async () => {
      await summarize(Array.from({ length: 500 }, (_, index) => ({ role: 'user', content: `Note ${index}`, at })))
      await summarize([{ role: 'system', content: 'A long note about trains. '.repeat(1_200), at }])
      await summarize([{ role: 'user', content: '検索エンジン\n\n"quoted" 👩‍🔬', at }])
    })

    it('answers concurrent calls', async () => {
      await Promise.all(ENTRIES.map((entry) => summarize([entry])))
    })

    it('rejects a call that is aborted', async () => {
      const signal = AbortSignal.abort(new Error('cancelled'))
      await assert.rejects(summarizer.summarize({ entries: ENTRIES, maxWords: 50 }, signal))
    })
  })
}
