import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PostgresStorage } from '@eep/adapters-postgres'
import { type EepLogger, eep } from '@eep/core'
import { archives } from '@eep/core/archives'
import { directoryBlobs, files } from '@eep/core/files'
import { newCheckout, newIdentity, newSubscription, newWebhook } from '@eep/core/testing'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { PASSWORD, type Person, proveAddress, signUp } from '../support/accounts.ts'
import { createTestApp, openStorage, PUBLIC_URL, SECRET, type TestApp } from '../support/app.ts'
import { downloaded, jsonOf, type Members, unzip } from '../support/archives.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { client } from '../support/client.ts'
import { advice, listService } from '../support/deals.ts'
import { newPost, OPEN_FEED } from '../support/feed.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'
import { newMemory, remember } from '../support/memory.ts'
import { addressOf, makeContactable, OPEN_MESSAGES, openConversation } from '../support/messages.ts'
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

/** A logger, and the warnings that it gets. */
function listening() {
  const warnings: unknown[] = []
  const logger: EepLogger = {
    info: () => {},
    warn: (...line: unknown[]) => void warnings.push(line),
    error: () => {},
  }
  return { logger, warnings }
}

/** A host on the same storage that imports no feature but the given ones. */
async function openBase(options: Partial<Parameters<typeof eep>[1]> = {}): Promise<TestApp> {
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
  return app
}

/** The same, until the end of a test. */
async function baseWith(options: Parameters<typeof openBase>[0] = {}): Promise<TestApp> {
  const app = await openBase(options)
  onTestFinished(() => app.close())
  return app
}

/** Gives the profile of a person a post, a message, a listing, a section, a profile that it follows, and a memory. */
async function addToProfile(app: TestApp, storage: PostgresStorage, person: Person): Promise<void> {
  const other = await signUp(app)
  await makeContactable(other)
  await proveAddress({ storage }, person)
  await newPost(person, 'A post')
  await openConversation(person, other, 'A message')
  await listService(person, { ...advice(), name: 'An hour' })
  const { active_profile_id: profileId } = person.account
  const section = { key: 'about', title: 'About', body: 'Engines.' }
  await person.put(`/profiles/${profileId}/smart-sections`, { sections: [section] })
  await person.post(`/connections/${addressOf(other)}`)
  await remember(person, await newMemory(person, profileId, { name: 'A session' }), 'A memory')
}

/** A person with a passkey, a provider, a webhook and a role in a workspace of another. */
async function withFeatures(
  { app }: Pick<typeof full, 'app'> = full,
  { storage }: Pick<typeof database, 'storage'> = database,
): Promise<{
  person: Person
  device: ReturnType<typeof createAuthenticator>
  workspaceId: string
}> {
  const person = await signUp(app)
  const { id: accountId } = person.account
  const device = createAuthenticator()
  const asked = await person.post('/auth/passkeys/registration/options', { password: PASSWORD })
  expect((await person.post('/auth/passkeys', { response: device.create(asked.json()) })).statusCode).toBe(201)
  await storage.transaction(async (tx) => {
    await tx.identities.insert(newIdentity(accountId))
    const webhook = newWebhook(accountId)
    await tx.webhooks.insert(webhook, { max: 10, maxCreated: 10, createdSince: new Date(0) })
    await tx.webhooks.update(webhook.id, ['pending_verification'], { status: 'active' })
  })
  const workspace = await newWorkspace(app)
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

  describe('in an export', () => {
    let members: Members
    let person: Person
    let workspaceId: string
    const close: (() => Promise<unknown>)[] = []

    /** The host that stored the data is closed, so that the other one writes the archive. */
    beforeAll(async () => {
      const own = await openStorage()
      close.push(own.close)
      const { storage } = own
      const first = await createTestApp({ storage, ...OPEN_MESSAGES, ...OPEN_FEED })
      const stored = await withFeatures(first, own)
      person = stored.person
      workspaceId = stored.workspaceId
      await addToProfile(first.app, storage, person)
      await first.close()

      const directory = await mkdtemp(join(tmpdir(), 'eep-files-'))
      close.push(() => rm(directory, { recursive: true }))
      const modules = [archives(), files({ blobStore: directoryBlobs({ directory }) })]
      const base = await openBase({ storage, modules, without: ['connections'] })
      close.push(() => base.close())
      const there: Person = { ...person, ...client(base).as(person) }
      members = await unzip(await downloaded(base, there, { account: true }))
    })
    afterAll(async () => {
      for (const step of close.toReversed()) await step()
    })

    it('is there for an account', () => {
      expect(jsonOf(members, 'passkeys.json')).toHaveLength(1)
      expect(jsonOf(members, 'identities.json')).toHaveLength(1)
      expect(jsonOf(members, 'webhooks.json')).toHaveLength(1)
      expect(jsonOf(members, 'workspaces.json')).toMatchObject([{ id: workspaceId }])
    })

    it.each([
      ['feed.json', [{ body: 'A post' }]],
      ['messages.json', [{ body: 'A message' }]],
      ['services.json', [{ name: 'An hour' }]],
      ['smart-sections.json', { sections: [{ key: 'about' }] }],
      ['connections.json', [{ side: 'following' }]],
      ['memory/sessions.json', [{ name: 'A session' }]],
    ])('is there for a profile: %s', (path, content) => {
      expect(jsonOf(members, `profiles/person/${person.account.username}/${path}`)).toMatchObject(content)
    })

    it('has the entries of memory that are not encrypted', () => {
      const folder = `profiles/person/${person.account.username}/memory`
      const [session] = jsonOf(members, `${folder}/sessions.json`)
      expect(session.unreadable_entries).toBe(0)
      expect(jsonOf(members, `${folder}/${session.id}.json`)).toMatchObject([{ content: 'A memory' }])
    })
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

  it('is removed from the search index with its account', async () => {
    const own = await openStorage()
    const { storage } = own
    const first = await createTestApp({ storage, withSearch: true })
    const person = await signUp(first.app)
    const session = await newMemory(person, person.account.active_profile_id)
    await remember(person, session, 'The escapement of the clock')
    const found = await person.post(`${session}/search`, { query: 'escapement' })
    expect(found.json().data).toHaveLength(1)
    await first.close()
    const traces = async () => ((await own.dump?.()) ?? []).filter((row) => row.includes('scapement'))

    await storage.transaction((tx) =>
      tx.accounts.save(person.account.id, { deletionScheduledAt: new Date(Date.now() - 1_000) }),
    )
    const second = await createTestApp({ storage, withSearch: true, memory: false })
    await second.eep.purge()
    expect(await storage.read.accounts.get(person.account.id)).toBeUndefined()
    expect(await traces()).toEqual([])
    await second.close()
    await own.close()
  })

  it('names the charges that a processor may go on with when their account is erased', async () => {
    const [card, prepaid] = [await signUp(full.app), await signUp(full.app)]
    const subscription = newSubscription(card.account.id)
    const checkout = newCheckout(card.account.id)
    await database.storage.transaction(async (tx) => {
      await tx.subscriptions.put(subscription)
      await tx.subscriptions.putCheckout(checkout)
      await tx.subscriptions.put(newSubscription(prepaid.account.id, { processor: 'usdc' }))
      for (const { account } of [card, prepaid]) {
        await tx.accounts.save(account.id, { deletionScheduledAt: new Date(Date.now() - 1_000) })
      }
    })
    const { logger, warnings } = listening()
    const base = await baseWith({ logger })
    await base.eep.purge()
    for (const { account } of [card, prepaid]) expect(await read.accounts.get(account.id)).toBeUndefined()
    const { processor, processorSubscriptionId } = subscription
    expect(warnings.filter((line) => JSON.stringify(line).includes('at the processor'))).toEqual([
      [{ processor, subscription: processorSubscriptionId }, expect.stringContaining('cancel this subscription')],
      [
        { processor, checkout: checkout.checkoutId, attempt: checkout.attempt },
        expect.stringContaining('close this checkout'),
      ],
    ])
  })

  it('is named in one warning at start, with the features', async () => {
    await withFeatures()
    const { logger, warnings } = listening()
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
    const { logger, warnings } = listening()
    const everything = await createTestApp({ storage: database.storage, logger })
    await everything.close()
    expect(JSON.stringify(warnings)).not.toContain('data of features that are off')
  })
})
