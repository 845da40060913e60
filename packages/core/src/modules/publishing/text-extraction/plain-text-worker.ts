// Parsing a long text takes seconds, so it happens outside of the event loop.
import { answerJobs } from '../../../kernel/answer-jobs.ts'
import { markdownToText } from './markdown-to-text.ts'

answerJobs(
  (markdown: string) => new TextEncoder().encode(markdownToText(markdown)),
  ({ buffer }) => [buffer],
)
