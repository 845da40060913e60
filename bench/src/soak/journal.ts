import { appendFile } from 'node:fs/promises'

/** A page that was written once. */
export interface WrittenPage {
  readonly title: string
  readonly id: number
  readonly path: string
}

/** A page that is changed again and again, by one writer at a time. */
export interface LivingPage {
  readonly id: number
  readonly path: string
  /** The number in its text that was acknowledged last. */
  revision: number
  isBusy: boolean
  /** When each revision was acknowledged, for the last two minutes. */
  acknowledged: { readonly revision: number; readonly at: number }[]
}

export interface WrittenPost {
  readonly id: number
  readonly body: string
}

export interface StoredFile {
  readonly id: number
  readonly digest: string
}

/** A signed payment, from before it is sent. */
export interface SentPayment {
  readonly wallet: `0x${string}`
  readonly network: string
  readonly amount: bigint
  readonly owner: string
  outcome: 'sent' | 'served' | 'refused'
}

/** What the clients know: every write that was acknowledged, also as lines of a file. */
export function createJournal(file: string) {
  const lines: string[] = []
  let saved: Promise<unknown> = Promise.resolve()
  const journal = {
    pages: [] as WrittenPage[],
    posts: [] as WrittenPost[],
    /** By id; files that were deleted are removed. */
    files: new Map<number, StoredFile>(),
    deletedFiles: [] as number[],
    payments: [] as SentPayment[],
    /** Markers of writes of which at least one response was lost: they may have taken effect more than once. */
    uncertain: new Set<string>(),
    /** Writes that were still without a response when the load ended. */
    open: new Set<string>(),
    counts: new Map<string, number>(),

    /** Records an acknowledged write. */
    acknowledge(kind: string, details: object): void {
      journal.counts.set(kind, (journal.counts.get(kind) ?? 0) + 1)
      lines.push(JSON.stringify({ at: new Date().toISOString(), kind, ...details }))
      if (lines.length >= 500) void journal.save()
    },

    save(): Promise<unknown> {
      const text = lines.splice(0).map((line) => `${line}\n`)
      saved = saved.then(() => appendFile(file, text.join('')))
      return saved
    },
  }
  return journal
}

export type Journal = ReturnType<typeof createJournal>
