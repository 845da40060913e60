import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresStorage } from '@eep/adapters-postgres'
import { createEep, type EepOptions, serverOptions } from '@eep/core'
import { everything } from '@eep/core/everything'
import { directoryBlobs } from '@eep/core/files'
import { runCommandLine } from '@eep/core/host'
import Fastify from 'fastify'
import { Pool } from 'pg'
import { host } from '../../packages/host-example/src/host.ts'
import { createMigratedDatabase, PUBLIC_URL } from './app.ts'

/** Without a comma, which separates secrets in the variable. */
export const OPERATED_SECRET = 'a secret of thirty-two characters or more'

/** Runs a command of the example host in this process. */
export async function runEep(args: readonly string[], environment: NodeJS.ProcessEnv) {
  const printed = { out: '', err: '' }
  const code = await runCommandLine(host, args, {
    environment,
    out: (text) => {
      printed.out += `${text}\n`
    },
    err: (text) => {
      printed.err += `${text}\n`
    },
  })
  return { code, ...printed }
}

/**
 * A service without background work on a new database, for commands that change the same database: nothing but they purges,
 * reconciles or delivers.
 */
export async function openOperated(options: Partial<EepOptions> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'eep-operated-'))
  const database = await createMigratedDatabase()
  const pool = new Pool({ connectionString: database.connectionString, max: 3 })
  const storage = postgresStorage({ pool, listen: false })
  const files = join(directory, 'files')
  const eep = createEep({
    publicUrl: PUBLIC_URL,
    secret: OPERATED_SECRET,
    storage,
    auth: { passwordHashing: { memoryKiB: 1_024 } },
    limits: { rateLimit: { multiplier: 1_000 } },
    modules: everything({ files: { blobStore: directoryBlobs({ directory: files }) } }),
    ...options,
  })
  const app = Fastify(serverOptions)
  await app.register(eep.http)
  app.decorate('eep', eep)
  const variables: NodeJS.ProcessEnv = {
    DATABASE_URL: database.connectionString,
    EEP_BASE_URL: PUBLIC_URL,
    EEP_DATA_DIR: directory,
    EEP_SECRET: OPERATED_SECRET,
  }
  return {
    app,
    eep,
    storage,
    pool,
    /** Where bytes of files are. */
    files,
    variables,
    /** Runs a command on the same database and files. */
    run: (...args: readonly string[]) => runEep(args, variables),
    /** Runs a command with further variables. */
    runWith: (more: NodeJS.ProcessEnv, ...args: readonly string[]) => runEep(args, { ...variables, ...more }),
    async close() {
      await app.close()
      await eep.stop()
      await storage.close()
      await pool.end()
      await database.drop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
