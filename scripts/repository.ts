// Writes what the packages and pages say about where the project is published. `author`, `license`, `engines` and
// `repository` of the root package.json are the only places to change; `npm run docs` derives everything else. The exports of core
// are its entries (entries.ts), and a published package exports the same without its sources.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { coreExports, type Exports, publishedExports } from './entries.ts'

type Manifest = Readonly<Record<string, unknown>> & {
  readonly private?: boolean
  readonly exports?: Exports
  readonly publishConfig?: Readonly<Record<string, unknown>>
  readonly repository?: { readonly type?: string | undefined; readonly url?: string | undefined }
}

const root = join(import.meta.dirname, '..')
const readManifest = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest

/** `git+https://github.com/owner/name.git` as the address that people open. */
const addressOf = ({ repository }: Manifest) => repository?.url?.replace(/^git\+/, '').replace(/\.git$/, '')

const rootManifest = readManifest('package.json')
const address = addressOf(rootManifest) ?? ''
if (!address) throw new Error('package.json names no repository')
/** The address before the change that is being written, so that links follow it. */
const previous = addressOf(readManifest('packages/core/package.json')) ?? address

/** The order of the fields that have one; all others keep theirs. */
const FIRST = ['name', 'version', 'private', 'description', 'keywords', 'homepage', 'bugs', 'repository'] as const

function manifestText(file: string): string {
  const manifest = readManifest(file)
  const directory = dirname(file)
  const { author, license, engines, repository: { type, url } = {} } = rootManifest
  const shared = {
    homepage: directory === '.' ? `${address}#readme` : `${address}/tree/main/${directory}#readme`,
    bugs: { url: `${address}/issues` },
    repository: directory === '.' ? { type, url } : { type, url, directory },
    license,
    author,
    engines,
  }
  const exports = directory === 'packages/core' ? coreExports : manifest.exports
  const entries = exports && {
    exports,
    publishConfig: { ...manifest.publishConfig, exports: publishedExports(exports) },
  }
  const all: Manifest = { ...manifest, ...shared, ...entries }
  const first = FIRST.filter((field) => field in all).map((field) => [field, all[field]])
  const { license: _, author: __, ...rest } = all
  return `${JSON.stringify({ ...Object.fromEntries(first), license, author, ...rest }, null, 2)}\n`
}

/** The root manifest and those of all published packages as they have to be, by path. */
export const manifestFiles = (): ReadonlyMap<string, string> =>
  new Map(
    ['package.json', ...globSync('packages/*/package.json', { cwd: root })]
      .filter((file) => file === 'package.json' || !readManifest(file).private)
      .map((file) => [file, manifestText(file)]),
  )

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
const PREVIOUS = new RegExp(`${escaped(previous)}(?![\\w-])`, 'g')
const CODE_BLOCK = /(^```[\s\S]*?^```$)/m
const RELATIVE_LINK = /(?<=\]\()(?![a-z][a-z+.-]*:|#|\/)([^)\s]+)(?=\))/gi

/** A page with the current address. In the README of a published package every link is absolute, because npm shows it elsewhere. */
export function withRepository(page: string, text: string): string {
  const current = text.replaceAll(PREVIOUS, address)
  const folder = /^packages\/[^/]+(?=\/README\.md$)/.exec(page)?.[0]
  if (!folder || readManifest(`${folder}/package.json`).private) return current
  const absolute = (link: string) => `${address}/blob/main/${posix.join(folder, link)}`
  return current
    .split(CODE_BLOCK)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(RELATIVE_LINK, absolute)))
    .join('')
}

const OWN_LINK = new RegExp(`${escaped(address)}/(?:blob|tree)/main/([^)#\\s]+)`, 'g')

/** Files of this repository that a page links to by its public address. */
export const ownLinks = (text: string): readonly string[] => [...text.matchAll(OWN_LINK)].map(([, path = '']) => path)
