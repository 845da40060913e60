import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, onPglite } from '../support/database.ts'
import {
  contentsOfDirectory,
  DEVELOPMENT_CONTENTS,
  DEVELOPMENT_REFUSAL,
  developmentDatabase,
  makeDevelopmentDirectory,
  UNTOUCHED,
} from '../support/development-database.ts'
import { type Environment, run } from '../support/host.ts'
import { runEep } from '../support/operator.ts'

interface DevelopmentDatabase {
  readonly environment: Environment
  /** Returns its contents. */
  contents(): Promise<unknown>
  close(): Promise<unknown>
}

async function embedded(): Promise<DevelopmentDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'eep-development-'))
  const dataDir = join(directory, 'data')
  await makeDevelopmentDirectory(dataDir)
  return {
    environment: { EEP_DATA_DIR: dataDir },
    contents: () => contentsOfDirectory(dataDir),
    close: () => rm(directory, { recursive: true, force: true }),
  }
}

async function onServer(): Promise<DevelopmentDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'eep-development-'))
  const { connectionString, drop } = await createDatabase()
  const pool = new Pool({ connectionString })
  await pool.query(developmentDatabase())
  return {
    environment: { EEP_DATA_DIR: join(directory, 'data'), DATABASE_URL: connectionString },
    contents: async () => (await pool.query(DEVELOPMENT_CONTENTS)).rows[0],
    async close() {
      await pool.end()
      await drop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

const KINDS = [
  ['an embedded database', embedded],
  ['a PostgreSQL', onServer],
] as const

describe.each(KINDS.slice(0, onPglite() ? 1 : 2))('a host on %s of a development version', (_, make) => {
  let database: DevelopmentDatabase
  beforeAll(async () => {
    database = await make()
  })
  afterAll(() => database.close())

  it('does not start, and reports why and what to do', async () => {
    const host = run('main', { ...database.environment, PORT: '0' })
    expect(await host.closed).toBe(1)
    expect(host.said).toEqual({ stdout: '', stderr: expect.stringContaining(DEVELOPMENT_REFUSAL) })
    expect(await database.contents()).toEqual(UNTOUCHED)
  })

  it.each(['migrate', 'migrate --dry-run'])('refuses `eep %s` with the same sentence', async (command) => {
    const { code, out, err } = await runEep(command.split(' '), database.environment)
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(DEVELOPMENT_REFUSAL)
    expect(await database.contents()).toEqual(UNTOUCHED)
  })

  it('fails the check of migrations of `eep doctor` with the same sentence', async () => {
    const { code, out } = await runEep(['doctor', '--json'], database.environment)
    expect(code).toBe(1)
    expect(JSON.parse(out).findings).toContainEqual({
      check: 'migrations',
      status: 'failed',
      detail: DEVELOPMENT_REFUSAL,
      fix: expect.stringContaining('EEP_DATA_DIR'),
    })
    expect(await database.contents()).toEqual(UNTOUCHED)
  })
})
