// The table of scopes in docs/guides/api-keys.md, made from what the routes declare.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { directoryBlobs, fileToolkit } from '../packages/core/src/files.ts'
import { createEep } from '../packages/core/src/index.ts'
import { SCOPES } from '../packages/core/src/model/scopes.ts'
import { receiptPdf } from '../packages/core/src/pdf.ts'
import { OPTIONAL_GROUPS, STORES_OF_GROUP } from '../packages/core/src/ports/storage/groups.ts'
import type { Storage } from '../packages/core/src/ports/storage/storage.ts'
import { webSockets } from '../packages/core/src/sockets.ts'

interface Operation {
  readonly summary: string
  readonly 'x-auth': string
  readonly 'x-scope'?: string
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

/** The routes of the service as its OpenAPI document has them. */
async function describedRoutes() {
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
    files: { toolkit: fileToolkit(), blobStore: blobs },
    payments: { receiptPdf: receiptPdf() },
    sockets: { server: webSockets() },
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
      auth: operation['x-auth'],
      scope: operation['x-scope'],
      tag: '',
      summary: operation.summary,
    })),
  )
}

interface FastifyLike {
  register(plugin: unknown): PromiseLike<unknown>
  inject(url: string): Promise<{ json(): unknown }>
  close(): Promise<void>
}

/** Each scope with the routes that ask for it, and those that show more with it, as Markdown. */
export async function scopeTable(): Promise<string> {
  const routes = await describedRoutes()
  const cell = (scope: string, isOpen: boolean) => {
    const found = routes.filter((route) => route.scope === scope && (route.auth === 'none') === isOpen)
    const names = found.map(({ method, path }) => `\`${method} ${path}\``)
    return names.length > 0 ? ` ${names.join('<br>')} ` : ' '
  }
  const rows = SCOPES.map((scope) => `| \`${scope}\` |${cell(scope, false)}|${cell(scope, true)}|`)
  return ['| scope | opens | shows more at |', '|---|---|---|', ...rows].join('\n')
}
