// Generates the API reference of all published entries as Markdown, one page each, from types and docstrings: `npm run docs:api`. The
// website has the pages below /reference/api; they are not committed, because every change of a type changes them.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Application } from 'typedoc'
import { entriesOf } from './public-exports.ts'

const root = join(import.meta.dirname, '..')
const entries = entriesOf()

/** Where the pages are written. */
export const API_REFERENCE = join(root, 'node_modules/.cache/api-reference')

/** Writes the pages. */
export async function writeApiReference(): Promise<void> {
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: [...entries.values()],
    tsconfig: join(root, 'tsconfig.base.json'),
    // `npm run check:types` does that.
    skipErrorChecking: true,
    excludeExternals: true,
    excludeInternal: true,
    excludePrivate: true,
    disableSources: true,
    readme: 'none',
    name: 'API reference',
    logLevel: 'Warn',
    validation: false,
  })
  for (const [option, value] of Object.entries({ router: 'module', entryFileName: 'index', hidePageHeader: true })) {
    app.options.setValue(option, value)
  }
  const project = await app.convert()
  if (!project) throw new Error('The types could not be read')
  const sources = new Map([...entries].map(([entry, source]) => [source, entry]))
  for (const module of project.children ?? []) {
    const file = project.getSymbolIdFromReflection(module)?.fileName
    const entry = file && sources.get(file)
    if (!entry) throw new Error(`${module.name} is not an entry`)
    module.name = entry.replace('@eep/', '')
  }
  rmSync(API_REFERENCE, { recursive: true, force: true })
  app.options.setValue('markdown', API_REFERENCE)
  await app.generateOutputs(project)
}

if (import.meta.main) {
  await writeApiReference()
  const pages = readdirSync(API_REFERENCE, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'))
  console.log(`${pages.length} pages in ${API_REFERENCE}`)
}
