import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keptSecret, keptSigningKeys } from '@eep/core/host'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { run } from '../support/host.ts'
import { runEep } from '../support/operator.ts'

const DAY_MS = 24 * 3_600_000

describe('eep keys rotate', () => {
  let root: string
  let dataDir: string
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'eep-keys-'))
  })
  afterAll(() => rm(root, { recursive: true, force: true }))
  beforeEach(async () => {
    dataDir = join(root, randomUUID())
    await keptSecret(dataDir)
    await keptSigningKeys(dataDir)
  })

  const rotate = (...args: string[]) => runEep(['keys', 'rotate', ...args], { EEP_DATA_DIR: dataDir })
  const path = (name: string) => join(dataDir, name)
  /** Lets time pass since the last secret was added. */
  const addedDaysAgo = async (days: number) => {
    const at = new Date(Date.now() - days * DAY_MS)
    await utimes(path('secret'), at, at)
  }

  it('puts a new secret in front of the former ones, readable only by the owner', async () => {
    const before = await keptSecret(dataDir)
    expect((await rotate('--secret')).code).toBe(0)
    const { code, out } = await rotate('--secret', '--json')
    expect([code, JSON.parse(out)]).toEqual([0, { secret: { source: path('secret'), changed: true, count: 3 } }])
    const after = await keptSecret(dataDir)
    expect(after).toHaveLength(3)
    expect(after.slice(2)).toEqual(before)
    expect(new Set(after).size).toBe(3)
    expect(await readFile(path('secret'), 'utf8')).toBe(`${after.join(',')}\n`)
    expect((await stat(path('secret'))).mode & 0o777).toBe(0o600)
    expect((await readdir(dataDir)).toSorted()).toEqual(['secret', 'signing-key.json'])
  })

  it('puts a new signing key in front of the former one', async () => {
    const [before] = await keptSigningKeys(dataDir)
    expect((await rotate('--signing-key')).code).toBe(0)
    const [current, former, ...others] = await keptSigningKeys(dataDir)
    expect([former, others]).toEqual([before, []])
    expect(current?.x).not.toBe(before?.x)
    expect((await stat(path('signing-key.json'))).mode & 0o777).toBe(0o600)
  })

  it('rotates both, and prints that hosts need a restart', async () => {
    const { code, out } = await rotate('--secret', '--signing-key')
    expect(code).toBe(0)
    expect(out).toContain('secret: a new secret is in front; one former one is kept')
    expect(out).toContain('signing-key.json: a new signing key is in front; one former one is kept')
    expect(out).toContain('Running hosts keep the values that they read at their start. Restart them.')
    for (const secret of await keptSecret(dataDir)) expect(out).not.toContain(secret)
  })

  it('keeps sessions, and ends those of a secret that is removed', async () => {
    const first = await createTestApp({
      secret: await keptSecret(dataDir),
      signingKeys: await keptSigningKeys(dataDir),
    })
    const ada = await signUp(first.app, `ada-${randomUUID().slice(0, 8)}`)
    await rotate('--secret', '--signing-key')
    const { storage } = first
    const second = await createTestApp({
      storage,
      secret: await keptSecret(dataDir),
      signingKeys: await keptSigningKeys(dataDir),
    })
    expect((await client(second.app).as(ada).get('/auth/me')).statusCode).toBe(200)
    const { keys } = (await client(second.app).get('/.well-known/jwks.json')).json()
    expect(keys.map(({ x }: { x: string }) => x)).toEqual((await keptSigningKeys(dataDir)).map(({ x }) => x))
    expect((await rotate('--secret', '--prune', '--force')).code).toBe(0)
    const third = await createTestApp({ storage, secret: await keptSecret(dataDir) })
    expect((await client(third.app).as(ada).get('/auth/me')).statusCode).toBe(401)
    for (const { close } of [third, second, first]) await close()
  })

  it('removes the oldest secret when the last was added seven days ago, and not before', async () => {
    await rotate('--secret')
    await rotate('--secret')
    const [current, former] = await keptSecret(dataDir)
    await addedDaysAgo(6.9)
    const early = await rotate('--secret', '--prune')
    expect(early.code).toBe(1)
    expect(early.err).toMatch(/may still verify sessions: wait until \d{4}-/)
    expect(await keptSecret(dataDir)).toHaveLength(3)
    await addedDaysAgo(7.1)
    expect((await rotate('--secret', '--prune')).code).toBe(0)
    expect(await keptSecret(dataDir)).toEqual([current, former])
    expect((await rotate('--secret', '--prune')).code).toBe(0)
    expect(await keptSecret(dataDir)).toEqual([current])
    const last = await rotate('--secret', '--prune')
    expect([last.code, last.err]).toEqual([1, 'There is only one secret, which is in use\n'])
  })

  it('removes a signing key only by force, because its receipts can no longer be verified', async () => {
    await rotate('--signing-key')
    const [current] = await keptSigningKeys(dataDir)
    const { code, err } = await rotate('--signing-key', '--prune')
    expect([code, err]).toEqual([1, expect.stringContaining('remove it with --force')])
    expect((await rotate('--signing-key', '--prune', '--force')).code).toBe(0)
    expect(await keptSigningKeys(dataDir)).toEqual([current])
  })

  it('prints the new values of variables, and changes nothing', async () => {
    const environment = {
      EEP_DATA_DIR: path('unused'),
      EEP_SECRET: 'the former secret of this installation',
      EEP_SIGNING_KEY: JSON.stringify((await keptSigningKeys(dataDir))[0]),
    }
    const { code, out } = await runEep(['keys', 'rotate', '--secret', '--signing-key', '--json'], environment)
    expect(code).toBe(0)
    const { secret, signing_key: signingKey } = JSON.parse(out)
    expect(secret).toMatchObject({ source: 'EEP_SECRET', changed: false, count: 2 })
    expect(secret.value).toMatch(/^[^,]{64},the former secret of this installation$/)
    // Instances restart one after another: each must verify what another one signs.
    expect(secret.value_before.split(',')).toEqual(secret.value.split(',').toReversed())
    const again = await runEep(['keys', 'rotate', '--secret', '--prune'], { ...environment, EEP_SECRET: secret.value })
    expect(again.out).toContain(`EEP_SECRET=${secret.value.split(',')[0]}\n`)
    expect(JSON.parse(signingKey.value)).toEqual([
      expect.objectContaining({ kty: 'OKP', d: expect.any(String) }),
      expect.objectContaining(JSON.parse(environment.EEP_SIGNING_KEY)),
    ])
    await expect(readdir(path('unused'))).rejects.toThrow('ENOENT')
  })

  it('prints the steps for several instances in their order', async () => {
    const environment = { EEP_DATA_DIR: path('unused'), EEP_SECRET: 'the former secret of this installation' }
    const { out } = await runEep(['keys', 'rotate', '--secret'], environment)
    const steps = [...out.matchAll(/^EEP_SECRET=(.+)$/gm)].map(([, value]) => value?.split(','))
    expect(steps).toEqual([
      ['the former secret of this installation', expect.any(String)],
      [expect.any(String), 'the former secret of this installation'],
    ])
  })

  it('keeps every secret of rotations that run at the same time', async () => {
    const before = await keptSecret(dataDir)
    const results = await Promise.all(Array.from({ length: 4 }, () => rotate('--secret', '--json')))
    const succeeded = results.filter(({ code }) => code === 0)
    expect(succeeded.length).toBeGreaterThan(0)
    for (const { code, err } of results) if (code !== 0) expect(err).toContain('a rotation is running')
    const after = await keptSecret(dataDir)
    expect(after).toHaveLength(succeeded.length + 1)
    expect(after.at(-1)).toBe(before[0])
  })

  it('loses nothing when it is killed before the new file replaces the former one', async () => {
    const before = await readFile(path('secret'), 'utf8')
    const dieAtRename = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
      fs.promises.rename = () => process.kill(process.pid, 'SIGKILL'); syncBuiltinESMExports()`
    const environment = {
      EEP_DATA_DIR: dataDir,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(dieAtRename)}`,
    }
    expect(await run('eep', environment, ['keys', 'rotate', '--secret']).closed).toBeNull()
    expect(await readFile(path('secret'), 'utf8')).toBe(before)
    const { code, err } = await rotate('--secret')
    expect([code, err]).toEqual([1, expect.stringContaining('secret.new exists')])
    await rm(path('secret.new'))
    expect((await rotate('--secret')).code).toBe(0)
    expect(await readFile(path('secret'), 'utf8')).toContain(`,${before}`)
  })

  it('changes nothing in a file that is damaged', async () => {
    await writeFile(path('secret'), 'short\n')
    const { code, err } = await rotate('--secret')
    expect([code, err]).toEqual([1, expect.stringContaining('is shorter than 32 characters; restore it')])
    expect(await readFile(path('secret'), 'utf8')).toBe('short\n')
  })

  it('creates no secret for a host that never started', async () => {
    dataDir = join(root, 'missing')
    const { code, err } = await rotate('--secret')
    expect([code, err]).toEqual([1, expect.stringContaining('the host generates it at its first start')])
  })

  it.each([[[]], [['--prune']], [['--secret', '--force']]])('prints the usage for the options %j', async (args) => {
    const { code, err } = await rotate(...args)
    expect([code, err]).toEqual([2, expect.stringContaining('Usage: eep keys rotate')])
  })
})
