import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { parseRetryAfter } from '../kernel/retry-after.ts'
import type { Embedder } from '../ports/embedder.ts'
import { providerUrl } from './provider-access.ts'

/** Options of {@link openAiEmbeddings}. */
export interface OpenAiEmbeddingsOptions {
  /** The base URL of the service, without `/embeddings`: `https://api.openai.com/v1`. */
  readonly url: string
  /** Sent as bearer token; a service in your own network may need none. */
  readonly apiKey?: string | undefined
  /** The name of the model: `text-embedding-3-small`. */
  readonly model: string
  /** The length of its vectors: 1536. */
  readonly dimensions: number
  /** Asks the model to shorten its vectors to `dimensions`, which not every model can. Default: false. */
  readonly shortens?: boolean | undefined
  /** Written before each text, for models that need it: `{ query: 'query: ', document: 'passage: ' }`. Default: nothing. */
  readonly prefixes?: { readonly query: string; readonly document: string } | undefined
  /** See `Embedder.minSimilarity`. Default: 0. */
  readonly minSimilarity?: number | undefined
  /** The maximum number of texts per request. Default: 32. */
  readonly batchSize?: number | undefined
  /** The maximum number of characters that are sent of a text. Default: 8000. */
  readonly maxCharacters?: number | undefined
  /** How long one attempt may take. Default: 30 seconds. */
  readonly timeoutMs?: number | undefined
}

const BATCH = 32
const MAX_CHARACTERS = 8_000
const TIMEOUT_MS = 30_000
const PING_MS = 5_000
const ATTEMPTS = 3
const RETRY_MS = 500
const LONGEST_RETRY_MS = 10_000
const MAX_ANSWER_BYTES = 67_108_864
const MAX_MESSAGE = 200

const answerSchema = z.looseObject({
  data: z.array(z.looseObject({ index: z.int().min(0), embedding: z.array(z.number()) })),
})
const errorSchema = z.looseObject({ error: z.union([z.string(), z.looseObject({ message: z.string() })]) })

/** Reads a body up to a limit, so that a broken service cannot fill the memory. */
async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > MAX_ANSWER_BYTES) throw new Error('The response of the embedding service is too large')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The error message of the service. */
function messageOf(text: string): string {
  const { data } = errorSchema.safeParse(jsonOf(text))
  const message = typeof data?.error === 'string' ? data.error : data?.error.message
  return message === undefined ? '' : `: ${message.slice(0, MAX_MESSAGE)}`
}

const isTemporary = (status: number) => status === 408 || status === 429 || status >= 500

/** How long the service asks to wait. */
function waitOf(response: Response, attempt: number): number {
  const now = new Date()
  const askedAt = parseRetryAfter(response.headers.get('retry-after'), now)
  const askedMs = askedAt ? askedAt.getTime() - now.getTime() : 0
  return Math.min(LONGEST_RETRY_MS, Math.max(askedMs, RETRY_MS * 2 ** attempt))
}

/**
 * Embeds with a service that implements the API of OpenAI (`POST …/embeddings`): OpenAI, Ollama, vLLM, llama.cpp,
 * LocalAI. A request that fails temporarily is sent up to three times. Redirects are not followed.
 *
 * @throws TypeError when a key would be sent without TLS to another machine
 * @see https://github.com/eep-service/eep/blob/main/docs/adapters/embedder.md
 * @example
 * const embedder = openAiEmbeddings({ url: 'https://api.openai.com/v1', apiKey, model: 'text-embedding-3-small', dimensions: 1536 })
 */
export function openAiEmbeddings({
  url,
  apiKey,
  model,
  dimensions,
  shortens = false,
  prefixes = { query: '', document: '' },
  minSimilarity,
  batchSize = BATCH,
  maxCharacters = MAX_CHARACTERS,
  timeoutMs = TIMEOUT_MS,
}: OpenAiEmbeddingsOptions): Embedder {
  const base = (apiKey === undefined ? new URL(url) : providerUrl(url)).href.replace(/\/$/, '')
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  }

  async function request(body: string, signal: AbortSignal): Promise<string> {
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt + 1 === ATTEMPTS
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      let waitMs = RETRY_MS * 2 ** attempt
      try {
        const response = await fetch(`${base}/embeddings`, {
          method: 'POST',
          headers,
          body,
          redirect: 'error',
          signal: limit,
        })
        const text = await readText(response)
        if (response.ok) return text
        const error = new Error(`The embedding service responded with ${response.status}${messageOf(text)}`)
        if (isLast || !isTemporary(response.status)) throw Object.assign(error, { isFinal: true })
        waitMs = waitOf(response, attempt)
      } catch (error) {
        const isFinal = error instanceof Error && 'isFinal' in error
        if (isLast || isFinal || signal.aborted) throw error
      }
      await sleep(waitMs, undefined, { signal })
    }
  }

  return {
    id: [
      'openai',
      model,
      dimensions,
      ...(prefixes.document + prefixes.query ? [prefixes.document, prefixes.query] : []),
    ]
      .join(':')
      .slice(0, 200),
    dimensions,
    minSimilarity,
    batchSize,

    async embed(texts, purpose, signal) {
      const input = texts.map((text) => `${prefixes[purpose]}${text}`.slice(0, maxCharacters).toWellFormed())
      const body = JSON.stringify({ model, input, encoding_format: 'float', ...(shortens && { dimensions }) })
      const answer = answerSchema.safeParse(jsonOf(await request(body, signal)))
      if (!answer.success) throw new Error('The response of the embedding service does not contain embeddings')
      return answer.data.data.toSorted((one, other) => one.index - other.index).map(({ embedding }) => embedding)
    },

    async ping() {
      const response = await fetch(`${base}/models`, {
        headers,
        redirect: 'error',
        signal: AbortSignal.timeout(PING_MS),
      })
      await response.body?.cancel()
      // A service without a list of models can still be used.
      if (response.status >= 500 || response.status === 401) {
        throw new Error(`The embedding service responded with ${response.status}`)
      }
    },
  }
}
