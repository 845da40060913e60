// Texts are rendered outside the event loop, because their authors control how long that takes.
import { parentPort } from 'node:worker_threads'
import { type MarkdownJob, markdownToHtml, type RenderedMarkdown } from './markdown-to-html.ts'

/** The result of a job; undefined when rendering failed. */
export type MarkdownAnswer = RenderedMarkdown | undefined

parentPort?.on('message', (job: MarkdownJob) => {
  let answer: MarkdownAnswer
  try {
    answer = markdownToHtml(job)
  } catch {
    // For example, the text is nested too deeply for the stack.
  }
  parentPort?.postMessage(answer)
})
