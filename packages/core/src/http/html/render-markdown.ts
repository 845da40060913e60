import { setImmediate } from 'node:timers/promises'
import { sha256 } from '../../kernel/digest.ts'
import { createWorkerThread } from '../../kernel/worker-thread.ts'
import { type Html, html, sanitised } from './html.ts'
import type { MarkdownJob, Section } from './markdown-to-html.ts'
import type { MarkdownAnswer } from './markdown-worker.ts'

/** A text as part of a page. */
export interface RenderedText {
  readonly body: Html
  readonly sections: readonly Section[]
  /** The id for the heading of the page, when the text repeated it. */
  readonly titleId?: string | undefined
  /** False when the text was shown unrendered because others were queued before it. */
  readonly isFinal: boolean
}

/** Texts that are longer than this, take too long or produce too much HTML are shown unrendered. */
const MAX_CHARACTERS = 262_144
const MAX_MARKUP = 2_097_152
const MAX_MILLISECONDS = (characters: number) => 5_000 + characters / 25
/** With this many texts in the queue, the next one is shown unrendered: a slow page is worse than a plain one. */
const MAX_WAITING = 50
/** The maximum wait in the queue. Other authors may have written the texts before it to render slowly. */
const MAX_WAIT_MS = 2_000
const MAX_KEPT = 16_777_216
const MAX_PREVIEWS_KEPT = 2_097_152

/** Unrendered text is escaped in pieces of this length, so that other requests are served in between. */
const PIECE_CHARACTERS = 262_144

async function asWritten(markdown: string, isFinal: boolean): Promise<RenderedText> {
  const pieces: Html[] = []
  for (let at = 0; at < markdown.length; at += PIECE_CHARACTERS) {
    if (at > 0) await setImmediate()
    pieces.push(html`${markdown.slice(at, at + PIECE_CHARACTERS)}`)
  }
  return { body: html`<pre class="written" tabindex="0">${pieces}</pre>`, sections: [], isFinal }
}

const FILE = new URL(import.meta.url.endsWith('.ts') ? './markdown-worker.ts' : './markdown-worker.js', import.meta.url)

/** Renders untrusted Markdown. Never rejects: text that cannot be rendered is shown unrendered. */
export type RenderMarkdown = (job: MarkdownJob) => Promise<RenderedText>

/** Renders Markdown in a thread, and caches the texts by their content. */
export interface MarkdownRenderer {
  readonly render: RenderMarkdown
  clear(): void
}

interface Entry {
  readonly text: Promise<RenderedText>
  readonly begun: Promise<void>
  size: number
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

const startThread = () => createWorkerThread<MarkdownJob, MarkdownAnswer>({ file: FILE, maxMemoryMb: 256 })

// The services of a process share the threads, which keep nothing and end when they are idle.
const pageThread = startThread()
const previewThread = startThread()

/** Creates the renderer of the pages of a service. */
export const createMarkdownRenderer = (): MarkdownRenderer => rendererOn(pageThread, MAX_KEPT)

/** Creates a renderer of texts that are being written. It has a separate thread, so that pages do not wait for previews. */
export const createPreviewRenderer = (): MarkdownRenderer => rendererOn(previewThread, MAX_PREVIEWS_KEPT)

function rendererOn(thread: ReturnType<typeof startThread>, maxKept: number): MarkdownRenderer {
  // Concurrent requests for the same text share one rendering.
  const kept = new Map<string, Entry>()
  let keptSize = 0

  async function renderInThread(job: MarkdownJob, begin: () => void): Promise<RenderedText> {
    const answer = await thread.run(job, MAX_MILLISECONDS(job.markdown.length), begin)
    if (!answer || answer.markup.length > MAX_MARKUP) return asWritten(job.markdown, true)
    const { markup, sections, titleId } = answer
    return { body: sanitised(markup), sections, titleId, isFinal: true }
  }

  function keep(key: string, job: MarkdownJob): Entry {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const entry: Entry = { text: renderInThread(job, begin), begun, size: 0 }
    kept.set(key, entry)
    void entry.text.then(({ body }) => {
      if (kept.get(key) !== entry) return
      entry.size = key.length + body.markup.length
      keptSize += entry.size
      for (const [oldest, { size }] of kept) {
        if (keptSize <= maxKept) break
        kept.delete(oldest)
        keptSize -= size
      }
    })
    return entry
  }

  return {
    async render(job) {
      if (job.markdown.length > MAX_CHARACTERS) return asWritten(job.markdown, true)
      const key = sha256(Buffer.from(JSON.stringify(job)), 'base64url')
      const entry = kept.get(key) ?? (thread.pending < MAX_WAITING ? keep(key, job) : undefined)
      return entry && (await begins(entry)) ? entry.text : asWritten(job.markdown, false)
    },
    clear() {
      kept.clear()
      keptSize = 0
    },
  }
}
