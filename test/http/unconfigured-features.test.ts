import type { HTTPMethods } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { codeOf, type Person, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'

interface Operation {
  readonly 'x-unavailable'?: boolean
  readonly responses: Readonly<Record<string, object>>
}

let test: Awaited<ReturnType<typeof createTestApp>>
let user: Person
let operations: readonly { readonly method: HTTPMethods; readonly path: string; readonly operation: Operation }[]
let shared: Readonly<Record<string, object>>

beforeAll(async () => {
  test = await createTestApp({
    files: { blobStore: undefined },
    media: { transcriber: undefined },
    textExtraction: { converter: undefined },
    payments: { receiptPdf: undefined },
  })
  user = await signUp(test.app, 'ada')
  const { paths, components } = (await client(test.app).get('/docs/openapi.json')).json()
  shared = components.responses
  operations = Object.entries<Record<string, Operation>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase() as HTTPMethods,
      path,
      operation,
    })),
  )
})
afterAll(() => test.close())

const unavailable = () => operations.filter(({ operation }) => operation['x-unavailable'])

it('describes the routes of files, transcripts, search, receipts as PDF, summaries and exports also where they are not configured', () => {
  expect(new Set(unavailable().map(({ method, path }) => `${method} ${path}`))).toEqual(
    new Set([
      'GET /eep/payment/receipts/{receiptId}.pdf',
      'POST /files',
      'GET /files/{id}',
      'DELETE /files/{id}',
      'GET /files/{fileId}/content',
      'GET /files/list/{prefix}/{slug}',
      'GET /manage/files',
      'PATCH /manage/files/{id}',
      'PUT /manage/files/{id}/content',
      'DELETE /manage/files/{id}',
      'GET /media/{fileId}',
      'POST /media',
      'GET /media/{fileId}/transcript',
      'GET /files/{id}/large',
      'GET /files/{id}/markdown',
      'GET /files/{id}/small',
      'POST /convert',
      'GET /purchases/{receiptId}/receipt.pdf',
      'GET /search',
      'GET /search.{suffix}',
      'GET /search/suggest',
      'GET /opensearch.xml',
      'POST /memory/sessions/{id}/summary',
      'GET /workspaces/{id}/search',
      'GET /export',
      'POST /export',
      'POST /import',
      'POST /import/{jobId}',
      'GET /export/{jobId}/{blob}',
    ]),
  )
})

/** The queries of routes, by a part of their path. */
const QUERIES = [
  ['/export/', '?expires=1&signature=a'],
  ['/search', '?q=a'],
  ['/manage/files', '?profile_id=7'],
] as const

it('returns a 503 that OpenAPI describes for features that are not configured', async () => {
  for (const { method, path, operation } of unavailable()) {
    const url = path
      .replace('{prefix}/{slug}', 'u/ada')
      .replace('{suffix}', 'json')
      .replaceAll(/\{\w+\}/g, '7')
    // A form is not JSON; `files.test.ts` and `import.test.ts` send them.
    if (path === '/import' || (method === 'POST' && path === '/files')) continue
    const body = path === '/export' ? { profile_id: 7 } : path.startsWith('/memory/') ? {} : { file_id: 7 }
    const [, query = ''] = QUERIES.find(([part]) => path.includes(part)) ?? []
    const answer = await user.send(
      method,
      `${url}${query}`,
      method === 'POST' ? body : method === 'PATCH' ? { alt: 'x' } : undefined,
    )
    expect([method, path, answer.statusCode, answer.body]).toEqual([method, path, 503, expect.any(String)])
    const { $ref, ...described } = operation.responses['503'] as { $ref?: string }
    expect(JSON.stringify($ref ? shared[String($ref.split('/').at(-1))] : described)).toContain(codeOf(answer))
  }
})

it('names them in no document for agents, and grants no scope that opens only them', async () => {
  const { features } = (await client(test.app).get('/discover?format=json')).json()
  expect(JSON.stringify(features)).not.toMatch(/ \/(?:files|media|convert|search)\b|\.pdf/)
  expect((await client(test.app).get('/.well-known/eep/agent-guide.md')).body).not.toContain('/files/{id}')
  const key = await user.post('/api-keys', { name: 'files', scopes: ['read:files'] })
  expect([key.statusCode, codeOf(key)]).toEqual([400, 'validation_failed'])
})
