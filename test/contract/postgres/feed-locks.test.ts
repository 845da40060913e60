import type { Storage, Stores } from '@eep/core/ports'
import { eraseAccount } from '@eep/core/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeAdministrator, type Person, signUp } from '../../support/accounts.ts'
import { onPglite } from '../../support/database.ts'
import { newPost, OPEN_FEED } from '../../support/feed.ts'
import { openInstances } from '../../support/instances.ts'
import { addressOf, CONVERSATIONS, makeContactable } from '../../support/messages.ts'

const ROUNDS = 5
const LIMITS = { ...OPEN_FEED, limits: { rateLimit: { multiplier: 100_000 } } }

describe.skipIf(onPglite())('concurrent transactions', async () => {
  const { database, instance } = await openInstances(LIMITS)
  /** What PostgreSQL ended because of a deadlock. The storage runs it again, so no caller sees it. */
  const deadlocks: string[] = []
  const storage: Storage = {
    ...database.storage,
    transaction: (work: (tx: Stores) => Promise<unknown>) =>
      database.storage.transaction(async (tx) => {
        try {
          return await work(tx as Stores)
        } catch (error) {
          if ((error as { code?: unknown }).code === '40P01') deadlocks.push(`${(error as Error).stack}`)
          throw error
        }
      }),
  } as Storage
  const app = await instance({ storage } as Parameters<typeof instance>[0])
  beforeEach(() => {
    deadlocks.length = 0
  })

  const newAdmin = async () => {
    const admin = await signUp(app)
    await makeAdministrator(database, admin)
    return admin
  }
  const at = ({ account }: Person) => `@u/${account.username}`
  const expectNoDeadlock = () => expect(deadlocks).toEqual([])

  it('posts about the authors of each other without a deadlock', async () => {
    const people = [await signUp(app), await signUp(app), await signUp(app)]
    for (let round = 0; round < ROUNDS; round++) {
      const posts = people.flatMap((who) => people.map((other) => newPost(who, `Hello ${at(other)} ${at(who)}`)))
      await Promise.all(posts)
    }
    expectNoDeadlock()
  }, 300_000)

  it('hides, shows, likes and deletes posts and their parents without a deadlock', async () => {
    const [ada, bert, admin] = [await signUp(app), await signUp(app), await newAdmin()]
    for (let round = 0; round < ROUNDS; round++) {
      const parent = await newPost(ada, `Parent ${round}`)
      const child = await newPost(bert, { body: `Child ${round} ${at(ada)}`, reply_to: parent.id })
      const grandchild = await newPost(ada, { body: `Grandchild ${round} ${at(bert)}`, reply_to: child.id })
      const ids = [grandchild.id, parent.id, child.id]
      const answers = await Promise.all([
        ...ids.map((id) => admin.put(`/admin/feed/${id}`, { hidden: true })),
        ...ids.map((id) => admin.put(`/admin/feed/${id}`, { hidden: false })),
        ...ids.map((id) => admin.post(`/feed/${id}/reactions`)),
        ...ids.map((id) => bert.post('/feed', { body: `Also ${at(ada)}`, reply_to: id })),
        ada.delete(`/feed/${grandchild.id}`),
        bert.delete(`/feed/${child.id}`),
        admin.delete(`/feed/${parent.id}`),
      ])
      for (const { statusCode, body } of answers) expect(statusCode, body).toBeLessThan(500)
    }
    expectNoDeadlock()
  }, 300_000)

  it('purges accounts and deletes profiles that answered each other, while others write to them, without a deadlock', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [ada, bert, cleo, admin] = [await signUp(app), await signUp(app), await signUp(app), await newAdmin()]
      await makeContactable(bert)
      await makeContactable(ada)
      const made = [await newPost(ada), await newPost(bert)]
      for (const who of [bert, ada, bert, ada]) {
        const target = made.at(-1)
        made.push(await newPost(who, { body: `${at(who === ada ? bert : ada)} ${at(cleo)}`, reply_to: target?.id }))
        await who.post(`/feed/${target?.id}/reactions`)
      }
      const ids = made.map(({ id }) => id)
      const erase = ({ account }: Person) =>
        storage.transaction((tx) => eraseAccount(tx as Stores, account.id)).then(() => ({ statusCode: 200, body: '' }))
      const answers = await Promise.all([
        erase(ada),
        bert.delete(`/profiles/u/${bert.account.username}`),
        ...ids.map((id) => admin.put(`/admin/feed/${id}`, { hidden: id % 2 === 0 })),
        ...ids.map((id) => cleo.post('/feed', { body: `${at(ada)} ${at(bert)}`, reply_to: id })),
        ...ids.map((id) => cleo.post(`/feed/${id}/reactions`)),
        ...ids.map((id) => bert.delete(`/feed/${id}`)),
        ...[ada, bert].map((to) => cleo.post(CONVERSATIONS, { to: addressOf(to), body: 'Hello' })),
        bert.post(CONVERSATIONS, { to: addressOf(ada), body: 'Hello' }),
        erase(bert),
      ])
      for (const { statusCode, body } of answers) expect(statusCode, body).toBeLessThan(500)
    }
    expectNoDeadlock()
  }, 600_000)
})
