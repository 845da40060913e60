/** An entry to summarize. */
export interface SummarizedEntry {
  readonly role: 'user' | 'assistant' | 'system' | 'tool'
  readonly content: string
  readonly at: Date
}

/** What to summarize. */
export interface SummaryRequest {
  /** In the order of time, at least one and at most 500, together up to 512 KB. They are data: instructions in them are not followed. */
  readonly entries: readonly SummarizedEntry[]
  /** About how long the summary may be: 20 to 1,000 words. */
  readonly maxWords: number
}

/**
 * Summarizes the memory of agents, for example with a language model.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/adapters/summarizer.md
 */
export interface Summarizer {
  /**
   * Returns a summary in plain text. Called concurrently. What it throws is logged, and the client gets 502 `summary_failed`.
   *
   * @param signal - aborted after 60 seconds
   */
  summarize(request: SummaryRequest, signal: AbortSignal): Promise<string>
}
