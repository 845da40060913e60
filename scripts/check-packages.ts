// Checks the packages as others get them: packs the next release, lints the tarballs, rehearses publishing them, installs
// them into an empty project, compiles a consumer and the examples there without skipLibCheck, loads every entry in Node,
// and starts a host that was copied out of the workspace.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkBundlers } from './check-bundlers.ts'
import { checkCreatedHost } from './check-created-host.ts'
import { checkCreatedProjects } from './check-created-projects.ts'
import { checkFeatures } from './check-features.ts'
import { checkFootprint } from './check-footprint.ts'
import { checkQuickStart } from './check-quick-start.ts'
import { checkTypeCost } from './check-type-cost.ts'
import { checkUpgrade } from './check-upgrade.ts'
import { packageFolders, packRelease, readManifest, rehearseRelease } from './pack-release.ts'
import { fail, report, run } from './steps.ts'

const begun = performance.now()
const root = join(import.meta.dirname, '..')
const bin = join(root, 'node_modules', '.bin')
const temporary = mkdtempSync(join(tmpdir(), 'eep-packages-'))
const consumer = join(temporary, 'consumer')
mkdirSync(join(consumer, 'src'), { recursive: true })

/** Errors in the declarations of other libraries are ignored. Those in our declarations and in the consumer are not. */
function compile(what: string, compiler: string): void {
  const started = performance.now()
  const { stdout } = spawnSync('node', [compiler, '-p', 'tsconfig.json', '--pretty', 'false'], {
    cwd: consumer,
    encoding: 'utf8',
  })
  const lines = stdout.split('\n').filter((line) => /error TS\d+/.test(line))
  const foreign = lines.filter((line) => /^(\.\.\/)*node_modules\/(?!@eep\/)/.test(line))
  if (lines.length > foreign.length) fail(what, lines.filter((line) => !foreign.includes(line)).join('\n'))
  const others = new Set(foreign.map((line) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(line)?.[1]))
  report(`${what}${others.size ? `, apart from faults inside ${[...others].join(', ')}` : ''}`, started)
}

/** The version the workspace has installed, so that the consumer gets the same. */
function installedVersion(name: string, from: readonly string[]): string | undefined {
  const manifest = from.map((folder) => join(folder, 'node_modules', name)).find((folder) => existsSync(folder))
  return manifest && readManifest(manifest).version
}

process.on('exit', () => rmSync(temporary, { recursive: true, force: true }))

const tarballs = packRelease(temporary)
for (const { name, path } of tarballs) {
  run(`publint ${name}`, [join(bin, 'publint'), '--strict', path], root)
  run(`attw ${name}`, [join(bin, 'attw'), path, '--profile', 'esm-only', '--no-emoji'], root)
}
rehearseRelease(temporary, tarballs)

// The consumer has the tarballs, their peers (but not the binary of a test chain), and what the examples use.
const examples = join(root, 'examples')
const wanted = [
  ...packageFolders.flatMap((folder) => Object.keys(readManifest(folder).peerDependencies ?? {})),
  ...Object.keys({ ...readManifest(examples).dependencies, ...readManifest(examples).devDependencies }),
  '@types/node',
].filter((name) => !/^@eep\/|^@foundry-rs\//.test(name))
const places = [...packageFolders, examples, root]
writeFileSync(
  join(consumer, 'package.json'),
  JSON.stringify({
    name: 'consumer',
    private: true,
    type: 'module',
    dependencies: {
      ...Object.fromEntries(wanted.map((name) => [name, installedVersion(name, places)])),
      ...Object.fromEntries(tarballs.map(({ name, path }) => [name, `file:${path}`])),
    },
    overrides: Object.fromEntries(tarballs.map(({ name }) => [name, `$${name}`])),
  }),
)
run(
  'install the tarballs',
  ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
  consumer,
)

/** A library that no manifest names as a dependency or peer is built into the chunks, and names its files there. */
function checkNoLibraryIsBuiltIn(): void {
  const folders = tarballs.map(({ name }) => join(consumer, 'node_modules', name, 'dist'))
  const chunks = folders.flatMap((folder) => globSync('**/*.js', { cwd: folder }).map((file) => join(folder, file)))
  const found = chunks.flatMap((file) => {
    const [line] = /^\/\/ .*\/node_modules\/.*$/m.exec(readFileSync(file, 'utf8')) ?? []
    return line === undefined ? [] : [`${file}: ${line}`]
  })
  if (found.length > 0) fail('libraries are installed, and not built into the packages', found.join('\n'))
}
checkNoLibraryIsBuiltIn()

const entries = tarballs.flatMap(({ name }) =>
  Object.keys(readManifest(join(consumer, 'node_modules', name)).exports ?? {})
    .filter((entry) => entry !== './package.json')
    .map((entry) => name + entry.slice(1)),
)
const imports = entries.map((entry, index) => `import * as entry${index} from '${entry}'`)
const uses = entries.map((_, index) => `entry${index}`)
writeFileSync(
  join(consumer, 'src', 'consumer.ts'),
  `${imports.join('\n')}\n\nexport const entries: readonly object[] = [${uses.join(', ')}]\n`,
)
for (const example of globSync('src/**/*.ts', { cwd: examples })) {
  if (!/\.test\.ts$/.test(example)) cpSync(join(examples, example), join(consumer, example))
}
// People copy the first example of each README, so it must compile unchanged.
for (const { name } of tarballs) {
  const readme = readFileSync(join(consumer, 'node_modules', name, 'README.md'), 'utf8')
  const example = /^```ts\n([\s\S]*?)^```$/m.exec(readme)?.[1]
  if (!example) fail(`example of ${name}`, 'README.md has no block of TypeScript')
  writeFileSync(join(consumer, 'src', `readme-${name.replace('@eep/', '')}.ts`), `${example}export {}\n`)
}
writeFileSync(
  join(consumer, 'tsconfig.json'),
  JSON.stringify({
    compilerOptions: {
      target: 'es2024',
      lib: ['es2024'],
      types: ['node'],
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      allowImportingTsExtensions: true,
      skipLibCheck: false,
      noEmit: true,
    },
    include: ['src'],
  }),
)
compile('compile with TypeScript 6', join(root, 'node_modules/typescript/bin/tsc'))
compile('compile with the native compiler', join(root, 'node_modules/typescript-native/bin/tsc'))
checkTypeCost(consumer, join(root, 'node_modules/typescript/bin/tsc'))
checkFeatures(consumer, join(root, 'node_modules/typescript-native/bin/tsc'), join(root, 'packages/core/src/entries'))
// Those that configure an adapter also run; the others need a database or listen.
for (const name of ['adapters-s3', 'payments-card', 'payments-x402']) {
  run(`run the example of @eep/${name}`, ['node', `src/readme-${name}.ts`], consumer)
}
for (const entry of entries) {
  run(`load ${entry}`, ['node', '--input-type=module', '-e', `await import('${entry}'); process.exit(0)`], consumer)
}
run(
  'read texts in other languages',
  [
    ...['node', '--input-type=module', '-e'],
    "const { pageTexts } = await import('@eep/core'); process.exit(pageTexts('ar')['page.search'] === 'بحث' ? 0 : 1)",
  ],
  consumer,
)
// The oldest peers that the manifests allow, and nothing that only the workspace has.
const oldest = join(temporary, 'oldest')
mkdirSync(oldest)
const lowest = (range: string) => /\d+\.\d+\.\d+/.exec(range)?.[0] ?? range
const peers = tarballs
  .flatMap(({ name }) => Object.entries(readManifest(join(consumer, 'node_modules', name)).peerDependencies ?? {}))
  .filter(([name]) => !/^@eep\/|^@foundry-rs\//.test(name))
writeFileSync(
  join(oldest, 'package.json'),
  JSON.stringify({
    private: true,
    type: 'module',
    dependencies: {
      ...Object.fromEntries(peers.map(([name, range]) => [name, lowest(range)])),
      ...Object.fromEntries(tarballs.map(({ name, path }) => [name, `file:${path}`])),
    },
  }),
)
run(
  'install the oldest peers',
  ['npm', 'install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
  oldest,
)
const loadAll = `for (const entry of ${JSON.stringify(entries)}) await import(entry); process.exit(0)`
run('load every entry with the oldest peers', ['node', '--input-type=module', '-e', loadAll], oldest)

checkFootprint(join(temporary, 'small-host'), tarballs)
await checkQuickStart(join(temporary, 'quick-start'), tarballs)
await checkCreatedHost(join(temporary, 'my-host'), tarballs)
await checkCreatedProjects(join(temporary, 'projects'), tarballs)
await checkBundlers(join(temporary, 'bundlers'), tarballs)
await checkUpgrade(root, join(temporary, 'last-release'), join(temporary, 'my-host', '.data'))
report(`${tarballs.length} packages, ${entries.length} entries, one host`, begun)
