import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  contentsOfDirectory,
  DEVELOPMENT_REFUSAL,
  makeDevelopmentDirectory,
  UNTOUCHED,
} from '../../../test/support/development-database.ts'
import { pgliteStorage } from './pglite.ts'

describe('storage on PGlite', () => {
  let directory: string

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'eep-pglite-'))
  })
  afterAll(() => rm(directory, { recursive: true }))

  /** The tests share it, also under another schema: an existing directory opens five times as fast. */
  const dataDirectory = () => join(directory, 'made', 'when', 'missing')
  const newAccount = (username: string) => ({
    id: crypto.randomUUID(),
    email: `${username}@example.com`,
    username,
    fullName: null,
    passwordHash: null,
    createdAt: new Date(),
  })

  it('migrates itself, and keeps its data when it is reopened', async () => {
    const dataDir = dataDirectory()
    const first = pgliteStorage({ dataDir })
    const ada = await first.transaction((tx) => tx.accounts.insert(newAccount('ada')))
    expect(ada?.username).toBe('ada')
    await first.close()
    await first.close()

    const second = pgliteStorage({ dataDir })
    expect(await second.read.accounts.get({ username: 'ada' })).toEqual(ada)
    expect(await second.status()).toMatchObject({ pending: [] })
    await second.close()
  })

  it('yields to other work before each statement of a transaction', async () => {
    const storage = pgliteStorage({ dataDir: dataDirectory() })
    await storage.ping()
    let turns = 0
    let counting = true
    const count = () => {
      turns += 1
      if (counting) setImmediate(count)
    }
    await storage.transaction(async (tx) => {
      setImmediate(count)
      for (const name of ['ada', 'eve', 'grace']) await tx.accounts.get({ username: name })
    })
    counting = false
    expect(turns).toBeGreaterThanOrEqual(3)
    await storage.close()
  })

  it('works on after a rollback failed, without what the transaction wrote', async () => {
    const storage = pgliteStorage({ dataDir: dataDirectory() })
    await storage.ping()
    const query = Client.prototype.query as (...sent: readonly unknown[]) => Promise<unknown>
    let failures = 0
    const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...sent: unknown[]) {
      const [{ text } = { text: '' }] = sent as { readonly text?: string }[]
      if (text !== 'rollback') return query.apply(this, sent)
      failures += 1
      return Promise.reject(new Error('the rollback failed'))
    } as never)
    const writing = storage.transaction(async (tx) => {
      await tx.accounts.insert(newAccount('mallory'))
      throw new Error('the work failed')
    })
    await expect(writing).rejects.toThrow()
    expect(failures).toBe(1)
    spy.mockRestore()

    expect(await storage.read.accounts.get({ username: 'mallory' })).toBeUndefined()
    const grace = await storage.transaction((tx) => tx.accounts.insert(newAccount('grace')))
    expect(grace?.username).toBe('grace')
    await storage.close()
  })

  it('opens a data directory once', async () => {
    const dataDir = dataDirectory()
    const first = pgliteStorage({ dataDir })
    await first.ping()
    const second = pgliteStorage({ dataDir })
    await expect(second.ping()).rejects.toThrow('is open in process')
    await first.close()
    await second.ping()
    await second.close()
  })

  it('keeps committed data when its process is killed, and reopens immediately', async () => {
    const dataDir = dataDirectory()
    const program = `
      import { pgliteStorage } from ${JSON.stringify(new URL('./pglite.ts', import.meta.url).href)}
      const storage = pgliteStorage({ dataDir: ${JSON.stringify(dataDir)} })
      await storage.transaction((tx) => tx.accounts.insert({ ...${JSON.stringify(newAccount('eve'))}, createdAt: new Date() }))
      process.kill(process.pid, 'SIGKILL')`
    const child = spawn(process.execPath, [
      '--conditions=@eep/source',
      '--liftoff-only',
      '--input-type=module',
      '-e',
      program,
    ])
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])

    const storage = pgliteStorage({ dataDir })
    expect(await storage.read.accounts.get({ username: 'eve' })).toBeDefined()
    await storage.close()
  })

  it('refuses a directory that a development version made, with and without migrating it, and leaves it as it is', async () => {
    const dataDir = join(directory, 'development')
    await makeDevelopmentDirectory(dataDir)
    const opening = pgliteStorage({ dataDir })
    await expect(opening.ping()).rejects.toThrow(DEVELOPMENT_REFUSAL)
    await opening.close()
    const opened = pgliteStorage({ dataDir, migrateOnOpen: false })
    expect(await opened.status()).toMatchObject({ refusal: DEVELOPMENT_REFUSAL })
    await expect(opened.migrate()).rejects.toThrow(DEVELOPMENT_REFUSAL)
    await opened.close()
    expect(await contentsOfDirectory(dataDir)).toEqual(UNTOUCHED)
  })

  it('lists the missing migrations of a database that it does not migrate when it opens', async () => {
    const storage = pgliteStorage({ dataDir: dataDirectory(), schema: 'other', migrateOnOpen: false })
    const { applied, pending } = await storage.status()
    expect([applied.length, pending[0]]).toEqual([0, expect.stringMatching(/^0001_/)])
    await storage.migrate()
    expect((await storage.status()).pending).toEqual([])
    expect(await storage.read.accounts.get({ username: 'ada' })).toBeUndefined()
    await storage.close()
  })

  it('starts as a copy of a dump, under another schema name too', async () => {
    const original = pgliteStorage({ dataDir: dataDirectory(), schema: 'other' })
    await original.transaction((tx) => tx.accounts.insert(newAccount('grace')))
    const dump = await original.dump()
    await original.close()

    const copy = pgliteStorage({ schema: 'other', loadDataDir: dump })
    expect(await copy.read.accounts.get({ username: 'grace' })).toBeDefined()
    await copy.close()
  })

  it('can be closed without ever having been opened', () => pgliteStorage().close())

  it('accepts only a path as its directory', () => {
    expect(() => pgliteStorage({ dataDir: 'memory://' })).toThrow('omit it to keep the data in memory')
  })
})
