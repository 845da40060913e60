import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { postgresStorage } from '@eep/adapters-postgres'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createWriter } from '../../support/content.ts'
import { createDatabase, onPglite } from '../../support/database.ts'
import {
  DEVELOPMENT_CONTENTS,
  DEVELOPMENT_REFUSAL,
  developmentDatabase,
  UNTOUCHED,
} from '../../support/development-database.ts'
import { PATIENT } from '../../support/patient-search.ts'
import type { TestDatabase } from '../../support/postgres-server.ts'
import { programArguments } from '../../support/program-arguments.ts'
import { pathsOf } from '../../support/search.ts'
import { soon } from '../../support/wait.ts'

const packageFile = createRequire(import.meta.url).resolve('@eep/adapters-postgres/package.json')
const command = join(dirname(packageFile), 'src/cli.ts')

/** Runs `eep-postgres` as a shell would, without a terminal to ask questions on. */
const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const { DATABASE_URL: _, ...inherited } = process.env
    const options = { env: { ...inherited, ...env }, timeout: 200_000 }
    const child = execFile(process.execPath, [...programArguments(command), ...args], options, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err }),
    )
    child.stdin?.end()
  })

describe('eep-postgres', () => {
  it('prints its usage', async () => {
    const { code, out } = await run(['--help'])
    expect(code).toBe(0)
    expect(out).toContain('Usage: eep-postgres <command>')
  })

  it('exits with 2 for invalid usage', async () => {
    const url = '--url=postgres://127.0.0.1:1/none'
    for (const args of [
      [],
      ['migrat', url],
      ['migrate', 'now', url],
      ['migrate'],
      ['migrate', '--fast', url],
      ['status', '--dry-run', url],
      ['migrate', '--schema=a b', url],
    ]) {
      const { code, err } = await run(args)
      expect({ args, code }).toEqual({ args, code: 2 })
      expect(err).toContain('Usage: eep-postgres')
    }
  })

  it('exits with 1 and one line without a database', async () => {
    const { code, err } = await run(['migrate', '--url', 'postgres://127.0.0.1:1/none'])
    expect(code).toBe(1)
    expect(err).toMatch(/^eep-postgres: .*ECONNREFUSED.*\n$/)
  })

  describe.skipIf(onPglite())('on a database', () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await createDatabase()
    })
    afterAll(() => database.drop())

    it('lists what it would apply, migrates, prints the status, and does nothing the second time', async () => {
      const env = { DATABASE_URL: database.connectionString }
      const missing = await run(['status'], env)
      expect(missing).toMatchObject({ code: 1, err: '' })
      expect(missing.out).toContain('missing  0001_baseline')

      for (let count = 0; count < 2; count++) {
        const dry = await run(['migrate', '--dry-run'], env)
        expect(dry).toMatchObject({ code: 0, err: '' })
        expect(dry.out).toContain('missing  0001_baseline')
        expect(dry.out).toMatch(/^\d+ would be applied to eep$/m)
      }

      const first = await run(['migrate'], env)
      expect(first).toMatchObject({ code: 0, err: '' })
      expect(first.out).toContain('applied  0001_baseline')
      expect(await run(['migrate'], env)).toEqual({ code: 0, err: '', out: 'The schema eep is up to date\n' })
      const { code, out } = await run(['status'], env)
      expect(code).toBe(0)
      expect(out).toMatch(/^applied {2}0001_baseline {2}\d{4}-\d\d-\d\dT/)
      expect(out).toMatch(/The schema eep is up to date\n$/)
    })

    it('lets a running service rebuild the search index, and fails without the tables', async () => {
      const empty = await createDatabase()
      const missing = await run(['reindex', '--url', empty.connectionString])
      await empty.drop()
      expect(missing).toMatchObject({ code: 1, out: '' })

      const url = database.connectionString
      await run(['migrate', '--url', url])
      const pool = new Pool({ connectionString: url })
      const storage = postgresStorage({ pool })
      const { app, close } = await createTestApp({ storage, search: { index: storage.search(PATIENT) } })
      try {
        const page = await (await createWriter(app)).newPage({ title: 'Quillwort' })
        await soon(async () => expect(await pathsOf(app, 'quillwort')).toEqual([page.path]))
        await pool.query('truncate eep.search_documents cascade')
        expect(await pathsOf(app, 'quillwort')).toEqual([])
        expect(await run(['reindex', '--url', url])).toMatchObject({ code: 0, err: '' })
        await soon(async () => expect(await pathsOf(app, 'quillwort')).toEqual([page.path]))
      } finally {
        await close()
        await storage.close()
        await pool.end()
      }
    })

    it('works with another schema name', async () => {
      const args = ['--schema', 'profiles', '--url', database.connectionString]
      expect((await run(['migrate', ...args])).code).toBe(0)
      const pool = new Pool({ connectionString: database.connectionString })
      await postgresStorage({ pool, schema: 'profiles' }).ping()
      await pool.end()
    })

    it('fails, and changes nothing, when the schema was made by an edited migration', async () => {
      const args = ['--schema', 'edited', '--url', database.connectionString]
      await run(['migrate', ...args])
      const pool = new Pool({ connectionString: database.connectionString })
      await pool.query(`update edited.migrations set checksum = 'other' where name = '0001_baseline'`)
      await pool.end()
      const { code, err } = await run(['migrate', ...args])
      expect({ code, err }).toEqual({
        code: 1,
        err: 'eep-postgres: The schema "edited" was migrated by a different version of 0001_baseline\n',
      })
      expect((await run(['status', ...args])).code).toBe(1)
    })

    it('refuses a database of a development version in every command, and leaves it as it is', async () => {
      const development = await createDatabase()
      const pool = new Pool({ connectionString: development.connectionString })
      await pool.query(developmentDatabase())
      for (const args of [['migrate', '--dry-run'], ['migrate'], ['status'], ['reindex']]) {
        const refused = await run([...args, '--url', development.connectionString])
        expect(refused).toEqual({ code: 1, out: '', err: `eep-postgres: ${DEVELOPMENT_REFUSAL}\n` })
      }
      expect((await pool.query(DEVELOPMENT_CONTENTS)).rows).toEqual([UNTOUCHED])
      await pool.end()
      await development.drop()
    })
  })
})
