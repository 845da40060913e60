import { setTimeout } from 'node:timers/promises'
import { newIdentity } from '@eep/core/testing'
import { expect, it } from 'vitest'
import { codeOf, login, type Person, signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { onPglite } from '../support/database.ts'
import { createMailbox } from '../support/mailbox.ts'
import { openOAuth } from '../support/oauth.ts'

const { app, database, instance, providers } = await openOAuth()

/** Links users of providers to an account, as sign-ins at them do. */
const link = (person: Person, ...names: string[]) =>
  database.storage.transaction(async (tx) => {
    for (const [index, provider] of names.entries()) {
      const createdAt = new Date(Date.UTC(2026, 0, 1 + index))
      await tx.identities.insert(newIdentity(person.account.id, { provider, createdAt }))
    }
  })

const withoutPassword = ({ account }: Person) =>
  database.storage.transaction((tx) => tx.accounts.save(account.id, { passwordHash: null }))

/** What these tests read of a linked provider. */
interface Linked {
  readonly id: string
  readonly provider: string
  readonly removable: boolean
}
const linkedTo = async ({ get }: Person): Promise<readonly Linked[]> => (await get('/auth/identities')).json().data

it('lists the linked providers, and leaves out the user of a host', async () => {
  const person = await signUp(app)
  await link(person, 'github', 'host', 'retired')
  const response = await person.get('/auth/identities')
  expect(response.headers['cache-control']).toBe('no-store')
  expect(response.json().data).toMatchObject([
    { provider: 'github', label: 'GitHub', offered: true, removable: true },
    { provider: 'retired', label: 'retired', offered: false, removable: true },
  ])
  expect(response.body).not.toContain('subject')
})

it('unlinks a provider, reports it and ends the other sessions', async () => {
  const mailbox = createMailbox()
  const mailing = await instance({ email: { mailer: mailbox.mailer }, oauth: { providers: providers() } })
  const person = await signUp(mailing)
  await link(person, 'github', 'google')
  const other = (await login(mailing, person.account.email)).json().token
  const [github] = await linkedTo(person)
  expect((await person.delete(`/auth/identities/${github?.id}`)).statusCode).toBe(200)
  expect(await linkedTo(person)).toMatchObject([{ provider: 'google' }])
  const { text } = await mailbox.take(person.account.email, 'providerUnlinked')
  expect(text).toContain('GitHub can no longer be used to sign in')
  expect((await client(mailing).get('/auth/me', { authorization: `Bearer ${other}` })).statusCode).toBe(401)
  const again = await person.delete(`/auth/identities/${github?.id}`)
  expect([again.statusCode, codeOf(again)]).toEqual([404, 'identity_not_found'])
})

it('asks a session that began more than ten minutes ago to sign in again', async () => {
  let now = new Date()
  const later = await instance({ clock: () => now, oauth: { providers: providers() } })
  const person = await signUp(later)
  await link(person, 'github', 'google')
  const [github] = await linkedTo(person)
  now = new Date(now.getTime() + 601_000)
  const refused = await person.delete(`/auth/identities/${github?.id}`)
  expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'recent_sign_in_required'])
  expect(await linkedTo(person)).toHaveLength(2)
  const { token } = (await login(later, person.account.email)).json()
  const again = await client(later).send('DELETE', `/auth/identities/${github?.id}`, undefined, {
    authorization: `Bearer ${token}`,
  })
  expect(again.statusCode, again.body).toBe(200)
})

it('does not unlink a provider of another account', async () => {
  const [person, other] = [await signUp(app), await signUp(app)]
  await link(person, 'github')
  const [github] = await linkedTo(person)
  expect((await other.delete(`/auth/identities/${github?.id}`)).statusCode).toBe(404)
})

it('keeps the last way to sign in, and counts no provider that is not offered', async () => {
  const person = await signUp(app)
  await withoutPassword(person)
  await link(person, 'github', 'retired')
  const [github, retired] = await linkedTo(person)
  expect([github?.removable, retired?.removable]).toEqual([false, true])
  const refused = await person.delete(`/auth/identities/${github?.id}`)
  expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'last_way_to_sign_in'])
  expect((await person.delete(`/auth/identities/${retired?.id}`)).statusCode).toBe(200)
})

it.skipIf(onPglite())('leaves one of two providers that are unlinked concurrently', async () => {
  const person = await signUp(app)
  await withoutPassword(person)
  await link(person, 'github', 'google')
  const linked = await linkedTo(person)
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // Holds the rows, so that both requests have checked what is left before one of them deletes.
  const holding = database.storage
    .transaction(async (tx) => {
      await tx.identities.deleteOfAccount(person.account.id)
      locked.resolve()
      await released.promise
      throw new Error('rolled back')
    })
    .catch(() => undefined)
  await locked.promise
  const answers = linked.map(({ id }) => person.delete(`/auth/identities/${id}`))
  await setTimeout(500)
  released.resolve()
  await holding
  expect((await Promise.all(answers)).map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  expect(await linkedTo(person)).toHaveLength(1)
})
