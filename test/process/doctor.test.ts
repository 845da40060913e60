import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresStorage } from '@eep/adapters-postgres'
import { newAccount, newProfile } from '@eep/core/testing'
import { Client, Pool } from 'pg'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { createMigratedDatabase } from '../support/app.ts'
import { createDatabase, onPglite } from '../support/database.ts'
import { type Environment, run, startHost } from '../support/host.ts'
import { migratedDataDirectory } from '../support/migrated-pglite.ts'
import { runEep } from '../support/operator.ts'
import { soon } from '../support/wait.ts'

const directories: string[] = []
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true, force: true }))))

async function newDirectory() {
  const directory = await mkdtemp(join(tmpdir(), 'eep-doctor-'))
  directories.push(directory)
  return join(directory, 'data')
}

interface Finding {
  readonly check: string
  readonly status: string
  readonly detail: string
  readonly fix?: string
}

/** Lets the doctor examine a configuration: its findings by name, and its exit code. */
async function examine(environment: Environment, ...options: readonly string[]) {
  const { code, out, err } = await runEep(['doctor', '--json', ...options], environment)
  const { ok, findings } = JSON.parse(out) as { ok: boolean; findings: readonly Finding[] }
  return {
    code,
    ok,
    output: out + err,
    statuses: Object.fromEntries(findings.map(({ check, status }) => [check, status])),
    of: (name: string) => findings.find(({ check }) => check === name),
  }
}

/** An address of this machine where nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('eep doctor', () => {
  it('finds nothing wrong with a host without configuration, and creates nothing', async () => {
    const directory = await newDirectory()
    const { code, ok, statuses } = await examine({ EEP_DATA_DIR: directory })
    expect([code, ok]).toEqual([0, true])
    expect(new Set(Object.values(statuses))).toEqual(new Set(['ok', 'skipped']))
    expect(existsSync(directory)).toBe(false)
  })

  it('prints a line for each check, and ends', async () => {
    const doctor = run('eep', { EEP_DATA_DIR: await newDirectory() }, ['doctor'])
    expect(await doctor.closed).toBe(0)
    expect(doctor.said.stdout).toMatch(/^ok {7}configuration: all variables are valid$/m)
    expect(doctor.said.stdout).toMatch(/^ok {7}payments: the sandbox takes play money, and none moves$/m)
  })

  it('refuses options that it does not know', async () => {
    const { code, err } = await runEep(['doctor', '--fix'], {})
    expect(code).toBe(2)
    expect(err).toContain('Usage: eep doctor')
  })

  it('names each variable that is invalid, and checks nothing else', async () => {
    const { code, ok, statuses, output } = await examine({ PORT: 'many', X402_PAY_TO: 'me' })
    expect([code, ok]).toEqual([1, false])
    expect(statuses).toEqual({ configuration: 'failed' })
    expect(output).toContain('PORT')
    expect(output).toContain('X402_PAY_TO')
  })

  it('leaves the database of a running host alone, and finds that host at its public URL', async () => {
    const directory = await migratedDataDirectory()
    directories.push(directory)
    const stopped = await examine({ EEP_DATA_DIR: directory })
    expect(stopped.of('migrations')).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/^all \d+ are applied$/),
    })
    const host = await startHost({ EEP_DATA_DIR: directory })
    onTestFinished(async () => void (await host.stop()))
    // An embedded database that is busy with the search index of the demo answers late.
    await soon(async () => expect((await fetch(`${host.url}/health/ready`)).status).toBe(200))
    const { code, statuses } = await examine({ EEP_DATA_DIR: directory, EEP_BASE_URL: host.url })
    expect(statuses).toMatchObject({ database: 'skipped', 'base URL': 'ok', TLS: 'skipped' })
    expect(code).toBe(0)
  })

  it('names what does not answer, without the secrets of its address', async () => {
    const port = await closedPort()
    const secret = 'a-secret-that-nobody-prints'
    const { code, statuses, output } = await examine({
      EEP_DATA_DIR: await newDirectory(),
      DATABASE_URL: `postgres://user:${secret}@127.0.0.1:${port}/eep`,
      SMTP_URL: `smtp://user:${secret}@127.0.0.1:${port}`,
      S3_BUCKET: 'files',
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: secret,
      X402_FACILITATOR_URL: `http://127.0.0.1:${port}`,
      X402_RPC_URL: `http://127.0.0.1:${port}/${secret}`,
      X402_PAY_TO: `0x${'12'.repeat(20)}`,
      EEP_BASE_URL: `http://127.0.0.1:${port}`,
    })
    expect(code).toBe(1)
    expect(statuses).toMatchObject({
      database: 'failed',
      email: 'failed',
      files: 'failed',
      'payments by x402': 'failed',
      'base URL': 'failed',
    })
    expect(output).not.toContain(secret)
  })

  it.each([
    ['https://www.profiles.example/health/ready', 'set EEP_BASE_URL to https://www.profiles.example,'],
    ['/login', 'Let the proxy forward all paths to the host'],
    ['https://', 'Let the proxy forward all paths to the host'],
  ])('advises what to do when the public URL redirects to %s', async (location, fix) => {
    const server = createHttpServer((_request, response) => {
      response.writeHead(301, { location }).end()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const { code, of } = await examine({
      EEP_DATA_DIR: await newDirectory(),
      EEP_BASE_URL: `http://127.0.0.1:${port}`,
    })
    expect([code, of('base URL')]).toMatchObject([1, { status: 'failed', fix: expect.stringContaining(fix) }])
  })

  it('skips what only a running host can answer before the first start', async () => {
    const environment = { EEP_DATA_DIR: await newDirectory(), EEP_BASE_URL: `https://127.0.0.1:${await closedPort()}` }
    const running = await examine(environment)
    expect([running.code, running.of('base URL')]).toMatchObject([
      1,
      { status: 'failed', fix: expect.stringContaining('--before-start') },
    ])
    const { code, statuses } = await examine(environment, '--before-start')
    expect(statuses).toMatchObject({ 'base URL': 'skipped', TLS: 'skipped', database: 'ok' })
    expect(code).toBe(0)
  })

  it('fails in production when the public URL has no TLS', async () => {
    const { code, of } = await examine({
      NODE_ENV: 'production',
      EEP_DATA_DIR: await newDirectory(),
      EEP_SECRET: 'a secret of thirty-two characters or more',
      EEP_SIGNING_KEY: JSON.stringify({
        kty: 'OKP',
        crv: 'Ed25519',
        // The key of RFC 8037, appendix A.
        d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
        x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      }),
      EEP_BASE_URL: `http://127.0.0.1:${await closedPort()}`,
    })
    expect(code).toBe(1)
    expect(of('TLS')).toMatchObject({ status: 'failed', fix: 'Put a proxy with TLS before the host' })
  })
})

describe.skipIf(onPglite())('eep doctor on PostgreSQL', () => {
  it('checks version, rights, migrations and clock', async () => {
    // The schema of a host is always `eep`; one project of the tests has another name.
    const { connectionString, drop } = await createMigratedDatabase()
    onTestFinished(drop)
    const { code, statuses, of } = await examine({ DATABASE_URL: connectionString, EEP_DATA_DIR: await newDirectory() })
    expect(code).toBe(0)
    expect(statuses).toMatchObject({ database: 'ok', 'database rights': 'ok', clock: 'ok' })
    if (process.env.TEST_SCHEMA === undefined) expect(of('migrations')?.status).toBe('ok')
  })

  it.skipIf(process.env.TEST_SCHEMA !== undefined)('names the gates with an unpayable price', async () => {
    const { connectionString, drop } = await createMigratedDatabase()
    onTestFinished(drop)
    const pool = new Pool({ connectionString })
    const storage = postgresStorage({ pool, listen: false })
    const price = (currency: string) => ({ type: 'payment' as const, amount: 5, currency, per: 'once' as const })
    await storage.transaction(async (tx) => {
      const account = await tx.accounts.insert(newAccount())
      const profile = account && (await tx.profiles.insert(newProfile(account.id, { username: 'unpaid' })))
      if (!profile) throw new Error('The profile was not stored')
      const tiers = {
        public: { requirements: [], access: ['profile.*'] },
        dollars: { requirements: [price('usd')], access: ['content.*'] },
        yen: { requirements: [price('jpy')], access: ['content.*'] },
      }
      const config = { default_tier: 'public', tiers }
      const changedBy = profile.ownerAccountId
      await tx.gates.put({ profileId: profile.id, config, changedBy, updatedAt: new Date() })
    })
    await storage.close()
    await pool.end()
    const directory = { DATABASE_URL: connectionString, EEP_DATA_DIR: await newDirectory() }
    const withoutRail = await examine({ ...directory, EEP_SANDBOX: 'off' })
    expect(withoutRail.code).toBe(0)
    expect(withoutRail.of('prices')).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('unpaid: dollars, yen'),
    })
    const withRail = await examine({
      ...directory,
      STRIPE_SECRET_KEY: 'sk_test_doctor',
      STRIPE_PROFILE_ID: 'profile_doctor',
      STRIPE_API_BASE: `http://127.0.0.1:${await closedPort()}`,
    })
    expect(withRail.of('prices')).toMatchObject({ status: 'warning', detail: expect.stringContaining('unpaid: yen') })
  })

  it('names the migrations that are missing, and applies none', async () => {
    const { connectionString, drop } = await createDatabase()
    onTestFinished(drop)
    for (let count = 0; count < 2; count++) {
      const { code, of } = await examine({ DATABASE_URL: connectionString, EEP_DATA_DIR: await newDirectory() })
      expect(code).toBe(0)
      expect(of('migrations')).toMatchObject({ status: 'warning', detail: expect.stringContaining('0001_') })
    }
  })

  it('fails for a role that may not create the schema', async () => {
    const { connectionString, drop } = await createDatabase()
    onTestFinished(drop)
    const role = `doctor_${process.pid}`
    const client = new Client({ connectionString })
    await client.connect()
    await client.query(`create role ${role} login password 'doctor'`)
    onTestFinished(async () => {
      await client.query(`drop role ${role}`)
      await client.end()
    })
    const url = new URL(connectionString)
    Object.assign(url, { username: role, password: 'doctor' })
    const { code, of } = await examine({ DATABASE_URL: url.href, EEP_DATA_DIR: await newDirectory() })
    expect(code).toBe(1)
    expect(of('database rights')).toMatchObject({ status: 'failed', detail: 'may not create the schema eep' })
  })
})
