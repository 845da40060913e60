import { readFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'

const ROOT = join(import.meta.dirname, '../..')

/** The programs that tests run as separate processes. */
const ENTRY_POINTS = [
  ...['main', 'eep', 'demo'].map((name) => `packages/host-example/src/${name}.ts`),
  'packages/adapters-postgres/src/cli.ts',
  ...['app-token', 'billing', 'consumer', 'job', 'notification', 'payment', 'search', 'stream', 'webhook'].map(
    (name) => `test/support/${name}-host.ts`,
  ),
]

/** Lets the sources and the packages from npm find their neighbors from a bundle. */
const findNeighbors: Plugin = {
  name: 'find-neighbors',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      // PGlite reads large files beside it. Only Node finds what a CommonJS module exports when it is imported later.
      const isLeft = kind === 'dynamic-import' || path.startsWith('@electric-sql/')
      if (pluginData === findNeighbors || !isLeft) return undefined
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: findNeighbors })
      if (found.external || found.errors.length > 0) return { path, external: true }
      if (!found.path.includes('/node_modules/')) return found
      return { path: pathToFileURL(found.path).href, external: true }
    })
    onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
      const url = JSON.stringify(pathToFileURL(path).href)
      const [file, directory] = [JSON.stringify(path), JSON.stringify(dirname(path))]
      const contents = (await readFile(path, 'utf8'))
        .replaceAll(NEIGHBOR, (shown, name) => {
          const file = join(dirname(path), `${name}.ts`)
          return isEntryPoint(file) ? `join(import.meta.filename, '../${bundleNameOf(file)}.mjs')` : shown
        })
        .replaceAll('import.meta.url', () => url)
        .replaceAll('import.meta.dirname', () => directory)
        .replaceAll(NAMES_OF_COMMONJS, (name) => (name === '__dirname' ? directory : file))
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' }
    })
  },
}

/** A program that starts another one starts its bundle, which is beside its own. */
const NEIGHBOR = /join\(import\.meta\.dirname, '(\w+)\.ts'\)/g

/** Where they are used, and not where a module declares them. */
const NAMES_OF_COMMONJS = /(?<![\w.$])__(?:dir|file)name\b(?!\s*[=:])/g

const isEntryPoint = (file: string) => ENTRY_POINTS.includes(relative(ROOT, file))
const bundleNameOf = (file: string) => `${basename(dirname(dirname(file)))}-${basename(file, '.ts')}`

/**
 * Bundles the programs that tests start many times, with their packages from npm. A program then loads a few files instead
 * of a thousand, which takes a fraction of the processor time.
 */
export async function bundlePrograms(directory: string): Promise<void> {
  const { build } = await import('esbuild')
  await build({
    entryPoints: ENTRY_POINTS.map((file) => ({ in: join(ROOT, file), out: bundleNameOf(file) })),
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What a program imports only when it is needed stays in separate files.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    conditions: ['@eep/source'],
    // Not installed: pg does without it.
    external: ['pg-native'],
    // Bundled CommonJS modules load those of Node with it.
    banner: {
      js: `import{createRequire as createRequireHere}from'node:module';const require=createRequireHere(${JSON.stringify(import.meta.url)});`,
    },
    logLevel: 'warning',
    plugins: [findNeighbors],
  })
}

/** The file of a program in the directory of bundles; undefined for a program that is not bundled. `file` is absolute. */
export const bundleOf = (directory: string, file: string): string | undefined =>
  isEntryPoint(file) ? join(directory, `${bundleNameOf(file)}.mjs`) : undefined
