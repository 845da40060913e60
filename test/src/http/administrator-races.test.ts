import { describe, expect, it } from 'vitest'
import { PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { holdingStorage } from '../support/held-requests.ts'
import { openInstances } from '../support/instances.ts'

const { database, instance } = await openInstances()
const app = await instance()
const { storage, holdDuring } = holdingStorage(database.storage)
/** The instance that receives the requests of administrators. */
const held = await instance({ storage })

const appoint = async (person: Person, isAdmin = true) => {
  await database.storage.transaction((tx) => tx.accounts.save(person.account.id, { isAdmin }))
  return person
}

/** How the rights of an administrator end, and the status of a request that was identified before. */
const ENDS: readonly (readonly [string, number, (admin: Person) => Promise<unknown>])[] = [
  [
    'changed the password',
    401,
    (admin) => admin.put('/auth/change-password', { current_password: PASSWORD, new_password: `${PASSWORD} again 9` }),
  ],
  [
    'was banned',
    401,
    async ({ account }) => (await appoint(await signUp(app))).put(`/admin/users/${account.id}`, { banned: true }),
  ],
  [
    'is no longer an administrator',
    403,
    async ({ account }) => (await appoint(await signUp(app))).put(`/admin/users/${account.id}`, { is_admin: false }),
  ],
]

/** What administrators write. Each prepares the request, and how to see whether it was carried out. */
const WRITES: Readonly<
  Record<
    string,
    () => Promise<{ readonly send: (admin: Person) => Promise<Response>; readonly isDone: () => Promise<boolean> }>
  >
> = {
  'appoints no account': async () => {
    const { id } = (await signUp(app)).account
    return {
      send: (admin) => client(held).as(admin).put(`/admin/users/${id}`, { is_admin: true }),
      isDone: async () => (await database.storage.read.accounts.get(id))?.isAdmin === true,
    }
  },
  'disables no second factor': async () => {
    const { id } = (await signUp(app)).account
    await database.storage.transaction(async (tx) => {
      await tx.secondFactors.begin(id, 'a sealed key', new Date())
      await tx.secondFactors.confirm(id, 'a sealed key', 1, [])
    })
    return {
      send: (admin) => client(held).as(admin).delete(`/admin/users/${id}/second-factor`),
      isDone: async () => (await database.storage.read.secondFactors.get(id)) === undefined,
    }
  },
}

type Response = Awaited<ReturnType<Person['put']>>

describe.each(Object.entries(WRITES))('an administrator', (what, prepare) => {
  it.each(ENDS)(`${what} with a request from before the account %s`, async (_how, status, end) => {
    const [admin, { send, isDone }] = [await appoint(await signUp(app)), await prepare()]
    const answer = await holdDuring(
      () => send(admin),
      () => end(admin),
    )
    expect(answer.statusCode, answer.body).toBe(status)
    expect(await isDone()).toBe(false)
  })
})
