import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const require = createRequire(import.meta.url)

/** A file of Swagger UI, from a package that has it without the installation script that its own package runs. */
const readInstalled = (name: string) => () =>
  readFile(join(dirname(require.resolve('@fastify/swagger-ui/package.json')), 'static', name))

/** A file of the API reference. */
export interface ReferenceFile {
  readonly type: string
  readonly bytes: Buffer
  readonly brotli: Buffer
}

/** Starts Swagger UI. A separate file, because the policy of the page forbids inline scripts. */
const SCRIPT = `const { description } = document.currentScript.dataset
window.addEventListener('DOMContentLoaded', () => {
  SwaggerUIBundle({
    url: description,
    dom_id: '#reference',
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    persistAuthorization: false,
    validatorUrl: null,
    presets: [SwaggerUIBundle.presets.apis],
    layout: 'BaseLayout',
  })
})
`

const STYLE = `body{margin:0;font-family:system-ui,sans-serif}
.bar{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:baseline;padding:.9rem 1.25rem;border-bottom:1px solid #e5e0d8;background:#fdfcfa}
.bar strong{margin-right:auto}
.bar a{color:#1f5f4f;text-underline-offset:.2em}
.bar a:focus-visible{outline:2px solid #1f5f4f;outline-offset:3px}
#reference>p{padding:1.25rem}
.swagger-ui .info{margin:1.5rem 0}
.swagger-ui .scheme-container{box-shadow:none;border-bottom:1px solid #e5e0d8}
@media(prefers-color-scheme:dark){:root{color-scheme:dark}body,.bar{background:#171614;color:#e8e4dc}.bar{border-color:#34302b}.bar a{color:#8fcbb7}
.swagger-ui{filter:invert(.92) hue-rotate(180deg)}.swagger-ui .highlight-code,.swagger-ui .microlight{filter:invert(1) hue-rotate(180deg)}}
`

const compress = promisify(brotliCompress)

const FILES: Readonly<Record<string, { readonly type: string; readonly read: () => Promise<Buffer> }>> = {
  'swagger-ui-bundle.js': {
    type: 'text/javascript; charset=utf-8',
    read: readInstalled('swagger-ui-bundle.js'),
  },
  'swagger-ui.css': {
    type: 'text/css; charset=utf-8',
    read: readInstalled('swagger-ui.css'),
  },
  'reference.js': { type: 'text/javascript; charset=utf-8', read: async () => Buffer.from(SCRIPT) },
  'reference.css': { type: 'text/css; charset=utf-8', read: async () => Buffer.from(STYLE) },
}

const loaded = new Map<string, Promise<ReferenceFile>>()

/** A file of the API reference by its name; undefined when it has no such file. Read and compressed once. */
export function referenceFile(name: string): Promise<ReferenceFile> | undefined {
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined
  if (!file) return undefined
  const known = loaded.get(name)
  if (known) return known
  const loading = (async () => {
    const bytes = await file.read()
    const brotli = await compress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })
    return { type: file.type, bytes, brotli }
  })()
  loaded.set(name, loading)
  // What could not be read once may be there the next time.
  loading.catch(() => loaded.delete(name))
  return loading
}
