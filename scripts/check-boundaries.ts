// Checks the imports against .dependency-cruiser.cjs. The tool is also content when it understood no file at all (with
// a TypeScript it does not know, for one), so the files it saw are counted.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { foreignStoreProblems, foreignStores } from './foreign-stores.ts'

interface Report {
  readonly modules: readonly {
    readonly source: string
    readonly dependencies: readonly { readonly resolved: string }[]
  }[]
  readonly summary: {
    readonly totalCruised: number
    readonly totalDependenciesCruised: number
    readonly violations: readonly { from: string; to: string; rule: { name: string }; cycle?: { name: string }[] }[]
  }
}

const root = join(import.meta.dirname, '..')
const folders = ['packages', 'examples', 'test', 'bench'].flatMap((top) =>
  globSync(top === 'packages' ? 'packages/*/src' : `${top}/src`, { cwd: root }),
)
const sources = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))

const cruise = spawnSync('depcruise', ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...folders], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 256 * 1024 * 1024,
  stdio: ['ignore', 'pipe', 'inherit'],
})
if (cruise.error) throw cruise.error
const { modules, summary } = JSON.parse(cruise.stdout) as Report

/** The folders of core that depend on each other: each folder of a wing, of `framework` and of `runtime`, and the files beside them. */
const CORE = 'packages/core/src/'
const NESTED = new Set(['modules', 'framework', 'runtime', 'entries'])
const isTest = (path: string) => /\.test(-d)?\.ts$/.test(path)
const folderOf = (path: string): string => {
  const [top = '', second = '', third = '', ...deeper] = path.slice(CORE.length).split('/')
  if (top === 'modules' && deeper.length > 0) return `${top}/${second}/${third}`
  return NESTED.has(top) ? `${top}/${second}` : top
}

/** Headers of responses that follow from facts, which services state and `http/` writes. */
const HEADER =
  /['"`](?:retry-after|www-authenticate|set-cookie|cache-control|content-range|payment-required|payment-response|location|upgrade|vary)['"`]\]?\s*:|(?<=[{,\s])vary\s*:/i

/** Files without HTTP that name such a header. */
const speaking = modules.filter(({ source, dependencies }) => {
  if (!/^packages\/(core|adapters-[^/]+|payments-[^/]+)\/src\//.test(source)) return false
  if (isTest(source) || /\/testing\/|-fixture\.ts$/.test(source) || source.startsWith(`${CORE}http/`)) return false
  if (dependencies.some(({ resolved }) => /^packages\/core\/src\/http\/|node_modules\/fastify\//.test(resolved)))
    return false
  return HEADER.test(readFileSync(join(root, source), 'utf8'))
})
for (const { source } of speaking) console.error(`${source} names a header of a response; state a fact instead`)

/** What rewrites routes or requests of Fastify. `registerRoute` decides everything before Fastify gets a route. */
const REWRITES: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/addHook\(\s*['"`]onRoute/, 'registers an onRoute hook; add what it does to registerRoute'],
  [
    /\b(?:app|instance|scope|fastify)\.(?:route|get|head|post|put|patch|delete)\s*=[^=>]/,
    'replaces a method of Fastify',
  ],
  [/hooks\w*\.(?:pop|shift|splice)\(/i, 'removes hooks of another plugin'],
  [/\braw\.emit\(/, 'emits events of a request of Node'],
]
/** Reads the routes of the host that sell access, and changes none. */
const READS_ROUTES = `${CORE}framework/plugin.ts`
const rewriting = modules.flatMap(({ source }) => {
  if (!/^packages\/[^/]+\/src\//.test(source) || isTest(source) || source === READS_ROUTES) return []
  const text = readFileSync(join(root, source), 'utf8')
  return REWRITES.flatMap(([pattern, what]) => (pattern.test(text) ? [`${source} ${what}`] : []))
})
for (const line of rewriting) console.error(line)

/** Compares how a caller was authenticated, so that a new kind of credential would count as a session. */
const COMPARES_VIA = /\bvia\s*[!=]==/
const comparing = modules.filter(
  ({ source }) =>
    source.startsWith(CORE) &&
    source !== `${CORE}model/caller.ts` &&
    !isTest(source) &&
    COMPARES_VIA.test(readFileSync(join(root, source), 'utf8')),
)
for (const { source } of comparing) console.error(`${source} compares \`via\` of a caller; ask model/caller.ts`)

const arrows = new Map<string, Set<string>>()
for (const { source, dependencies } of modules) {
  if (!source.startsWith(CORE) || isTest(source)) continue
  const from = folderOf(source)
  const targets = arrows.get(from) ?? new Set()
  arrows.set(from, targets)
  for (const { resolved } of dependencies) {
    if (resolved.startsWith(CORE) && folderOf(resolved) !== from) targets.add(folderOf(resolved))
  }
}

/** Folders that are left when those without arrows are taken away again and again: they form cycles. */
function foldersInCycles(): readonly string[] {
  const left = new Map([...arrows].map(([folder, targets]) => [folder, new Set(targets)]))
  for (let removed = true; removed; ) {
    removed = false
    for (const [folder, targets] of left) {
      if ([...targets].some((target) => left.has(target))) continue
      left.delete(folder)
      removed = true
    }
  }
  return [...left.keys()]
}

const knotted = foldersInCycles()
if (knotted.length > 0) console.error(`Folders that depend on each other, types included: ${knotted.join(', ')}`)

const foreign = foreignStoreProblems()
for (const line of foreign) console.error(line)

for (const { rule, from, to, cycle } of summary.violations) {
  console.error(`${rule.name}: ${from} → ${cycle ? cycle.map(({ name }) => name).join(' → ') : to}`)
}
if (summary.totalCruised < sources.length) {
  console.error(`${summary.totalCruised} files were read, but there are ${sources.length}`)
}
if (
  knotted.length > 0 ||
  speaking.length > 0 ||
  rewriting.length > 0 ||
  comparing.length > 0 ||
  foreign.length > 0 ||
  summary.violations.length > 0 ||
  summary.totalCruised < sources.length
)
  process.exit(1)
console.log(
  `boundaries: ${sources.length} files, ${summary.totalDependenciesCruised} imports, no violation, ${arrows.size} folders of core without a cycle, ${foreignStores().size} modules with stores of others`,
)
