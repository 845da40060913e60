// What the programs that create and extend projects know of the features of core: their entries, packages and needs.
import { join } from 'node:path'
import { features } from './features.ts'
import { readManifest } from './pack-release.ts'

const packages = join(import.meta.dirname, '../packages')
const peers = readManifest(join(packages, 'core')).peerDependencies ?? {}

/** The first sentence of a docstring. */
const firstSentence = (text: string) => /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const key = (name: string) => (/^[a-z]\w*$/i.test(name) ? name : quoted(name))
const record = (ranges: Readonly<Record<string, string>>) => {
  const members = Object.entries(ranges).map(([name, range]) => `${key(name)}: ${quoted(range)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

const rangeOf = (name: string): string => {
  const range = peers[name]
  if (range === undefined) throw new Error(`A feature needs ${name}, which is not a peer of @eep/core`)
  return range
}

/** The features that a feature needs, without the modules of the base. */
const needsOf = (required: readonly { readonly name: string }[]) =>
  features.filter(({ module }) => required.some(({ name }) => name === module.name)).map(({ name }) => name)

const lines = features
  .filter(({ name }) => name !== 'sandbox')
  .map(({ name, entry, text, packages: own, module }) => {
    const ranges = Object.fromEntries(own.map((each) => [each, rangeOf(each)]))
    const needs = needsOf(module.requires ?? [])
    return `  {
    name: ${quoted(name)},
    entry: ${quoted(entry)},
    text: ${quoted(firstSentence(text))},
    packages: ${record(ranges)},
    needs: [${needs.map(quoted).join(', ')}],
  },
`
  })

/** The source of the table of features, in a package that does not depend on the modules. */
export const createdFeatures = (): string => `// Written by \`npm run docs\` from the entries of @eep/core.
import type { Feature } from './feature.ts'

/** Each feature, after those that it needs. */
export const FEATURES: readonly Feature[] = [
${lines.join('')}]
`

const RUNTIME = ['fastify', 'pino', 'close-with-grace', 'nodemailer'] as const

/** The ranges of the packages of every project, of its databases and of its tools. */
export function createdVersions(): string {
  const postgres = readManifest(join(packages, 'adapters-postgres')).peerDependencies ?? {}
  const host = { ...readManifest(join(packages, 'host-example')).devDependencies }
  const tool = (name: string) => {
    const folder = [join(packages, 'host-example'), join(packages, '..')].find(
      (each) => host[name] || each.endsWith('..'),
    )
    return `^${readManifest(join(folder ?? '', 'node_modules', name)).version}`
  }
  const runtime = Object.fromEntries(RUNTIME.map((name) => [name, rangeOf(name)]))
  const database = Object.fromEntries(
    ['@electric-sql/pglite', 'pg', 'tinyld'].map((name) => [name, postgres[name] ?? '']),
  )
  const tools = Object.fromEntries(['@types/node', 'typescript'].map((name) => [name, tool(name)]))
  return `// Written by \`npm run docs\` from the manifests of the packages.
/** The packages that the program of a service needs. */
export const RUNTIME: Readonly<Record<string, string>> = ${record(runtime)}

/** The packages of both databases, and of the search index that a program opens. */
export const DATABASE: Readonly<Record<'@electric-sql/pglite' | 'pg' | 'tinyld', string>> = ${record(database)}

/** The packages that check the types of a project. */
export const TOOLS: Readonly<Record<string, string>> = ${record({ ...tools, '@types/pg': typesOfPg() })}
`
}

const typesOfPg = () => `^${readManifest(join(packages, 'host-example', 'node_modules', '@types/pg')).version}`
