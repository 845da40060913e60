import { type EepLogger, eep } from '@eep/core'
import { archives } from '@eep/core/archives'
import { directoryBlobs, files } from '@eep/core/files'
import { newIdentity, newWebhook } from '@eep/core/testing'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { createTestApp, openStorage, PUBLIC_URL, SECRET, type TestApp } from '../support/app.ts'
import { downloaded, jsonOf, unzip } from '../support/archives.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { client } from '../support/client.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'
import { joinWorkspace, newWorkspace } from '../support/workspaces.ts'

const DAY_MS = 86_400_000
const mailbox = createMailbox()
const database = await openStorage()
const { read } = database.storage
let full: Awaited<ReturnType<typeof createTestApp>>

beforeAll(async () => {
  full = await createTestApp({ storage: database.storage, email: { mailer: mailbox.mailer } })
})
afterAll(async () => {
  await full.close()
  await database.close()
})

/** A host on the same storage that imports no feature but the given ones. */
async function baseWith(options: Partial<Parameters<typeof eep>[1]> = {}): Promise<TestApp> {
  const app: TestApp = Fastify()
  await app.register(eep, {
    publicUrl: PUBLIC_URL,
    secret: SECRET,
    storage: database.storage,
    email: { mailer: mailbox.mailer },
    limits: { rateLimit: { multiplier: 1_000 } },
    auth: { passwordHashing: { memoryKiB: 1_024 }, purgeIntervalMs: DAY_MS },
    ...options,
  })
  await app.ready()
  await app.eep.start()
  onTestFinished(() => app.close())
  return app
}

/** A person with a passkey, a provider, a webhook and a role in a workspace of another. */
async function withFeatures(): Promise<{
  person: Person
  device: ReturnType<typeof createAuthenticator>
  workspaceId: string
}> {
  const person = await signUp(full.app)
  const { id: accountId } = person.account
  const device = createAuthenticator()
  const asked = await person.post('/auth/passkeys/registration/options', { password: PASSWORD })
  expect((await person.post('/auth/passkeys', { response: device.create(asked.json()) })).statusCode).toBe(201)
  await database.storage.transaction(async (tx) => {
    await tx.identities.insert(newIdentity(accountId))
    const webhook = newWebhook(accountId)
    await tx.webhooks.insert(webhook, { max: 10, maxCreated: 10, createdSince: new Date(0) })
    await tx.webhooks.update(webhook.id, ['pending_verification'], { status: 'active' })
  })
  const workspace = await newWorkspace(full.app)
  await joinWorkspace(workspace, person, 'editor')
  return { person, device, workspaceId: workspace.id }
}

/** The states of an account's webhooks. Cancelled ones are not listed. */
const webhooksOf = async (accountId: string) =>
  (await read.webhooks.listOfAccount(accountId, { limit: 9 })).items.map(({ status }) => status)

const signInWith = async (device: ReturnType<typeof createAuthenticator>) => {
  const options = (await client(full.app).post('/auth/passkeys/options')).json()
  return (await client(full.app).post('/auth/passkeys/login', { response: device.use(options) })).statusCode
}

describe('the data of features that a host does not import', () => {
  it('gives no access to an account that was taken over meanwhile', async () => {
    const { person, device, workspaceId } = await withFeatures()
    const { id, email } = person.account
    expect(await signInWith(device)).toBe(200)
    expect(await webhooksOf(id)).toEqual(['active'])
    const base = await baseWith()
    expect((await client(base).post('/auth/passkeys/options')).statusCode).toBe(404)
    await client(base).post('/auth/forgot-password', { email })
    const token = tokenIn(await mailbox.take(email, 'reset'))
    const reset = await client(base).post('/auth/reset-password', { token, password: 'Another staple 8 horse' })
    expect(reset.statusCode).toBe(200)

    expect(await signInWith(device)).toBe(401)
    expect(await read.passkeys.listOfAccount(id)).toEqual([])
    expect(await read.identities.listOfAccount(id)).toEqual([])
    expect(await read.workspaceMembers.getRole(workspaceId, id)).toBeUndefined()
    expect(await webhooksOf(id)).toEqual([])
  })

  it('is in the export of an account', async () => {
    const { person, workspaceId } = await withFeatures()
    const blobStore = directoryBlobs({ directory: full.directory })
    const base = await baseWith({ modules: [archives(), files({ blobStore })] })
    const there = { ...person, post: client(base).as(person).post }
    const members = await unzip(await downloaded(base, there, { account: true }))
    expect(jsonOf(members, 'passkeys.json')).toHaveLength(1)
    expect(jsonOf(members, 'identities.json')).toHaveLength(1)
    expect(jsonOf(members, 'webhooks.json')).toHaveLength(1)
    expect(jsonOf(members, 'workspaces.json')).toMatchObject([{ id: workspaceId }])
  })

  it('is erased with its account', async () => {
    const { person, workspaceId } = await withFeatures()
    const { id } = person.account
    const now = Date.now()
    const before = await baseWith({ clock: () => new Date(now - 31 * DAY_MS) })
    const deleted = await client(before).as(person).send('DELETE', '/auth/account', { password: PASSWORD })
    expect(deleted.statusCode).toBe(200)
    const base = await baseWith()
    await base.eep.purge()
    expect(await read.accounts.get(id)).toBeUndefined()
    expect(await read.passkeys.listOfAccount(id)).toEqual([])
    expect(await read.identities.listOfAccount(id)).toEqual([])
    expect(await webhooksOf(id)).toEqual([])
    expect(await read.workspaceMembers.getRole(workspaceId, id)).toBeUndefined()
  })

  it('is named in one warning at start, with the features', async () => {
    await withFeatures()
    const warnings: unknown[] = []
    const logger: EepLogger = {
      info: () => {},
      warn: (...line: unknown[]) => void warnings.push(line),
      error: () => {},
    }
    await baseWith({ logger })
    const named = warnings.filter((line) => JSON.stringify(line).includes('data of features that are off'))
    expect(named).toHaveLength(1)
    expect(named).toMatchObject([
      [
        {
          groups: expect.arrayContaining(['identities', 'passkeys', 'webhooks', 'workspaces']),
          features: expect.arrayContaining(['oauth', 'passkeys', 'webhooks', 'workspaces']),
        },
        expect.any(String),
      ],
    ])
  })

  it('is not named while its features are on', async () => {
    await withFeatures()
    const warnings: unknown[] = []
    const logger: EepLogger = {
      info: () => {},
      warn: (...line: unknown[]) => void warnings.push(line),
      error: () => {},
    }
    const everything = await createTestApp({ storage: database.storage, logger })
    await everything.close()
    expect(JSON.stringify(warnings)).not.toContain('data of features that are off')
  })
})
