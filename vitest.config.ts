import { join } from 'node:path'
import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Workspace packages resolve to their sources through an export condition of ours: no build before the tests.
// `ssr` is the environment of the test files, `__vitest__` the one of the global setup files.
// Node knows no condition `module`, and its target is for bundlers.
const conditions = ['@eep/source', ...defaultServerConditions.filter((condition) => condition !== 'module')]
// Hosts in separate processes load the sources in half the time from here.
const env = { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/node-compile') }
// Node runs TypeScript by itself, faster than Vite's version of it. Vite transforms only the test files.
const external = [/\/(packages\/[^/]+|test|test\/mpp|examples)\/src\/(?!.*\.(test|setup)\.ts)/]
const globalSetup = ['test/src/global-setup.ts']
const setupFiles = ['test/src/documented-answers.setup.ts']

// A long file that starts last is waited for by itself. These start hosts and databases, or run a whole contract.
const LONG =
  /(host-example|subscription-orders|paid-years|paid-year-payments|paid-year-ends|document-converter|card-crash|crash-books|crash|subscription-crash|files-crash|host-pages|contracts|pglite|event-loop|files-stores|s3-blobs|jobs-instances|module-consumers|hostile-texts|render-markdown|agent-documents|deal-payments|x402-clients|upload-abuse|media|demo|cli|other-driver|walks|bad-input|random-requests|authorization|cold-start|rolling-restart)\.test\.ts$/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((left, right) => Number(LONG.test(right.moduleId)) - Number(LONG.test(left.moduleId)))
  }
}

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
    env,
    // Compiles WebAssembly, which is PGlite, with the baseline compiler only: optimizing it takes more time than tests save.
    execArgv: ['--liftoff-only'],
    sequence: { sequencer: LongestFirst },
    // These end what hangs; on a busy machine a test may take minutes.
    setupFiles,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['{packages/*,test,test/mpp,examples}/src/**/*.test.ts'],
          globalSetup,
        },
      },
      {
        extends: true,
        test: {
          name: 'pglite',
          include: ['test/src/{contracts,walks}.test.ts'],
          env: { TEST_DB: 'pglite' },
          globalSetup,
        },
      },
      {
        extends: true,
        test: {
          name: 'other schema',
          include: ['test/src/{walks,events}.test.ts'],
          env: { TEST_SCHEMA: 'profiles_elsewhere' },
          globalSetup,
        },
      },
    ],
  },
})
