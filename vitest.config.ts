import { join } from 'node:path'
import { defaultServerConditions } from 'vite'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Workspace packages resolve to their sources through an export condition of ours: no build before the tests.
// `ssr` is the environment of the test files, `__vitest__` the one of the global setup files.
// Node knows no condition `module`, and its target is for bundlers.
const conditions = ['@eep/source', ...defaultServerConditions.filter((condition) => condition !== 'module')]
// Hosts in separate processes load the sources in half the time from here.
const env = { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/node-compile') }
// Node runs TypeScript by itself, faster than Vite's version of it. Vite transforms only the test files.
const external = [/\/((packages\/[^/]+|examples)\/src|test\/support)\/(?!.*\.(test|setup)\.ts)/]
const globalSetup = ['test/global-setup.ts']
const setupFiles = ['test/documented-answers.setup.ts']

// A long file that starts last is waited for by itself. These start hosts and databases, or run a whole contract.
const LONG =
  /(crash\/.*|contract\/(storage|s3-blobs)|host-example|subscription-orders|paid-years|paid-year-payments|paid-year-ends|document-converter|host-pages|pglite|files-stores|instances\/jobs|module-consumers|hostile-texts|render-markdown|agent-documents|deal-payments|x402-clients|upload-abuse|media|demo|cli|other-driver|tour|bad-input|random-requests|authorization|cold-start|rolling-restart)\.test\.ts$/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((left, right) => Number(LONG.test(right.moduleId)) - Number(LONG.test(left.moduleId)))
  }
}

/** Tests that start embedded databases: they take longer than all other units of their package. */
const EMBEDDED = 'packages/adapters-postgres/src/pglite*.test.ts'

interface Kind {
  readonly name: string
  readonly include: string[]
  readonly exclude?: string[]
  readonly env?: Record<string, string>
}

/** The kinds of tests. They run one after the other, in this order. */
const KINDS: readonly Kind[] = [
  { name: 'units', include: ['{packages/*/src,scripts,test/support}/**/*.test.ts'], exclude: [EMBEDDED] },
  { name: 'http', include: ['test/http/**/*.test.ts', 'examples/src/**/*.test.ts'] },
  { name: 'contract', include: ['test/contract/**/*.test.ts'] },
  {
    name: 'contract on PGlite',
    include: ['test/contract/*.test.ts', 'test/http/tour.test.ts', EMBEDDED],
    env: { TEST_DB: 'pglite' },
  },
  {
    name: 'conformance',
    include: ['test/conformance/**/*.test.ts', 'test/mpp/src/**/*.test.ts', 'test/x402-v1/src/**/*.test.ts'],
  },
  { name: 'fuzz', include: ['test/fuzz/**/*.test.ts'] },
  { name: 'process', include: ['test/process/**/*.test.ts'] },
  { name: 'browser', include: ['test/browser/**/*.test.ts'] },
]

export default defineConfig({
  ssr: { resolve: { conditions } },
  environments: { __vitest__: { resolve: { conditions } } },
  test: {
    pool: 'forks',
    // Most tests wait for a database, a chain or a host: with two workers more than two cores, none of them is idle.
    maxWorkers: 4,
    // Files share what they import: most of a short one is imports otherwise. None of them leaves anything behind.
    isolate: false,
    server: { deps: { external } },
    // Compiles WebAssembly, which is PGlite, with the baseline compiler only: optimizing it takes more time than tests save.
    execArgv: ['--liftoff-only'],
    sequence: { sequencer: LongestFirst },
    // These end what hangs; on a busy machine a test may take minutes.
    setupFiles,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    projects: KINDS.map(({ name, include, exclude = [], env: more }, groupOrder) => ({
      extends: true,
      test: {
        name,
        include,
        exclude: [...configDefaults.exclude, ...exclude],
        globalSetup,
        env: { ...env, ...more },
        sequence: { groupOrder },
      },
    })),
  },
})
