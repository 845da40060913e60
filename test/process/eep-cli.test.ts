import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresStorage } from '@eep/adapters-postgres'
import { defineCommand, openService, runCommandLine } from '@eep/core/host'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { host } from '../../packages/host-example/src/host.ts'
import { login, PASSWORD, proveAddress, signUp } from '../support/accounts.ts'
import { createMigratedDatabase, createTestApp, PUBLIC_URL } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createDatabase, onPglite } from '../support/database.ts'
import { run } from '../support/host.ts'
import { migratedDataDirectory } from '../support/migrated-pglite.ts'
import { runEep } from '../support/operator.ts'
import type { TestDatabase } from '../support/postgres-server.ts'
import { programArguments } from '../support/program-arguments.ts'

/** Without a comma, which separates secrets in the variable. */
const SECRET = 'a secret of thirty-two characters or more'

const ROOT = join(import.meta.dirname, '../..')

/** Runs the command of the package in a directory. */
function runBin(cwd: string, ...args: readonly string[]) {
  const program = [...programArguments(join(ROOT, 'packages/core/src/host/eep.ts')), ...args]
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, program, { cwd, env: { ...process.env, ...variables } }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}

const newName = (stem: string) => `${stem}-${randomUUID().slice(0, 8)}`

/** The variables of the host, except its database. */
let variables: Record<string, string>
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'eep-cli-'))
  variables = { EEP_DATA_DIR: directory, EEP_SECRET: SECRET, EEP_BASE_URL: PUBLIC_URL }
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const eep = (args: readonly string[], environment: NodeJS.ProcessEnv = variables) => runEep(args, environment)

describe('the command line of the host', () => {
  it('prints its commands', async () => {
    const program = run('eep', {}, ['--help'])
    expect(await program.closed).toBe(0)
    expect(program.said.stdout).toMatch(/^Usage: eep <command>/)
    expect(program.said.stdout).toContain('admin create <email>')
  })

  it('has the commands of the host, with the service as it is configured, and lists them', async () => {
    const greet = defineCommand({
      name: 'quotes greet',
      usage: '<name>',
      summary: 'greets someone',
      help: 'Prints a greeting.',
      positionals: 1,
      options: {},
      async run({ host, positionals, readConfiguration }) {
        const { eep, close } = await openService(host, readConfiguration())
        await close()
        return { text: `Hello ${positionals[0]} from ${eep.publicUrl}`, json: { url: eep.publicUrl } }
      },
    })
    const lines: string[] = []
    const options = {
      environment: variables,
      out: (text: string) => lines.push(text),
      err: (text: string) => lines.push(text),
    }
    const own = { ...host, commands: [greet] }
    const environment = { ...variables, EEP_DATA_DIR: await migratedDataDirectory() }
    expect(await runCommandLine(own, ['quotes', 'greet', 'Ada'], { ...options, environment })).toBe(0)
    expect(await runCommandLine(own, ['--help'], options)).toBe(0)
    await rm(environment.EEP_DATA_DIR, { recursive: true, force: true })
    expect(lines[0]).toBe(`Hello Ada from ${PUBLIC_URL}`)
    expect(lines[1]).toContain('quotes greet <name>\n      greets someone')
    expect(lines[1]).toContain('admin create <email>')
  })

  it.each(['doctor', 'admin', 'purge all'])('refuses a command of the host whose name is taken: %s', async (name) => {
    const taken = defineCommand({
      name,
      usage: '',
      summary: '',
      help: '',
      positionals: 0,
      options: {},
      run: async () => ({ text: '', json: {} }),
    })
    await expect(runCommandLine({ ...host, commands: [taken] }, ['--help'])).rejects.toThrow(
      new RegExp(`^The command "${name}" of the host has the name of the command`),
    )
  })

  it('is a command of the package, for the host in whose directory it runs', async () => {
    const found = await runBin(join(ROOT, 'packages/host-example'), 'doctor', '--before-start', '--json')
    expect(found.code).toBe(0)
    expect(JSON.parse(found.stdout)).toMatchObject({ ok: true })
    const lost = await runBin(directory, 'doctor')
    expect([lost.code, lost.stderr]).toEqual([
      1,
      expect.stringContaining('Run this command in the directory of a host'),
    ])
  })

  it.each([
    [[]],
    [['admin']],
    [['admin', 'create']],
    [['admin', 'create', 'a@example.com', 'b@example.com']],
    [['admin', 'create', 'a@example.com', '--password', 'x']],
  ])('prints the usage and exits with 2 for the arguments %j', async (args) => {
    const { code, out, err } = await eep(args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain('Usage: eep')
  })

  it('prints the help of a command', async () => {
    const { code, out } = await eep(['admin', 'create', '--help'])
    expect(code).toBe(0)
    expect(out).toMatch(/^Usage: eep admin create <email>/)
  })

  it('names each variable that is invalid', async () => {
    const { code, err } = await eep(['admin', 'create', 'a@example.com'], { ...variables, PORT: 'many' })
    expect(code).toBe(1)
    expect(err).toContain('PORT')
  })
})

describe('eep migrate with an embedded database', () => {
  it('lists the missing migrations of a database that does not exist, and does not create it', async () => {
    const environment = { EEP_DATA_DIR: join(directory, newName('embedded')) }
    const { code, out, err } = await eep(['migrate', '--dry-run', '--json'], environment)
    expect([code, err]).toEqual([0, ''])
    expect(JSON.parse(out).pending[0]).toMatch(/^0001_/)
    expect(existsSync(environment.EEP_DATA_DIR)).toBe(false)
  })

  it('finds nothing to apply to a migrated database', async () => {
    const environment = { EEP_DATA_DIR: await migratedDataDirectory() }
    try {
      const { code, out } = await eep(['migrate'], environment)
      expect([code, out]).toEqual([0, 'The schema eep is up to date\n'])
    } finally {
      await rm(environment.EEP_DATA_DIR, { recursive: true, force: true })
    }
  })
})

describe.skipIf(onPglite())('on the database of a running host', () => {
  let database: TestDatabase
  let pool: Pool
  let test: Awaited<ReturnType<typeof createTestApp>>

  beforeAll(async () => {
    database = await createMigratedDatabase()
    variables = { ...variables, DATABASE_URL: database.connectionString }
    pool = new Pool({ connectionString: database.connectionString, max: 3 })
    test = await createTestApp({ storage: postgresStorage({ pool }), secret: SECRET })
  })
  afterAll(async () => {
    await test.close()
    await test.storage.close?.()
    await pool.end()
    await database.drop()
  })

  interface Appointed {
    readonly outcome: string
    readonly account: { readonly id: string; readonly email: string; readonly username: string }
    readonly password_link: { readonly url: string; readonly expires_at: string } | null
  }
  const appoint = async (email: string, ...options: string[]) => {
    const { code, out, err } = await eep(['admin', 'create', email, '--json', ...options])
    return { code, err, appointed: (code === 0 ? JSON.parse(out) : undefined) as Appointed }
  }
  const setPassword = (link: string) =>
    client(test.app).post('/auth/reset-password', {
      token: new URL(link).searchParams.get('token'),
      password: PASSWORD,
    })

  describe('eep admin create', () => {
    it('creates an administrator, who signs in with the password that the link sets', async () => {
      const email = `${newName('first')}@example.com`
      const { appointed } = await appoint(email)
      expect(appointed.outcome).toBe('created')
      expect((await setPassword(appointed.password_link?.url ?? '')).statusCode).toBe(200)
      const { token } = (await login(test.app, email)).json()
      const stats = await client(test.app).get('/admin/stats', { authorization: `Bearer ${token}` })
      expect(stats.statusCode).toBe(200)
    })

    it('gives the new account the chosen username', async () => {
      const username = newName('chosen')
      const { appointed } = await appoint(`${username}@example.com`, '--username', username)
      expect(appointed.account.username).toBe(username)
    })

    it('replaces the link of an account without a password when it is run again', async () => {
      const email = `${newName('again')}@example.com`
      const first = (await appoint(email)).appointed.password_link?.url ?? ''
      const { appointed } = await appoint(email)
      expect(appointed.outcome).toBe('unchanged')
      expect((await setPassword(first)).statusCode).toBe(400)
      expect((await setPassword(appointed.password_link?.url ?? '')).statusCode).toBe(200)
    })

    it('promotes an account whose address is verified, without a link', async () => {
      const person = await signUp(test.app, newName('promoted'))
      await proveAddress(test, person)
      expect((await person.get('/admin/stats')).statusCode).toBe(403)
      const { appointed } = await appoint(person.account.email)
      expect([appointed.outcome, appointed.password_link]).toEqual(['promoted', null])
      expect((await person.get('/admin/stats')).statusCode).toBe(200)
    })

    it('records the appointment in the audit log, without an actor', async () => {
      const { appointed } = await appoint(`${newName('recorded')}@example.com`)
      const target = `accounts/${appointed.account.id}`
      const { items } = await test.storage.read.audit.list({ target }, { limit: 2 })
      expect(items).toEqual([
        expect.objectContaining({
          action: 'account.appointed',
          actorAccountId: null,
          before: { is_admin: false },
          after: { is_admin: true },
        }),
      ])
    })

    it('refuses an account whose address was never verified', async () => {
      const person = await signUp(test.app, newName('squatter'))
      const { code, err } = await appoint(person.account.email)
      expect(code).toBe(1)
      expect(err).toContain('email_not_verified')
      expect((await person.get('/admin/stats')).statusCode).toBe(403)
    })

    it('refuses an address that is not one', async () => {
      const { code, err } = await appoint('grace')
      expect([code, err]).toEqual([1, 'The email address is not valid (validation_failed)\n'])
    })

    it('prints sentences without --json', async () => {
      const email = `${newName('sentence')}@example.com`
      const { code, out } = await eep(['admin', 'create', email])
      expect(code).toBe(0)
      expect(out).toMatch(
        /^\S+ \(\S+\) has a new account and is an administrator\nSet a password before \S+Z:\nhttps:\S+\n$/,
      )
    })

    it('names the missing migrations of a database, and applies none', async () => {
      const empty = await createDatabase()
      try {
        const environment = { ...variables, DATABASE_URL: empty.connectionString }
        const { code, err } = await eep(['admin', 'create', 'ada@example.com'], environment)
        expect(code).toBe(1)
        expect(err).toContain('DATABASE_URL cannot be used')
      } finally {
        await empty.drop()
      }
    })
  })

  describe('eep migrate', () => {
    it('lists what is missing, applies it, and finds nothing missing after that', async () => {
      const empty = await createDatabase()
      try {
        const environment = { ...variables, DATABASE_URL: empty.connectionString }
        for (let count = 0; count < 2; count++) {
          const { code, out } = await eep(['migrate', '--dry-run'], environment)
          expect(code).toBe(0)
          expect(out).toMatch(/^missing {2}0001_.*\nThe schema eep lacks \d+\n$/s)
        }
        const applied = await eep(['migrate'], environment)
        expect([applied.code, applied.err]).toEqual([0, ''])
        expect(applied.out).toMatch(/^applied {2}0001_.*\nThe schema eep is up to date\n$/s)
        const { out } = await eep(['migrate', '--json'], environment)
        expect(JSON.parse(out)).toEqual({ schema: 'eep', dry_run: false, applied: [] })
      } finally {
        await empty.drop()
      }
    })

    it('applies nothing to a database that was migrated by another form of a migration', async () => {
      const { rows } = await pool.query(
        `update eep.migrations set checksum = checksum || 'x' where name like '0001_%' returning name`,
      )
      const restore = () =>
        pool.query(`update eep.migrations set checksum = rtrim(checksum, 'x') where name like '0001_%'`)
      try {
        for (const args of [['migrate'], ['migrate', '--dry-run']]) {
          const { code, err } = await eep(args)
          expect(code).toBe(1)
          expect(err).toContain(rows[0].name)
        }
      } finally {
        await restore()
      }
    })

    it('fails without the password of a database that cannot be reached', async () => {
      const environment = { ...variables, DATABASE_URL: 'postgres://user:a-secret-password@127.0.0.1:1/eep' }
      const { code, err } = await eep(['migrate'], environment)
      expect(code).toBe(1)
      expect(err).toContain('DATABASE_URL cannot be used')
      expect(err).not.toContain('a-secret-password')
    })
  })
})
