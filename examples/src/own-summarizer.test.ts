import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { summarizerContract } from '@eep/core/testing'
import * as vitest from 'vitest'
import { ownSummarizer } from './own-summarizer.ts'

/** Answers with the first words of the last entry. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { transcript } = (await json(request)) as { readonly transcript: string }
  const { content } = JSON.parse(transcript.split('\n').at(-1) ?? '{}') as { readonly content: string }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ text: content.split(/\s+/u).slice(0, 20).join(' ') }))
}

const service = createServer((request, response) => void answer(request, response))
vitest.beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
})
vitest.afterAll(() => void service.close())

summarizerContract(vitest, () => ownSummarizer(`http://127.0.0.1:${(service.address() as AddressInfo).port}`))
