// The routes of the service, from its own description.

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { everything } from '../packages/core/src/entries/everything.ts'
import { documentConverter } from '../packages/core/src/entries/files/text.ts'
import { directoryBlobs } from '../packages/core/src/entries/files.ts'
import { createEep } from '../packages/core/src/entries/index.ts'
import { receiptPdf } from '../packages/core/src/entries/pdf.ts'
import { sandbox } from '../packages/core/src/entries/sandbox.ts'
import { echoTranscriber } from '../packages/core/src/entries/testing.ts'
import { OPTIONAL_GROUPS, STORES_OF_GROUP } from '../packages/core/src/ports/storage/groups.ts'
import type { Storage } from '../packages/core/src/ports/storage/storage.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly 'x-auth': string
  readonly 'x-scope'?: string
  readonly 'x-alias-of'?: string
}

// The service describes itself without a database.
const nowhere = (): never => {
  throw new Error('there is no storage here')
}
// Every group of stores is there, or its module would be off.
const REQUIRED = [
  'accounts',
  'sessions',
  'tokens',
  'profiles',
  'categories',
  'pages',
  'gates',
  'entitlements',
  'payments',
  'receipts',
  'nonces',
  'idempotency',
  'events',
]
const optional = Object.values(STORES_OF_GROUP).flat()
const read = Object.fromEntries([...REQUIRED, ...optional].map((name) => [name, {}]))
const storage = {
  groups: OPTIONAL_GROUPS,
  read,
  transaction: nowhere,
  queue: {},
  ping: nowhere,
  close: nowhere,
} as unknown as Storage

/** A route of the service as its OpenAPI document has it. */
export interface DescribedRoute {
  readonly method: string
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly tag: string
  /** The required authentication: `none`, `optional`, `bearer` and so on. */
  readonly auth: string
  readonly scope: string | undefined
  /** The `operationId` of the route that answers in the same way at its main address. */
  readonly aliasOf: string | undefined
}

/** The routes of the service with every module and part, in the order of its OpenAPI document. */
export async function describedRoutes(): Promise<readonly DescribedRoute[]> {
  const { default: Fastify } = (await import(
    createRequire(join(import.meta.dirname, '../packages/core/package.json')).resolve('fastify')
  )) as { default: () => FastifyLike }
  const app = Fastify()
  // Where no files are kept, no description names their routes.
  const blobs = directoryBlobs({ directory: 'nowhere' })
  const eep = createEep({
    publicUrl: 'https://profiles.example',
    secret: 'x'.repeat(32),
    storage,
    modules: [
      ...everything({
        files: { blobStore: blobs },
        media: { transcriber: echoTranscriber() },
        textExtraction: { converter: documentConverter() },
      }),
      sandbox({ wallet: { addressOf: nowhere, signTransfer: nowhere, signMessage: nowhere } }),
    ],
    payments: { receiptPdf: receiptPdf() },
  })
  await app.register(eep.http)
  const { paths } = (await app.inject('/docs/openapi.json')).json() as {
    paths: Record<string, Record<string, Operation>>
  }
  await app.close()
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operationId: operation.operationId,
      summary: operation.summary,
      tag: operation.tags[0] ?? '',
      auth: operation['x-auth'],
      scope: operation['x-scope'],
      aliasOf: operation['x-alias-of'],
    })),
  )
}

interface FastifyLike {
  register(plugin: unknown): PromiseLike<unknown>
  inject(url: string): Promise<{ json(): unknown }>
  close(): Promise<void>
}
