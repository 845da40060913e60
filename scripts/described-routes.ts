// The routes of the service, from its own description, and the screens of its console.

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { everything } from '../packages/core/src/entries/everything.ts'
import { documentConverter } from '../packages/core/src/entries/files/text.ts'
import { directoryBlobs } from '../packages/core/src/entries/files.ts'
import { createEep } from '../packages/core/src/entries/index.ts'
import { defineModule } from '../packages/core/src/entries/module.ts'
import { receiptPdf } from '../packages/core/src/entries/pdf.ts'
import { sandbox } from '../packages/core/src/entries/sandbox.ts'
import { echoTranscriber } from '../packages/core/src/entries/testing.ts'
import type { DeclaredScreen } from '../packages/core/src/framework/module/screen.ts'
import type { May } from '../packages/core/src/model/permission.ts'
import { OPTIONAL_GROUPS, STORES_OF_GROUP } from '../packages/core/src/ports/storage/groups.ts'
import type { Storage } from '../packages/core/src/ports/storage/storage.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly 'x-auth': string
  readonly 'x-scope'?: string
  readonly 'x-alias-of'?: string
  readonly responses: Readonly<Record<string, object>>
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
  // The cast: only the parts that modules read while they declare their routes exist. Any other use throws.
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

/** What the service with every module and part has. */
export interface DescribedService {
  /** In the order of its OpenAPI document. */
  readonly routes: readonly DescribedRoute[]
  readonly screens: readonly DeclaredScreen[]
  /** Whether a role in the team of a profile permits an action. */
  readonly may: May
  /** Its OpenAPI document. */
  readonly document: DescribedDocument
}

/** What generators read of an OpenAPI document. */
export interface DescribedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Describes the service with every module and part. */
export async function describeService(): Promise<DescribedService> {
  const { default: Fastify } = (await import(
    createRequire(join(import.meta.dirname, '../packages/core/package.json')).resolve('fastify')
  )) as { default: () => FastifyLike }
  const app = Fastify()
  // Where no files are kept, no description names their routes.
  const blobs = directoryBlobs({ directory: 'nowhere' })
  let console: Pick<DescribedService, 'screens' | 'may'> | undefined
  const reader = defineModule({
    name: 'screen-reader',
    routes: (_app, _services, { screens, may }) => {
      console = { screens, may }
    },
  })
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
      reader,
    ],
    payments: { receiptPdf: receiptPdf() },
  })
  await app.register(eep.http)
  const document = (await app.inject('/docs/openapi.json')).json() as DescribedDocument
  const { paths } = document
  await app.close()
  if (!console) throw new Error('the service did not register its routes')
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
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
  return { routes, ...console, document }
}

interface FastifyLike {
  register(plugin: unknown): PromiseLike<unknown>
  inject(url: string): Promise<{ json(): unknown }>
  close(): Promise<void>
}
