// Runs a task on a machine that has only some Node (>= 18) and npm.
// 1. Installs with the pinned pnpm when node_modules is missing or out of date.
// 2. Runs the task's programs on the pinned Node; without npm or pnpm in between, so nothing can recurse.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const windows = process.platform === 'win32'
const bin = join(root, 'node_modules', '.bin')
const stamp = join(root, 'node_modules', '.bootstrap-stamp')
const pnpm = ['npx', '--yes', '--loglevel=error', `pnpm@${manifest.devEngines.packageManager.version}`]
const source = ['node', '--conditions=@eep/source']

const checks = {
  lint: ['biome', 'check', '--error-on-warnings'],
  promises: [
    'oxlint',
    '--type-aware',
    ...['-A', 'all', '-D', 'typescript/no-floating-promises', '-D', 'typescript/no-misused-promises'],
    ...['packages', 'examples', 'test', 'bench', 'scripts'],
  ],
  types: [
    ...['node', 'node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.json', '--noEmit'],
    ...['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo'],
  ],
  // The script of pages has the types of a browser.
  browserTypes: ['node', 'node_modules/typescript-native/bin/tsc', '-p', 'packages/core/src/browser'],
  boundaries: ['node', 'scripts/check-boundaries.ts'],
  docs: [...source, 'scripts/docs.ts', '--check'],
  docstrings: ['node', 'scripts/check-docstrings.ts', '--check'],
  words: ['node', 'scripts/check-words.ts'],
  messages: ['node', 'scripts/check-messages.ts'],
  unused: ['knip'],
  unusedInProduction: ['knip', '--production'],
}

/** What a contributor runs: the kinds of tests that `npm run test:all` begins with. */
const DEFAULT_KINDS = ['units', 'http', 'contract']

/** How often `npm run test:all` repeats what happens by chance; the defaults are in the tests. */
const LARGE_COUNTS = {
  COLD_STARTS: '10',
  CRASHED_PAYMENTS: '200',
  STREAM_KILLS: '8',
  WEBHOOK_KILLS: '10',
  RANDOM_THOUSANDS: '4',
  SEARCH_THOUSANDS: '10',
  ORDERS: '500',
}

const tasks = {
  start: [[...source, 'packages/host-example/src/main.ts']],
  doctor: [[...source, 'packages/host-example/src/eep.ts', 'doctor']],
  eep: [[...source, 'packages/host-example/src/eep.ts']],
  demo: [[...source, 'packages/host-example/src/demo.ts']],
  // The example host is measured on the built packages.
  bench: [
    [...pnpm, '-r', 'run', 'build'],
    [...source, 'bench/src/main.ts'],
  ],
  soak: [
    [...pnpm, '-r', 'run', 'build'],
    [...source, 'bench/src/soak/main.ts'],
  ],
  walks: [[...source, 'bench/src/walks.ts']],
  docs: [
    [...source, 'scripts/docs.ts'],
    ['node', 'scripts/check-docstrings.ts'],
  ],
  'docs:api': [['node', 'scripts/api-reference.ts']],
  'docs:site': [['node', 'scripts/docs-site.ts']],
  test: [['vitest', 'run']],
  'test:all': [['vitest', 'run']],
  check: Object.values(checks),
  'check:types': [checks.types, checks.browserTypes],
  'check:boundaries': [checks.boundaries],
  'check:words': [checks.words],
  'check:messages': [checks.messages],
  'check:unused': [checks.unused, checks.unusedInProduction],
  'check:packages': [['node', 'scripts/check-packages.ts']],
  'create-host': [['node', 'scripts/create-host.ts']],
  build: [[...pnpm, '-r', 'run', 'build']],
  release: [
    [...pnpm, '-r', 'run', 'build'],
    [...pnpm, '-r', 'publish', '--no-git-checks'],
    ['changeset', 'tag'],
  ],
  'lint:fix': [['biome', 'check', '--write']],
}

/** The files that decide what an install puts where. */
const manifests = () => {
  const packages = readdirSync(join(root, 'packages')).map((name) => join('packages', name))
  const workspace = [...packages, 'examples', 'test', 'test/mpp', 'test/x402-v1', 'bench'].map((folder) =>
    join(folder, 'package.json'),
  )
  return [
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    ...workspace.filter((file) => existsSync(join(root, file))),
  ]
}

const fingerprint = () => {
  const hash = createHash('sha256').update(process.platform + process.arch)
  for (const file of manifests()) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

// The variables that the calling npm or pnpm sets about itself are not meant for the next one; npm_config_* (registry, proxy) is kept.
const env = { PATH: bin + delimiter + process.env.PATH }
for (const [key, value] of Object.entries(process.env)) {
  if (key !== 'PATH' && !/^p?npm_(lifecycle|package|node|execpath|command)/i.test(key)) env[key] = value
}

// Each of the many processes of a test run compiles the same modules; the first ones leave them to the others.
env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'node')

const [name, ...extra] = process.argv.slice(2)
const commands = tasks[name]

// A file or a project that is named runs, of whatever kind it is.
const isChosen = extra.some((argument) => /^--project\b|^[^-].*[./]/.test(argument))
if (name === 'test' && !isChosen) extra.push(...DEFAULT_KINDS.flatMap((kind) => ['--project', kind]))
if (name === 'test:all') for (const [key, count] of Object.entries(LARGE_COUNTS)) env[key] ??= count

if (!commands) {
  console.error(`unknown task ${name}: ${Object.keys(tasks).join(', ')}`)
  process.exit(2)
}

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== fingerprint()) {
  const [program, ...args] = [...pnpm, 'install', '--frozen-lockfile']
  const { PATH: _, ...rest } = env
  const done = spawnSync(windows ? `${program}.cmd` : program, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: windows,
    env: { ...rest, PATH: process.env.PATH },
  })
  if (done.error) console.error(done.error.message)
  if (done.status !== 0) process.exit(done.status ?? 1)
  writeFileSync(stamp, fingerprint())
}

let child
let stopping = false
const stop = (signal) => {
  stopping = true
  child?.kill(signal)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
// npm passes SIGTERM to its `sh -c` and not to us: when the parent is gone, stop too.
const parent = process.ppid
const watch = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(watch)
  stop('SIGTERM')
}, 300)
watch.unref()

// Checks all have their say; in other tasks a program needs what the one before it did.
const goesOn = name.startsWith('check')
let failure = 0
for (const [index, [program, ...args]] of commands.entries()) {
  const last = index === commands.length - 1
  child = spawn(program, [...args, ...(last ? extra : [])], { cwd: root, stdio: 'inherit', env, shell: windows })
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(error.message)
      resolve(127)
    })
    child.once('exit', (exit, signal) => resolve(signal ? 128 + (constants.signals[signal] ?? 0) : (exit ?? 1)))
  })
  if (code !== 0 && goesOn) console.error(`${[program, ...args].join(' ')}: exit ${code}`)
  failure ||= code
  if (stopping || (failure && !goesOn)) break
}
process.exit(failure)
