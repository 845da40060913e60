import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { embedderContract } from '@eep/core/testing'
import * as vitest from 'vitest'
import { ownEmbedder } from './own-embedder.ts'

/** A vector of the pairs of letters in a text. */
function vectorOf(text: string): readonly number[] {
  const vector = Array.from({ length: 384 }, () => 0)
  for (let index = 0; index + 1 < text.length; index += 1) {
    const place = (text.charCodeAt(index) * 31 + text.charCodeAt(index + 1)) % vector.length
    vector[place] = (vector[place] ?? 0) + 1
  }
  return vector
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { texts } = (await json(request)) as { readonly texts: readonly string[] }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ vectors: texts.map(vectorOf) }))
}

const service = createServer((request, response) => void answer(request, response))
vitest.beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
})
vitest.afterAll(() => void service.close())

embedderContract(vitest, () => ownEmbedder(`http://127.0.0.1:${(service.address() as AddressInfo).port}`))
