import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run, startHost, until } from '../support/host.ts'
import { migratedDataDirectory } from '../support/migrated-pglite.ts'
import { runEep } from '../support/operator.ts'
import { soon } from '../support/wait.ts'

const directories: string[] = []
const dataDirectory = async () => {
  const directory = await migratedDataDirectory()
  directories.push(directory)
  return directory
}
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true, force: true }))))

/** The address after a word of the start lines. */
const addressIn = (stdout: string, word: string): string =>
  new RegExp(`^${word} (http\\S+)$`, 'm').exec(stdout)?.[1] ?? ''

/** Opens an address as a browser does, which keeps cookies and follows redirects. */
async function open(address: string, known = '') {
  const first = await fetch(address, { redirect: 'manual', headers: { accept: 'text/html', cookie: known } })
  const cookie = first.headers.get('set-cookie')?.split(';', 1)[0] ?? known
  const location = first.headers.get('location')
  if (location === null) return { status: first.status, body: await first.text(), cookie, url: address }
  const url = new URL(location, address).href
  const second = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html', cookie } })
  return { status: second.status, body: await second.text(), cookie, url }
}

/** Sends a request as a proxy does that sets no headers: with the address of the host as `Host`. */
async function startProxy(target: string) {
  const { hostname, port, host } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const upstream = httpRequest({ hostname, port, method, path, headers: { ...headers, host } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(upstream)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

describe('the host of npm start', { timeout: 300_000 }, () => {
  let directory: string
  let host: Awaited<ReturnType<typeof startHost>>
  beforeAll(async () => {
    directory = await dataDirectory()
    host = await startHost({ EEP_DATA_DIR: directory })
    await until(
      () => host.said.stdout.includes('curl -i') || undefined,
      () => host.said.stdout,
    )
  })
  afterAll(() => host.stop())

  it('prints where to begin after the line that it listens, and then requests to try', () => {
    const lines = host.said.stdout.split('\n').filter((line) => line !== '')
    expect(lines.slice(0, 6)).toEqual([
      `listening on ${host.url}`,
      'Test mode: no money moves.',
      `Open ${host.url}`,
      `Buy ${host.url}/o/demo/content/bulletins/storm-outlook`,
      expect.stringMatching(/^Sell http:\/\/localhost:\d+\/sandbox\?key=[\w-]{22}$/),
      expect.stringMatching(/^Mail http:\/\/localhost:\d+\/sandbox\/mail\?key=[\w-]{22}$/),
    ])
    expect(lines.slice(6).filter((line) => line.includes('curl '))).toHaveLength(3)
    expect(new URL(host.url).hostname).toBe('localhost')
  })

  it('opens its pages at the printed addresses, and logs no key', async () => {
    const sell = addressIn(host.said.stdout, 'Sell')
    const key = new URL(sell).searchParams.get('key') ?? ''
    const page = await open(sell)
    expect([page.status, page.url]).toEqual([200, `${host.url}/sandbox`])
    expect(page.body).toContain('Continue as the owner of the demo')
    expect(page.body).toContain('Continue as an administrator')
    const mail = await open(addressIn(host.said.stdout, 'Mail'))
    expect(mail.status).toBe(200)
    // The owner of the demo was asked to verify the address.
    await soon(async () => expect((await open(mail.url, mail.cookie)).body).toContain('demo@example.com'))
    expect(host.said.stderr).not.toContain(key)
  })

  it('sells what its line Buy names, by wallet and by card', async () => {
    const answer = await fetch(addressIn(host.said.stdout, 'Buy'))
    expect([answer.status, answer.headers.get('x-eep-sandbox')]).toEqual([402, 'true'])
    const { accepts } = JSON.parse(atob(answer.headers.get('payment-required') ?? ''))
    expect(accepts[0]).toMatchObject({ network: 'eip155:1402402402', amount: '10000' })
    expect(answer.headers.get('www-authenticate')).toContain('Payment ')
  })

  it('is closed without the key, also behind a proxy that sets no headers', async () => {
    const proxy = await startProxy(host.url)
    for (const url of [host.url, proxy.url]) {
      for (const path of ['/sandbox', '/sandbox/mail']) {
        expect((await open(url + path)).status, url + path).toBe(404)
      }
    }
    proxy.close()
  })

  it('has a profile of every type with a picture, all smaller than 150 kB together', async () => {
    const profiles = ['u/marta', 'o/demo', 'l/old-pilot-station', 'a/barometer-no-7', 'p/tide-clock']
    const others = ['k/reading-the-sky', 'agent/storm-watch', 'e/night-of-the-gale', 'x/grey-light']
    let bytes = 0
    for (const path of [...profiles, ...others]) {
      const answer = await fetch(`${host.url}/${path}`, { headers: { accept: 'application/json' } })
      const { avatar_url: picture } = (await answer.json()) as { readonly avatar_url: string }
      const image = await fetch(picture)
      expect([image.status, image.headers.get('content-type')], path).toEqual([200, 'image/webp'])
      bytes += (await image.arrayBuffer()).byteLength
    }
    expect(bytes).toBeLessThan(150_000)
  })

  it('shows agents no price above 0.10 USDC', async () => {
    const profiles = ['o/demo', 'k/reading-the-sky', 'e/night-of-the-gale']
    const amounts: number[] = []
    for (const path of profiles) {
      const did = ((await (await fetch(`${host.url}/${path}?format=json`)).json()) as { did: string }).did
      const gate = await (await fetch(`${host.url}/eep/gates/${did.replaceAll('%', '%25')}`)).text()
      for (const [, amount] of gate.matchAll(/"amount":([\d.]+),"currency":"usdc"/g)) amounts.push(Number(amount))
    }
    expect(amounts.length).toBeGreaterThanOrEqual(3)
    expect(Math.max(...amounts)).toBeLessThanOrEqual(0.1)
  })

  it('keeps its wares for those who pay or follow', async () => {
    for (const [path, status] of [
      ['/o/demo/content/guides/five-clouds', 200],
      ['/o/demo/content/crew/what-we-got-wrong', 403],
      ['/e/night-of-the-gale/content/evening/your-evening', 402],
      ['/e/night-of-the-gale/content/stream/listen-from-home', 402],
      ['/k/reading-the-sky/content/chapters/swell-before-wind', 200],
    ] as const) {
      expect((await fetch(host.url + path)).status, path).toBe(status)
    }
    const list = await fetch(`${host.url}/files/list/k/reading-the-sky`)
    expect(list.status).toBe(401)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => fetch(`${host.url}/files/${index + 1}`, { method: 'HEAD' })),
    )
    expect(answers.map(({ status }) => status).filter((status) => status === 402)).toHaveLength(1)
  })

  it('makes another key at the next start, and the old one opens nothing', async () => {
    const { cookie } = await open(addressIn(host.said.stdout, 'Sell'))
    const former = host
    expect(await former.stop()).toBe(0)
    const { port } = new URL(former.url)
    host = await startHost({ EEP_DATA_DIR: directory, PORT: port })
    expect((await open(`${host.url}/sandbox`, cookie)).status).toBe(404)
    expect((await open(addressIn(former.said.stdout, 'Sell'))).status).toBe(404)
  })

  it('is examined by the doctor, and used by commands', async () => {
    expect(await host.stop()).toBe(0)
    const doctor = await runEep(['doctor'], { EEP_DATA_DIR: directory })
    expect(doctor.code, doctor.out + doctor.err).toBe(0)
    expect(doctor.out).toMatch(/^ok {7}payments: the sandbox takes play money/m)
    expect(doctor.out).toMatch(/^ok {7}prices: each gate has a price that a payment method takes$/m)
    expect(doctor.out).toContain('and in the mailbox of the sandbox')
    const exported = await runEep(['purge', '--dry-run'], { EEP_DATA_DIR: directory })
    expect(exported.code, exported.err).toBe(0)
  })

  it('keeps its database apart from every other money', async () => {
    const other = run('main', { PORT: '0', EEP_DATA_DIR: directory, STRIPE_SECRET_KEY: 'sk_test_1' })
    expect(await other.closed).toBe(1)
    expect(other.said.stderr).toMatch(
      /database_kind_mismatch: The database holds play money of the sandbox .+ this service takes test money/,
    )
  })
})

describe('a host that must not be a sandbox', { timeout: 300_000 }, () => {
  it.each([
    [{ NODE_ENV: 'production', EEP_SECRET: 'a'.repeat(32) }, 'NODE_ENV=production'],
    [{ STRIPE_SECRET_KEY: 'sk_test_1' }, 'STRIPE_SECRET_KEY'],
    [{ X402_FACILITATOR_URL: 'https://facilitator.example' }, 'X402_FACILITATOR_URL'],
  ])('does not start, and names the reason: %j', async (environment, reason) => {
    const host = run('main', { PORT: '0', EEP_SANDBOX: 'on', ...environment })
    expect(await host.closed).toBe(1)
    expect(host.said.stderr).toContain(`EEP_SANDBOX is on, and ${reason}`)
    expect(host.said.stdout).toBe('')
  })

  it('refuses the data of a host that was none, and names the way out', async () => {
    const directory = await dataDirectory()
    const first = await startHost({ EEP_DATA_DIR: directory, EEP_SANDBOX: 'off' })
    expect(first.said.stdout).not.toContain('Test mode')
    expect(await first.stop()).toBe(0)
    const host = run('main', { PORT: '0', EEP_DATA_DIR: directory })
    expect(await host.closed).toBe(1)
    expect(host.said.stderr).toContain(
      'database_kind_mismatch: The database has accounts that were not made in a sandbox',
    )
    expect(host.said.stderr).toContain('set EEP_SANDBOX to off')
  })

  it('does not begin an empty database beside the one that is in use', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'eep-sandbox-'))
    directories.push(parent)
    await mkdir(join(parent, '.data'))
    await writeFile(join(parent, '.data', 'secret'), `${'s'.repeat(40)}\n`)
    const host = run('main', { PORT: '0' }, [], parent)
    expect(await host.closed).toBe(1)
    expect(host.said.stderr).toContain(`a host with sandbox money stores its own in ${join('.data', 'sandbox')}`)
    expect(host.said.stderr).toContain('or EEP_SANDBOX to off')
  })
})

describe('a sandbox with a mail server', { timeout: 300_000 }, () => {
  it('sends its emails, and has no mailbox', async () => {
    const host = await startHost({ EEP_DATA_DIR: await dataDirectory(), SMTP_URL: 'smtp://127.0.0.1:9' })
    try {
      await until(
        () => host.said.stdout.includes('curl -i') || undefined,
        () => host.said.stdout,
      )
      expect(host.said.stdout).not.toContain('/sandbox/mail')
      const { cookie } = await open(addressIn(host.said.stdout, 'Sell'))
      expect((await open(`${host.url}/sandbox/mail`, cookie)).status).toBe(404)
    } finally {
      await host.stop()
    }
  })
})
