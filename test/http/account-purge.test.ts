import type { OptionalGroup, Storage } from '@eep/core/ports'
import { endOfLog, eventsAfter, newEvent, newReceipt } from '@eep/core/testing'
import { type CompactVerifyResult, compactVerify, createLocalJWKSet } from 'jose'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { codeOf, login, type Person, signUp } from '../support/accounts.ts'
import { createTestApp, openStorage, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { onPglite } from '../support/database.ts'
import { newWorkspace } from '../support/workspaces.ts'

const POSTS = 450
const HOUR_MS = 3_600_000
const OWNED = { emailVerified: true, emailOwned: true } as const

let database: Awaited<ReturnType<typeof openStorage>>
let app: TestApp
let close: () => Promise<void>

beforeAll(async () => {
  database = await openStorage()
  const { read, ...storage } = database.storage
  const purgingNothing = { ...read, accounts: { ...read.accounts, listDueForPurge: async () => [] } }
  const made = await createTestApp({
    // Only the instances of the tests purge, and not the background work of this one.
    storage: { ...storage, read: purgingNothing },
    // An instance whose clock is slow still sees time to cancel deletions.
    clock: () => new Date(Date.now() - HOUR_MS),
  })
  app = made.app
  close = made.close
})
afterAll(async () => {
  await close()
  await database.close()
})

/** An account past its grace period, with more posts than are deleted in one transaction. */
async function newDueAccount(
  owning: { emailVerified?: true; emailOwned?: true } = OWNED,
): Promise<Person & { readonly profileId: number }> {
  const person = await signUp(app)
  const { id: accountId, active_profile_id: profileId } = person.account
  const post = { profileId, accountId, hashtags: [], mentions: [], replyTo: null, attachments: [] }
  await database.storage.transaction(async (tx) => {
    for (let made = 0; made < POSTS; made += 1) {
      await tx.feed.insert({ ...post, body: `Post ${made}`, createdAt: new Date() })
    }
    await tx.accounts.save(accountId, { ...owning, deletionScheduledAt: new Date(Date.now() - 1_000) })
    await tx.profiles.withdrawOfAccount(accountId, new Date())
  })
  return { ...person, profileId }
}

const postsOf = async (profileId: number) =>
  (await database.storage.read.feed.list({ of: 'profile', profileId, listed: false }, { limit: POSTS })).total ?? 0

/** Another instance that calls `afterParts` when it has deleted so many parts of profiles. */
async function instanceThat(parts: number, afterParts: () => Promise<unknown>) {
  const storage: Storage<OptionalGroup> = database.another()
  let done = 0
  const watched: Storage<OptionalGroup> = {
    ...storage,
    async transaction(work) {
      let isPart = false
      const result = await storage.transaction((tx) =>
        work({
          ...tx,
          hiddenProfiles: {
            ...tx.hiddenProfiles,
            async deleteContents(id, limit, at) {
              isPart = true
              return tx.hiddenProfiles.deleteContents(id, limit, at)
            },
          },
        }),
      )
      if (isPart) done += 1
      if (isPart && done === parts) await afterParts()
      return result
    },
  }
  return createTestApp({ storage: watched })
}

describe('the purge of an account with many records', () => {
  it('deletes the records in parts, and continues after a crash', async () => {
    const { account, profileId } = await newDueAccount()
    const crashing = await instanceThat(1, () => Promise.reject(new Error('crash')))
    await crashing.app.eep.purge()
    await crashing.close()
    expect(await database.storage.read.accounts.get(account.id)).toBeDefined()
    const left = await postsOf(profileId)
    expect([left > 0, left < POSTS]).toEqual([true, true])

    const next = await createTestApp({ storage: database.another() })
    await next.app.eep.purge()
    await next.close()
    expect(await database.storage.read.accounts.get(account.id)).toBeUndefined()
    expect(await database.storage.read.profiles.get(profileId)).toBeUndefined()
  })

  it('cannot be cancelled by a sign-in after it has begun', async () => {
    const { account, profileId } = await newDueAccount()
    const crashing = await instanceThat(1, () => Promise.reject(new Error('crash')))
    await crashing.app.eep.purge()
    await crashing.close()
    expect(codeOf(await login(app, account.email))).toBe('invalid_credentials')
    expect((await client(app).get(`/u/${account.username}`)).statusCode).not.toBe(200)
    expect(await postsOf(profileId)).toBeGreaterThan(0)
  })

  it('does not begin when a sign-in has cancelled the deletion', async () => {
    const { account, profileId } = await newDueAccount()
    const storage = database.another()
    const held = await createTestApp({
      storage,
      email: {
        mailer: {
          send: async () => {},
          // Runs before the purge begins.
          forget: async (address) => {
            if (address === account.email) expect((await login(app, account.email)).statusCode).toBe(200)
          },
        },
      },
    })
    await held.app.eep.purge()
    await held.close()
    expect((await database.storage.read.accounts.get(account.id))?.deletionScheduledAt).toBeNull()
    expect((await client(app).get(`/u/${account.username}`)).statusCode).toBe(200)
    expect(await postsOf(profileId)).toBe(POSTS)
  })

  it.each([
    ['deletes stored email to an address that the account owned', OWNED, 1],
    ['keeps stored email to an address that the account never owned', {}, 0],
  ])('%s', async (_, owning, times) => {
    const { account } = await newDueAccount(owning)
    const forgotten: string[] = []
    const mailer = { send: async () => {}, forget: async (address: string) => void forgotten.push(address) }
    const host = await createTestApp({ storage: database.another(), email: { mailer } })
    await host.app.eep.purge()
    await host.close()
    expect(await database.storage.read.accounts.get(account.id)).toBeUndefined()
    expect(forgotten.filter((address) => address === account.email)).toHaveLength(times)
  })

  it.skipIf(onPglite())('leaves the account to exactly one of two instances that purge it', async () => {
    const after = await endOfLog(database.storage)
    const { account } = await newDueAccount()
    const reached = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const first = await instanceThat(1, () => {
      reached.resolve()
      return released.promise
    })
    const second = await createTestApp({ storage: database.another() })
    const purging = first.app.eep.purge()
    await reached.promise
    await second.app.eep.purge()
    expect(await database.storage.read.accounts.get(account.id)).toBeUndefined()
    released.resolve()
    await purging
    const purged = (await eventsAfter(database.storage, after)).filter(({ type }) => type === 'accounts.account_purged')
    expect(purged).toHaveLength(1)
    await first.close()
    await second.close()
  })

  it('is not disturbed by the worker that deletes hidden profiles', async () => {
    const { account, profileId } = await newDueAccount()
    const later = new Date(Date.now() + 2 * HOUR_MS)
    const taken: number[] = []
    const watching = await instanceThat(1, async () => {
      const ids = await database.storage.transaction((tx) => tx.hiddenProfiles.take({ before: later }, later, 1_000))
      taken.push(...ids)
    })
    await watching.app.eep.purge()
    await watching.close()
    expect(taken).not.toContain(profileId)
    expect(await database.storage.read.accounts.get(account.id)).toBeUndefined()
  })
})

describe('the purge of an account that many records of others name', () => {
  const RECEIPTS = 250
  const EVENTS = 450

  /** An account past its grace period that has paid often, and whose profile has many events. */
  async function newNamedAccount() {
    const person = await signUp(app)
    const { id: accountId, active_profile_id: profileId } = person.account
    const receipts = Array.from({ length: RECEIPTS }, () => newReceipt({ payerAccountId: accountId }))
    await database.storage.transaction(async (tx) => {
      for (const receipt of receipts) await tx.receipts.insert(receipt)
      const data = { by: person.account.username }
      await tx.events.append(Array.from({ length: EVENTS }, () => newEvent({ profileId, accountId: null, data })))
      await tx.accounts.save(accountId, { deletionScheduledAt: new Date(Date.now() - 1_000) })
    })
    const stored = () => Promise.all(receipts.map(({ receiptId }) => database.storage.read.receipts.get(receiptId)))
    return { ...person, stored }
  }

  /** Another instance that fails after it has replaced so many receipts, and the changes of each transaction before. */
  async function instanceThatReplaces(receipts: number) {
    const storage: Storage<OptionalGroup> = database.another()
    const inOneTransaction: number[] = []
    let replaced = 0
    const watched: Storage<OptionalGroup> = {
      ...storage,
      transaction: (work) =>
        storage.transaction(async (tx) => {
          let inThis = 0
          const result = await work({
            ...tx,
            receipts: {
              ...tx.receipts,
              async replace(receipt) {
                if (replaced === receipts) throw new Error('crash')
                replaced += 1
                inThis += 1
                return tx.receipts.replace(receipt)
              },
            },
          })
          if (inThis > 0) inOneTransaction.push(inThis)
          return result
        }),
    }
    return { ...(await createTestApp({ storage: watched })), inOneTransaction }
  }

  it('signs receipts again in parts, and continues after a crash', async () => {
    const { account, stored } = await newNamedAccount()
    const crashing = await instanceThatReplaces(RECEIPTS / 2)
    await crashing.app.eep.purge()
    await crashing.close()
    expect(crashing.inOneTransaction).toEqual([100])
    expect(await database.storage.read.accounts.get(account.id)).toBeDefined()
    const left = (await stored()).filter((receipt) => receipt?.payerAccountId === account.id)
    expect(left).toHaveLength(RECEIPTS - 100)

    const next = await instanceThatReplaces(RECEIPTS)
    // Its work in the background may have begun with the account.
    await vi.waitFor(async () => {
      await next.app.eep.purge()
      expect(await database.storage.read.accounts.get(account.id)).toBeUndefined()
    }, 60_000)
    await next.close()
    expect(next.inOneTransaction).toEqual([100, 50])
    expect(await database.storage.read.accounts.get(account.id)).toBeUndefined()
    const keys = createLocalJWKSet((await client(app).get('/.well-known/jwks.json')).json())
    for (const receipt of await stored()) {
      expect([receipt?.payerAccountId, receipt?.payerDid]).toEqual([null, null])
      const { payload }: CompactVerifyResult = await compactVerify(receipt?.signature ?? '', keys)
      const signed = JSON.parse(new TextDecoder().decode(payload))
      expect(signed).toMatchObject({ receipt_id: receipt?.receiptId, payer_account_id: null })
    }
  })

  it.skipIf(onPglite())('leaves its name in no row, also after a crash between parts of the event log', async () => {
    const { account } = await newNamedAccount()
    const crashing = await instanceThatErases(3)
    await crashing.app.eep.purge()
    await crashing.close()
    expect(await database.storage.read.accounts.get(account.id)).toBeDefined()
    const naming = async () =>
      (await database.dump?.())?.filter((row) => [account.id, account.username].some((name) => row.includes(name)))
    expect(await naming()).not.toEqual([])

    const next = await createTestApp({ storage: database.another() })
    await next.app.eep.purge()
    await next.close()
    expect(await naming()).toEqual([])
  })

  /** Another instance that fails when it has erased so many parts. */
  async function instanceThatErases(parts: number) {
    const storage: Storage<OptionalGroup> = database.another()
    let done = 0
    const watched: Storage<OptionalGroup> = {
      ...storage,
      transaction: (work) =>
        storage.transaction((tx) =>
          work({
            ...tx,
            accounts: {
              ...tx.accounts,
              async eraseAccount(account, keptEvents, part) {
                if (done === parts) throw new Error('crash')
                if (part) done += 1
                return tx.accounts.eraseAccount(account, keptEvents, part)
              },
            },
          }),
        ),
    }
    return createTestApp({ storage: watched })
  }
})

describe('the purge of an account with workspaces', () => {
  it.skipIf(onPglite())('leaves nothing of their documents when the module of workspaces is off', async () => {
    const { owner, path, id } = await newWorkspace(app)
    const made = await owner.post(`${path}/documents`, { title: 'Engines', body: 'Of the owner alone' })
    expect(made.statusCode, made.body).toBe(201)
    const document = `${path}/documents/${made.json().id}`
    expect((await owner.post(`${document}/comments`, { body: 'My own words' })).statusCode).toBe(201)
    await database.storage.transaction((tx) =>
      tx.accounts.save(owner.account.id, { deletionScheduledAt: new Date(Date.now() - 1_000) }),
    )
    const without = await createTestApp({ storage: database.another(), workspaces: false })
    await without.app.eep.purge()
    await without.close()
    const names = [owner.account.id, owner.account.username, 'My own words', 'Of the owner alone']
    const rows = (await database.dump?.()) ?? []
    expect(rows.filter((row) => names.some((name) => row.includes(name)))).toEqual([])
    const tables = ['workspaces', 'workspace_documents', 'workspace_document_versions', 'workspace_comments']
    const ofWorkspace = (await database.dump?.([...tables, 'workspace_activity'])) ?? []
    expect(ofWorkspace.filter((row) => row.includes(id))).toEqual([])
  })
})
