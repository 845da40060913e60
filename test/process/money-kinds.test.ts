import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { run, startHost } from '../support/host.ts'
import { migratedDataDirectory } from '../support/migrated-pglite.ts'

const TEST_KEY = { STRIPE_SECRET_KEY: 'sk_test_1' }
const LIVE_KEY = { STRIPE_SECRET_KEY: 'sk_live_1' }

describe('a host with another kind of money than before', () => {
  const directories: string[] = []
  afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true, force: true }))))

  it('does not begin an empty database beside the one that is in use, and names both folders', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'eep-kinds-'))
    directories.push(directory)
    await mkdir(join(directory, '.data'))
    await writeFile(join(directory, '.data', 'secret'), `${'s'.repeat(40)}\n`)
    const host = run('main', { PORT: '0', ...TEST_KEY }, [], directory)
    expect(await host.closed).toBe(1)
    expect(host.said.stderr).toContain(
      `.data has data, and a host with test money stores its own in ${join('.data', 'test')}`,
    )
    expect(await readdir(join(directory, '.data'))).toEqual(['secret'])
  })

  it('is not decided by a command, and not migrated into an empty directory', async () => {
    const directory = await migratedDataDirectory()
    directories.push(directory)
    const command = run('eep', { EEP_DATA_DIR: directory, ...LIVE_KEY }, ['purge', '--dry-run'])
    expect(await command.closed, command.said.stderr).toBe(0)
    const host = await startHost({ EEP_DATA_DIR: directory, ...TEST_KEY })
    expect(await host.stop()).toBe(0)

    const parent = await mkdtemp(join(tmpdir(), 'eep-kinds-'))
    directories.push(parent)
    await mkdir(join(parent, '.data', 'postgres'), { recursive: true })
    for (const program of ['migrate', 'doctor']) {
      const refused = run('eep', TEST_KEY, [program], parent)
      expect(await refused.closed).not.toBe(0)
      expect(refused.said.stderr + refused.said.stdout).toContain('.data has data, and a host with test money')
    }
    expect(await readdir(join(parent, '.data'))).toEqual(['postgres'])
  })

  it('is refused on the same database, as its commands are, and changes nothing', async () => {
    const directory = await migratedDataDirectory()
    directories.push(directory)
    const first = await startHost({ EEP_DATA_DIR: directory, ...TEST_KEY })
    expect(await first.stop()).toBe(0)

    const host = run('main', { PORT: '0', EEP_DATA_DIR: directory, ...LIVE_KEY })
    expect(await host.closed).toBe(1)
    const mismatch = /database_kind_mismatch: The database holds test money .+ this service takes real money/
    expect(host.said.stderr).toMatch(mismatch)
    const command = run('eep', { EEP_DATA_DIR: directory, ...LIVE_KEY }, ['purge', '--dry-run'])
    expect(await command.closed).not.toBe(0)
    expect(command.said.stderr).toMatch(mismatch)

    const again = await startHost({ EEP_DATA_DIR: directory, ...TEST_KEY })
    expect(await again.stop()).toBe(0)
  })
})
