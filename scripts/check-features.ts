// Checks that features bring themselves: a host that imports none loads none, and each entry adds its services to the types.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fail } from './steps.ts'

/** What a host without features loads, in kB. The workers are not part of it. */
const MAX_BASE_KB = 1_910

interface FeatureEntry {
  readonly entry: string
  readonly factories: readonly string[]
  /** What it adds to `app.eep`. */
  readonly services: readonly string[]
}

/** The entries of features, from the sources of `everything()`. */
function featureEntries(entries: string): readonly FeatureEntry[] {
  const everything = readFileSync(join(entries, 'everything.ts'), 'utf8')
  return [...everything.matchAll(/^import \{([^}]+)\} from '\.\/([\w/-]+)\.ts'$/gm)].map(
    ([, names = '', entry = '']) => ({
      entry,
      factories: names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type ')),
      services: [...readFileSync(join(entries, `${entry}.ts`), 'utf8').matchAll(/^ {4}readonly (\w+): \w+Api$/gm)].map(
        ([, name = '']) => name,
      ),
    }),
  )
}

/** The files that Node reads for a static import of one. */
function filesLoadedBy(file: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(file)) return loaded
  loaded.add(file)
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^'"]*["'](\.[^'"]+)["']/gm)) {
    filesLoadedBy(normalize(join(dirname(file), path)), loaded)
  }
  return loaded
}

/** A host as text. It is compiled and never run, so it needs no storage. */
const host = (imports: string, lines: readonly string[]) => `import Fastify from 'fastify'
import { eep } from '@eep/core'
${imports}
const app = Fastify()
await app.register(eep, { publicUrl: 'https://api.example', secret: 'x'.repeat(32), storage: undefined as never })
export const used: readonly object[] = [${lines.join(', ')}]
`

/**
 * Compiles a host for each entry and one for `everything`, from an installed package, and measures what the base loads.
 *
 * @param consumer - a project that has the packages
 * @param compiler - the TypeScript compiler
 * @param sources - the folder of the entries of core
 */
export function checkFeatures(consumer: string, compiler: string, sources: string): void {
  const features = featureEntries(sources)
  const folder = join(consumer, 'features')
  const services = features.flatMap((feature) => feature.services)
  const hosts = new Map(
    features.map(({ entry, factories, services: own }) => [
      entry.replaceAll('/', '-'),
      host(`import { ${factories.join(', ')} } from '@eep/core/${entry}'`, [
        ...factories,
        ...own.map((name) => `app.eep.${name}`),
      ]),
    ]),
  )
  hosts.set(
    'everything-at-once',
    host("import { everything } from '@eep/core/everything'", [
      'everything',
      ...services.map((name) => `app.eep.${name}`),
    ]),
  )
  hosts.set(
    'base-alone',
    host('', [
      'app.eep.profiles',
      // A service that the base has without its feature makes its line an error.
      ...services.map((name) => `\n  // @ts-expect-error nothing imports it\n  app.eep.${name}`),
    ]),
  )
  // Each host is a separate program, because declarations of one would be seen by the others.
  for (const [name, text] of hosts) {
    const own = join(folder, name)
    mkdirSync(own, { recursive: true })
    writeFileSync(join(own, 'host.ts'), text)
    const options = { target: 'es2024', types: [], module: 'nodenext', strict: true, skipLibCheck: true, noEmit: true }
    writeFileSync(join(own, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['host.ts'] }))
    const { stdout } = spawnSync('node', [compiler, '-p', own, '--pretty', 'false'], { encoding: 'utf8' })
    if (stdout.includes('error TS')) fail(`the host ${name}`, stdout)
  }

  const dist = join(consumer, 'node_modules/@eep/core/dist')
  const base = [...filesLoadedBy(join(dist, 'index.js'))]
  const text = base.map((file) => readFileSync(file, 'utf8')).join('\n')
  const kilobytes = Math.round(base.reduce((sum, file) => sum + statSync(file).size, 0) / 1_000)
  const moduleNames = features.flatMap(({ factories }) =>
    factories.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)),
  )
  const loaded = moduleNames.filter((name) => new RegExp(`defineModule\\(\\{\\s*name: "${name}"`).test(text))
  if (loaded.length > 0) fail('what the base loads', `it loads the features ${loaded.join(', ')}`)
  const defined = readdirSync(dist).filter((file) => file.endsWith('.js'))
  const all = defined.map((file) => readFileSync(join(dist, file), 'utf8')).join('\n')
  const missing = moduleNames.filter((name) => !new RegExp(`defineModule\\(\\{\\s*name: "${name}"`).test(all))
  if (missing.length > 0) fail('what the base loads', `no file of the package defines ${missing.join(', ')}`)
  const figures = `the base loads ${base.length} files, ${kilobytes} kB (limit: ${MAX_BASE_KB} kB), and none of ${moduleNames.length} features; ${hosts.size} hosts compile`
  if (kilobytes > MAX_BASE_KB) fail('what the base loads', figures)
  console.log(`   ${figures}`)
}
