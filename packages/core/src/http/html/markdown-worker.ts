// Texts are rendered outside of the event loop: their authors control how long that takes.
import { parentPort } from 'node:worker_threads'
import { type MarkdownJob, markdownToHtml, type RenderedMarkdown } from './markdown-to-html.ts'

/** What comes back for a job: nothing when it could not be done. */
export type MarkdownAnswer = RenderedMarkdown | undefined

parentPort?.on('message', (job: MarkdownJob) => {
  let answer: MarkdownAnswer
  try {
    answer = markdownToHtml(job)
  } catch {
    // Nested deeper than a stack goes, for one.
  }
  parentPort?.postMessage(answer)
})
