import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createDatabase, onPglite } from '../support/database.ts'
import { run, startHost, until } from '../support/host.ts'
import { migratedDataDirectory } from '../support/migrated-pglite.ts'
import { soon } from '../support/wait.ts'

type Host = Awaited<ReturnType<typeof startHost>>

const directories: string[] = []
const newDirectory = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'eep-host-'))
  directories.push(directory)
  return directory
}
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true, force: true }))))

const statusOf = async (url: string) => (await fetch(url)).status
const KEYS = {
  EEP_SECRET: 'a secret of thirty-two characters or more',
  EEP_SIGNING_KEY: JSON.stringify({
    kty: 'OKP',
    crv: 'Ed25519',
    // The key of RFC 8037, appendix A.
    d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  }),
}

/** Opens a connection and sends half of a request; `finish` sends the rest and gives the answer. */
async function halfARequest(url: string) {
  const { hostname, port, host } = new URL(url)
  const body = JSON.stringify({ email: 'unknown@example.com', password: 'Nothing-1-known' })
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  await once(socket, 'connect')
  socket.write(
    `POST /auth/login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  socket.write(body.slice(0, 10))
  // A separate request ensures that the server has received the earlier bytes.
  await statusOf(`${url}/health/live`)
  return {
    async finish() {
      socket.write(body.slice(10))
      await closed
      return answer
    },
  }
}

const refusesConnections = (url: string) =>
  until(
    () =>
      fetch(`${url}/health/ready`).then(
        () => undefined,
        () => true,
      ),
    () => 'the listener is closed',
  )

/** The data of the first host, on which later ones start. The demo starts a host on an empty directory. */
let directory: string
/** The changes of the demo that the first host made. */
let changes: readonly string[]
const changesOf = async (url: string) => {
  const response = await fetch(`${url}/o/demo/changelog?format=json`)
  return ((await response.json()) as { data: readonly { id: string }[] }).data.map(({ id }) => id)
}

describe('the host without any configuration', () => {
  let host: Host
  let gateway: string

  beforeAll(async () => {
    directory = await migratedDataDirectory()
    directories.push(directory)
    host = await startHost({ EEP_DATA_DIR: directory, EEP_GATEWAY_PORT: '0', LOG_LEVEL: 'info' })
    gateway = /^gateway listening on (\S+)\/api$/m.exec(host.said.stdout)?.[1] ?? ''
    changes = await changesOf(host.url)
  })
  afterAll(() => host.stop())

  it('reports on the first lines of standard output that it is listening', () => {
    expect(host.said.stdout.split('\n').slice(0, 3)).toEqual([
      `gateway listening on ${gateway}/api`,
      `listening on ${host.url}`,
      '',
    ])
  })

  it('reports ready', async () => {
    // An embedded database that is busy with the search index of the demo answers late.
    await soon(async () => expect(await statusOf(`${host.url}/health/ready`)).toBe(200))
  })

  it('serves every path of the gateway below /api and nowhere else', async () => {
    expect(await statusOf(`${gateway}/api/o/demo`)).toBe(200)
    expect(await statusOf(`${gateway}/o/demo`)).toBe(404)
    expect(await statusOf(`${host.url}/api/o/demo`)).toBe(404)
    const refusal = await fetch(`${gateway}/api/o/demo/content/bulletins/storm-outlook`)
    expect(refusal.headers.get('x-eep-gates-config')).toMatch(/^\/api\/eep\/gates\/did:web:/)
    expect(refusal.headers.get('www-authenticate')).toContain('resource="/api/o/demo/content/bulletins/storm-outlook"')
  })

  it('serves robots.txt at the root of the gateway, with its paths', async () => {
    const answer = await fetch(`${gateway}/robots.txt`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(answer.headers.get('x-ratelimit-remaining')).not.toBeNull()
    expect(await answer.text()).toContain('\nDisallow: /api/admin\n')
  })

  it('prints three commands that work', async ({ skip }) => {
    await until(
      () => (host.said.stdout.includes('returns 402') ? true : undefined),
      () => host.said.stdout,
    )
    const commands = host.said.stdout.match(/(?<=^ +)curl .+$/gm) ?? []
    expect(commands).toHaveLength(3)
    const sh = (command: string) => promisify(execFile)('sh', ['-c', command]).then(({ stdout }) => stdout)
    if ((await sh('command -v curl || true')) === '') skip('curl is not installed')
    const [profile, open, gated] = await Promise.all(commands.map((command) => sh(`${command} --silent`)))
    expect(profile).toContain('# Harbour Weather Desk')
    expect(open).toContain('# Reading a barometer')
    expect(gated).toMatch(/^HTTP\/1.1 402 /)
    const body = JSON.parse(gated?.split('\r\n\r\n')[1] ?? '')
    expect(body).toMatchObject({ required_tier: 'day_pass', preview: expect.any(String) })
    expect(gated).not.toContain('17:00')
  })

  it('writes emails to files with links to a page, and logs no token', async () => {
    const registration = { email: 'grace@example.com', username: 'grace', password: 'Correct horse 7 battery' }
    const json = (body: object) => ({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect((await fetch(`${host.url}/auth/register`, json(registration))).status).toBe(201)
    const mailed = async () => {
      const names = await readdir(join(directory, 'mail')).catch(() => [])
      const files = names.filter((name) => name.endsWith('.eml')).map((name) => readFile(join(directory, 'mail', name)))
      const mails = await Promise.all((await Promise.all(files)).map((file) => PostalMime.parse(file)))
      return mails.find(({ to = [] }) => to.some(({ address }) => address === registration.email))
    }
    await expect.poll(mailed).toBeDefined()
    const link = /http:\/\/\S+token=(\S+)/.exec((await mailed())?.text ?? '')
    const page = await fetch(link?.[0] ?? '')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const { origin } = new URL(link?.[0] ?? '')
    // The page warns that the visitor, who is not signed in, takes the account over.
    const body = new URLSearchParams({ token: link?.[1] ?? '', take_over: 'yes' })
    const sent = await fetch(`${host.url}/verify`, { method: 'POST', headers: { origin }, body, redirect: 'manual' })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, '/verify?done=taken_over'])
    expect(host.said.stderr).not.toContain(link?.[1])
  })

  it('logs requests without secrets in their URL', async () => {
    const secret = 'what-must-not-be-logged'
    const secrets = `code=${secret}&state=${secret}`
    await fetch(`${host.url}/auth/oauth/github/callback?${secrets}`, { redirect: 'manual' })
    await fetch(`${host.url}/team/invites/${secret}/accept`, { method: 'POST' })
    await fetch(`${host.url}/team/invites/${secret}/misspelt`)
    await fetch(`${host.url}/discover?api_key=${secret}&from=here`)
    await expect.poll(() => host.said.stderr).toContain('/discover?api_key=[Redacted]&from=here')
    expect(host.said.stderr).toContain('/auth/oauth/github/callback?code=[Redacted]&state=[Redacted]')
    expect(host.said.stderr).toContain('/team/invites/[Redacted]/accept')
    expect(host.said.stderr).not.toContain(secret)
  })

  it('logs each request in one line, with the release', async () => {
    for (const path of ['/discover?from=one-line', '/u/%c0?from=one-line', '/nowhere?from=one-line']) {
      await fetch(host.url + path, { headers: { authorization: 'Bearer what-must-not-be-logged' } })
    }
    await expect.poll(() => host.said.stderr).toContain('/nowhere?from=one-line')
    const lines = host.said.stderr.split('\n').filter((line) => line.includes('from=one-line'))
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      [
        ['/discover', 200],
        ['/u/%c0', 400],
        ['/nowhere', 404],
      ].map(([path, statusCode]) =>
        expect.objectContaining({
          level: 30,
          msg: 'request completed',
          reqId: expect.any(String),
          release: expect.stringMatching(/^\d+\.\d+\.\d+/),
          responseTime: expect.any(Number),
          req: expect.objectContaining({ method: 'GET', url: `${path}?from=one-line`, remoteAddress: '127.0.0.1' }),
          res: { statusCode },
        }),
      ),
    )
    expect(host.said.stderr).not.toContain('what-must-not-be-logged')
  })

  it('limits requests to its own pages, to malformed URLs, and outside /api on the gateway', async () => {
    for (const url of [`${host.url}/verify`, `${host.url}/u/%c0`, `${host.url}/nowhere`, `${gateway}/nowhere`]) {
      const { headers } = await fetch(url)
      expect(Number(headers.get('x-ratelimit-remaining')), url).toBeGreaterThan(0)
      expect(headers.get('ratelimit-policy'), url).toMatch(/^"default";q=\d+;w=60$/)
    }
    const outside = await fetch(`${gateway}/nowhere`)
    expect([outside.status, await outside.json()]).toEqual([
      404,
      { error: { code: 'not_found', message: expect.any(String) } },
    ])
  })

  it('stores its secrets readable by their owner only', async () => {
    for (const name of ['secret', 'signing-key.json']) {
      expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600)
    }
    expect(host.said.stderr).not.toContain((await readFile(join(directory, 'secret'), 'utf8')).trim())
  })

  it('refuses a data directory that is in use', async () => {
    const second = run('main', { EEP_DATA_DIR: directory, PORT: '0' })
    expect(await second.closed).toBe(1)
    expect(second.said.stderr).toMatch(/^EEP_DATA_DIR ".+" cannot be used: .+ is open in process \d+/m)
    expect(second.said.stdout).toBe('')
  })

  it('completes requests in progress at SIGTERM, writes the log lines of its last ones, and exits with 0', async () => {
    const paths = Array.from({ length: 20 }, (_, index) => `/discover?request=${index}`)
    const request = await halfARequest(host.url)
    await Promise.all(paths.map((path) => fetch(host.url + path)))
    host.kill('SIGTERM')
    await refusesConnections(host.url)
    expect(host.isOver()).toBe(false)
    expect(await request.finish()).toMatch(/^HTTP\/1.1 401 .*"invalid_credentials"/s)
    expect(await host.closed).toBe(0)
    const urls = host.said.stderr
      .split('\n')
      .filter((line) => /"url":"\/(discover\?request=|auth\/login")/.test(line))
      .map((line) => JSON.parse(line).req.url)
    expect(urls.sort()).toEqual(['/auth/login', ...paths].sort())
  })
})

const METRICS = { METRICS_PORT: '0', METRICS_TOKEN: 'a-token-for-tests-of-metrics' }

describe('stopping and starting again', { timeout: 300_000 }, () => {
  let host: Host

  const start = async () => {
    // Sessions belong to a base URL, and the port changes with each start.
    host = await startHost({ ...METRICS, EEP_DATA_DIR: directory, EEP_BASE_URL: 'https://profiles.example.com' })
  }
  beforeAll(start)
  afterAll(() => host.stop())

  it('shows its metrics on a separate port, and with the token on that of the service', async () => {
    const own = /^metrics on (\S+)\/metrics$/m.exec(host.said.stdout)?.[1] ?? ''
    const read = async (url: string, token?: string) => {
      const response = await fetch(url, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } })
      return { status: response.status, body: await response.text() }
    }
    const shown = { status: 200, body: expect.stringContaining('eep_part_up{part="storage"} 1') }
    expect(await read(`${own}/metrics`)).toEqual(shown)
    expect(await read(`${host.url}/metrics`, METRICS.METRICS_TOKEN)).toEqual(shown)
    expect(await read(`${host.url}/metrics`)).toMatchObject({ status: 401 })
    expect(await read(`${own}/o/demo`)).toEqual({ status: 404, body: '' })
  })

  it('keeps its data after a restart, and creates the demo once', async () => {
    expect(changes).toHaveLength(7)
    expect(await changesOf(host.url)).toEqual(changes)
  })

  it('keeps its data and sessions after SIGKILL', async () => {
    const registered = await fetch(`${host.url}/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com', username: 'ada', password: 'Correct horse 7 battery' }),
    })
    const { token } = (await registered.json()) as { token: string }
    host.kill('SIGKILL')
    await host.closed
    expect(await readdir(directory)).toContain('lock')
    await start()
    const me = await fetch(`${host.url}/auth/me`, { headers: { authorization: `Bearer ${token}` } })
    expect(await me.json()).toMatchObject({ username: 'ada' })
  })

  it('exits immediately at a second signal', async () => {
    await halfARequest(host.url)
    host.kill('SIGINT')
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect(host.isOver()).toBe(false)
    host.kill('SIGINT')
    expect(await host.closed).toBe(1)
  })

  it('reports the port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const second = run('main', { EEP_DATA_DIR: directory, PORT: String(port) })
    expect(await second.closed).toBe(1)
    other.close()
    expect(second.said.stderr).toContain(`PORT ${port} is taken on localhost`)
    // Background work ended before the storage was closed, so it logged no errors.
    expect(second.said.stderr).not.toContain('driver has already been destroyed')
    expect(second.said.stdout).toBe('')
    expect(await readdir(directory)).not.toContain('lock')
  })

  it('creates no secrets and no demo in production, and warns about a missing base URL', async () => {
    const empty = await migratedDataDirectory()
    directories.push(empty)
    const production = await startHost({ EEP_DATA_DIR: empty, NODE_ENV: 'production', ...KEYS })
    onTestFinished(async () => void (await production.stop()))
    expect((await readdir(empty)).sort()).toEqual(['lock', 'postgres'])
    expect(await statusOf(`${production.url}/o/demo`)).toBe(404)
    expect(production.said.stderr).toMatch(/^warning: EEP_BASE_URL is not set/)
    const jwks = (await (await fetch(`${production.url}/.well-known/jwks.json`)).json()) as { keys: { x: string }[] }
    expect(jwks.keys).toMatchObject([{ x: JSON.parse(KEYS.EEP_SIGNING_KEY).x }])
  })

  it('warns at a start in production that the bucket cannot be used', async () => {
    const empty = await migratedDataDirectory()
    directories.push(empty)
    const bucket = createHttpServer((_request, response) => response.writeHead(404).end())
    await new Promise<void>((done) => void bucket.listen(0, '127.0.0.1', done))
    try {
      host = await startHost({
        EEP_DATA_DIR: empty,
        NODE_ENV: 'production',
        ...KEYS,
        S3_BUCKET: 'missing',
        S3_ENDPOINT: `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`,
        S3_ACCESS_KEY_ID: 'key',
        S3_SECRET_ACCESS_KEY: 'secret',
      })
      await until(
        () => host.said.stderr.includes('warning: the store of S3_* cannot be used') || undefined,
        () => host.said.stderr,
      )
    } finally {
      bucket.close()
    }
  })

  it('reports in production that it is not ready before it refuses connections, and closes idle clients', async () => {
    await halfARequest(host.url)
    host.kill('SIGTERM')
    await until(
      async () => ((await statusOf(`${host.url}/health/ready`)) === 503 ? true : undefined),
      () => 'the host is not ready',
    )
    expect(await statusOf(`${host.url}/health/live`)).toBe(200)
    expect(await host.closed).toBe(0)
  })
})

describe.skipIf(onPglite())('hosts on a PostgreSQL server', { timeout: 300_000 }, () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let dataDir: string
  let host: Host
  const start = () => startHost({ EEP_DATA_DIR: dataDir, DATABASE_URL: database.connectionString })

  beforeAll(async () => {
    ;[database, dataDir] = await Promise.all([createDatabase(), newDirectory()])
    host = await start()
  })
  afterAll(async () => {
    await host?.stop()
    await database.drop()
  })

  it('create their tables and no demo, and use the data directory for secrets and files only', async () => {
    expect(await statusOf(`${host.url}/health/ready`)).toBe(200)
    expect(await statusOf(`${host.url}/o/demo`)).toBe(404)
    expect((await readdir(dataDir)).sort()).toEqual(['files', 'secret', 'signing-key.json'])
    expect(host.said.stderr).toBe('')
  })

  it('count requests together, and exit with 0', async () => {
    const hosts = [host, await start()]
    const left: number[] = []
    const signIn = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'unknown@example.com', password: 'Wrong horse 7 battery' }),
    }
    for (const { url } of [...hosts, ...hosts]) {
      // Requests that sign in are counted in the database one by one; others within 200 ms.
      left.push(Number((await fetch(`${url}/auth/login`, signIn)).headers.get('x-ratelimit-remaining')))
    }
    expect(left).toEqual([4, 3, 2, 1])
    expect(await Promise.all(hosts.map(({ stop }) => stop()))).toEqual([0, 0])
  })
})

describe('a configuration that is wrong', { timeout: 300_000 }, () => {
  it('fails the start and lists each error on a line', async () => {
    const host = run('main', { PORT: 'http', EEP_PAYER_PROOF: 'maybe', DATABASE_URL: 'mysql://user:hunter2@db/eep' })
    expect(await host.closed).toBe(1)
    const lines = host.said.stderr.trim().split('\n')
    expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual(['DATABASE_URL', 'EEP_PAYER_PROOF', 'PORT'])
    expect(host.said.stderr).not.toContain('hunter2')
    expect(host.said.stdout).toBe('')
  })

  it('fails the start without secrets in production', async () => {
    const host = run('main', { NODE_ENV: 'production' })
    expect(await host.closed).toBe(1)
    expect(host.said.stderr).toMatch(/^EEP_SECRET is missing.*\nEEP_SIGNING_KEY is missing/)
  })

  it('refuses to start when the database does not answer', async () => {
    const host = run('main', { DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:1/eep' })
    expect(await host.closed).toBe(1)
    expect(host.said.stderr).toMatch(/^DATABASE_URL cannot be used: .*ECONNREFUSED/)
    expect(host.said.stderr).not.toContain('hunter2')
  })
})
