import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../support/accounts.ts'
import { createTestApp, openStorage, type TestStorage } from '../support/app.ts'
import { onPglite } from '../support/database.ts'
import { PATIENT } from '../support/patient-search.ts'
import { newWorkspace, newWorkspaceMember, type OwnedWorkspace } from '../support/workspaces.ts'

let database: TestStorage
let test: Awaited<ReturnType<typeof createTestApp>>
/** While it is set, the index stores nothing. */
let hold: { readonly reached: PromiseWithResolvers<void>; readonly released: PromiseWithResolvers<void> } | undefined

beforeAll(async () => {
  database = await openStorage()
  const index = database.storage.search(PATIENT)
  const put: typeof index.put = async (documents) => {
    hold?.reached.resolve()
    await hold?.released.promise
    return index.put(documents)
  }
  test = await createTestApp({
    storage: database.storage,
    search: { index: { ...index, put } },
    auth: { purgeIntervalMs: 100 },
  })
})
afterAll(async () => {
  await test.close()
  await database.close()
})

const write = async ({ path }: OwnedWorkspace, by: Person, fields: object): Promise<string> => {
  const made = await by.post(`${path}/documents`, fields)
  expect(made.statusCode, made.body).toBe(201)
  return made.json().id
}

/** How many documents of the workspace the index finds, and their titles. */
async function find({ owner, path }: OwnedWorkspace, word: string) {
  const found = await owner.get(`${path}/search?q=${word}&consistency=strong`)
  expect(found.statusCode, found.body).toBe(200)
  const { data, pagination } = found.json()
  return [pagination.total, ...data.map(({ document }: { document: { title: string } }) => document.title)]
}

/** Runs changes that the indexer reads only after the account that made them was erased. */
async function eraseBeforeIndexing({ account }: Person, changes: () => Promise<void>): Promise<void> {
  const elsewhere = await newWorkspace(test.app)
  hold = { reached: Promise.withResolvers(), released: Promise.withResolvers() }
  // The indexer reads no further events while it stores this document.
  await write(elsewhere, elsewhere.owner, { title: 'Held' })
  await hold.reached.promise
  await changes()
  const { transaction, read } = database.storage
  await transaction((tx) => tx.accounts.save(account.id, { deletionScheduledAt: new Date(0) }))
  await expect.poll(() => read.accounts.get(account.id), { timeout: 60_000 }).toBeUndefined()
  hold.released.resolve()
  hold = undefined
}

describe('the search of a workspace after the erasure of a member', () => {
  it('has the last change that the member made, and not what the member deleted', async () => {
    const workspace = await newWorkspace(test.app)
    const member = await newWorkspaceMember(test.app, workspace, 'editor')
    const changed = await write(workspace, member, { title: 'Turbine', body: 'About the turbine' })
    const deleted = await write(workspace, member, { title: 'Dynamo', body: 'About the dynamo' })
    expect([await find(workspace, 'turbine'), await find(workspace, 'dynamo')]).toEqual([
      [1, 'Turbine'],
      [1, 'Dynamo'],
    ])
    await eraseBeforeIndexing(member, async () => {
      const edited = { title: 'Windmill', body: 'About the windmill' }
      expect((await member.put(`${workspace.path}/documents/${changed}`, edited)).statusCode).toBe(200)
      expect((await member.delete(`${workspace.path}/documents/${deleted}`)).statusCode).toBe(200)
      await write(workspace, member, { title: 'Pulley', body: 'About the pulley' })
    })
    expect([await find(workspace, 'windmill'), await find(workspace, 'pulley')]).toEqual([
      [1, 'Windmill'],
      [1, 'Pulley'],
    ])
    expect([await find(workspace, 'turbine'), await find(workspace, 'dynamo')]).toEqual([[0], [0]])
    const rows = (await database.dump?.(['events'])) ?? []
    const { id, username, email } = member.account
    expect(rows.filter((row) => [id, username, email].some((name) => row.includes(name)))).toEqual([])
  })

  it.skipIf(onPglite())('has nothing of a workspace that its owner deleted before the erasure', async () => {
    const workspace = await newWorkspace(test.app)
    const member = await newWorkspaceMember(test.app, workspace, 'editor')
    await write(workspace, member, { title: 'Escapement', body: 'About the escapement' })
    expect(await find(workspace, 'escapement')).toEqual([1, 'Escapement'])
    const rows = async () => ((await database.dump?.()) ?? []).filter((row) => /escapement/i.test(row))
    expect(await rows()).not.toEqual([])
    await eraseBeforeIndexing(workspace.owner, async () => {
      expect((await workspace.owner.delete(workspace.path)).statusCode).toBeLessThan(300)
    })
    await expect.poll(rows, { timeout: 60_000 }).toEqual([])
  })
})
