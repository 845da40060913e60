// Parsing a long text takes seconds, so it happens outside of the event loop.
import { parentPort } from 'node:worker_threads'
import { markdownToText } from './markdown-to-text.ts'

function encode(markdown: string): Uint8Array<ArrayBuffer> {
  try {
    return new TextEncoder().encode(markdownToText(markdown))
  } catch {
    // Nested deeper than the stack allows.
    return new TextEncoder().encode(markdown)
  }
}

parentPort?.on('message', (markdown: string) => {
  const answer = encode(markdown)
  parentPort?.postMessage(answer, [answer.buffer])
})
