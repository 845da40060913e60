// Texts are rendered outside the event loop, because their authors control how long that takes.
import { answerJobs } from '../../kernel/answer-jobs.ts'
import { markdownToHtml, type RenderedMarkdown } from './markdown-to-html.ts'

/** The result of a job; undefined when rendering failed. */
export type MarkdownAnswer = RenderedMarkdown | undefined

answerJobs(markdownToHtml)
