// Parsing a long text takes seconds, so it happens outside of the event loop.
import { parentPort } from 'node:worker_threads'
import { markdownToText } from './markdown-to-text.ts'

parentPort?.on('message', (markdown: string) => {
  const answer = new TextEncoder().encode(markdownToText(markdown))
  parentPort?.postMessage(answer, [answer.buffer])
})
