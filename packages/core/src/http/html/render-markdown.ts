import { sha256 } from '../../kernel/digest.ts'
import { createWorkerThread } from '../../kernel/worker-thread.ts'
import { type Html, html, sanitised } from './html.ts'
import type { MarkdownJob, Section } from './markdown-to-html.ts'
import type { MarkdownAnswer } from './markdown-worker.ts'

/** A text as part of a page. */
export interface RenderedText {
  readonly body: Html
  readonly sections: readonly Section[]
  /** False where it may come out better the next time: it is shown as it was written because others came first. */
  readonly isFinal: boolean
}

/** Longer texts, and those that take longer or come out larger, are shown as they were written. */
const MAX_CHARACTERS = 262_144
const MAX_MARKUP = 2_097_152
const MAX_MILLISECONDS = (characters: number) => 5_000 + characters / 25
/** While so many wait, the next text is shown as it was written: a page that comes late is worse than a plain one. */
const MAX_WAITING = 50
/** So long a text waits for those before it, which others may have written to take long. */
const MAX_WAIT_MS = 2_000
const MAX_KEPT = 16_777_216

const asWritten = (markdown: string, isFinal: boolean): RenderedText => ({
  body: html`<pre class="written" tabindex="0">${markdown}</pre>`,
  sections: [],
  isFinal,
})

const FILE = new URL(import.meta.url.endsWith('.ts') ? './markdown-worker.ts' : './markdown-worker.js', import.meta.url)

const thread = createWorkerThread<MarkdownJob, MarkdownAnswer>({ file: FILE, maxMemoryMb: 256 })

async function render(job: MarkdownJob, begin: () => void): Promise<RenderedText> {
  const answer = await thread.run(job, MAX_MILLISECONDS(job.markdown.length), begin)
  if (!answer || answer.markup.length > MAX_MARKUP) return asWritten(job.markdown, true)
  return { body: sanitised(answer.markup), sections: answer.sections, isFinal: true }
}

interface Entry {
  readonly text: Promise<RenderedText>
  readonly begun: Promise<void>
  size: number
}

// A text is rendered once for all who ask for it, also while it is being rendered.
const kept = new Map<string, Entry>()
let keptSize = 0

function keep(key: string, job: MarkdownJob): Entry {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const entry: Entry = { text: render(job, begin), begun, size: 0 }
  kept.set(key, entry)
  void entry.text.then(({ body }) => {
    if (kept.get(key) !== entry) return
    entry.size = key.length + body.markup.length
    keptSize += entry.size
    for (const [oldest, { size }] of kept) {
      if (keptSize <= MAX_KEPT) break
      kept.delete(oldest)
      keptSize -= size
    }
  })
  return entry
}

/** Whether a text was rendered before its request timed out. */
function begins({ begun }: Entry): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), MAX_WAIT_MS)
    void begun.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}

/** Renders untrusted text. It never fails: text that cannot be rendered is shown as it was written. */
export async function renderMarkdown(job: MarkdownJob): Promise<RenderedText> {
  if (job.markdown.length > MAX_CHARACTERS) return asWritten(job.markdown, true)
  const key = sha256(Buffer.from(JSON.stringify(job)), 'base64url')
  const entry = kept.get(key) ?? (thread.pending < MAX_WAITING ? keep(key, job) : undefined)
  return entry && (await begins(entry)) ? entry.text : asWritten(job.markdown, false)
}
