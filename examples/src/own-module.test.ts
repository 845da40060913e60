import { kyselyOf } from '@eep/adapters-postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStorage, type TestStorage } from '../../test/support/app.ts'
import { createContactTable, createHost, messageSent } from './own-module.ts'

let storage: TestStorage['storage']
let close: TestStorage['close']
const added = new Map<string, string>()
let crmIsDown = false
let isClosed = false
let app: Awaited<ReturnType<typeof createHost>>

beforeAll(async () => {
  ;({ storage, close } = await openStorage())
  await createContactTable(storage)
  const crm = {
    async ping() {
      if (crmIsDown) throw new Error('no answer')
    },
    async add({ id, text }: { readonly id: string; readonly text: string }) {
      if (crmIsDown) throw new Error('no answer')
      added.set(id, text)
    },
    async forget() {},
    async close() {
      isClosed = true
    },
  }
  app = await createHost(crm, { storage, secret: 'x'.repeat(32) })
})
afterAll(() => close())

async function signUp(username: string) {
  const response = await app.inject({
    method: 'POST',
    url: '/auth/register',
    payload: { email: `${username}@example.com`, password: 'Correct horse 7 battery', username },
  })
  return { authorization: `Bearer ${response.json().token}` }
}

const send = (to: string, headers: { readonly authorization: string }) =>
  app.inject({ method: 'POST', url: `/contact/${to}`, headers, payload: { text: 'Hello' } })

it('serves the routes of a module of the host and forwards its events', async () => {
  const ada = await signUp('ada')
  await signUp('grace')
  expect((await send('grace', ada)).json()).toEqual({ sent: true })
  await expect.poll(() => [...added.values()]).toEqual(['Hello'])
  const toSelf = await send('ada', ada)
  expect([toSelf.statusCode, toSelf.json().error.code]).toEqual([409, 'contact_own_profile'])
  expect((await send('unknown', ada)).statusCode).toBe(404)
})

it('stores the row of the module in the transaction of its event', async () => {
  const messages = () =>
    storage.transaction((tx) =>
      kyselyOf<{ contact_messages: { text: string } }>(tx).selectFrom('contact_messages').select('text').execute(),
    )
  expect(await messages()).toEqual([{ text: 'Hello' }])
  const failing = storage.transaction(async (tx) => {
    await kyselyOf<{ contact_messages: { text: string } }>(tx).deleteFrom('contact_messages').execute()
    throw new Error('on purpose')
  })
  await expect(failing).rejects.toThrow('on purpose')
  expect(await messages()).toEqual([{ text: 'Hello' }])
})

it('notifies the recipient, by the notification that the module declares', async () => {
  const credentials = { email: 'grace@example.com', password: 'Correct horse 7 battery' }
  const { token, user } = (await app.inject({ method: 'POST', url: '/auth/login', payload: credentials })).json()
  const list = () =>
    app.inject({
      url: `/notifications?profile_id=${user.active_profile_id}`,
      headers: { authorization: `Bearer ${token}` },
    })
  await expect
    .poll(async () => (await list()).json().data, { timeout: 60_000 })
    .toMatchObject([{ kind: 'contact', title: 'A visitor sent a message to grace', count: 1 }])
  const german = { authorization: `Bearer ${token}`, 'accept-language': 'de' }
  const { data } = (
    await app.inject({ url: `/notifications?profile_id=${user.active_profile_id}`, headers: german })
  ).json()
  expect(data).toMatchObject([{ title: 'Jemand hat grace eine Nachricht gesendet' }])
})

it('publishes the service of the module on app.eep, and its events to listeners of the host', async () => {
  const heard: string[] = []
  app.eep.on(messageSent, ({ data }) => void heard.push(`by definition: ${data.text}`))
  app.eep.on('contact.message_sent', ({ data }) => void heard.push(`by name: ${data.text}`))
  await app.eep.contact.send('the host', 'grace', 'Welcome')
  await expect.poll(() => heard.toSorted()).toEqual(['by definition: Welcome', 'by name: Welcome'])
})

it('forwards what was sent while the CRM was away', async () => {
  crmIsDown = true
  await app.eep.contact.send('the host', 'grace', 'Are you there?')
  await app.eep.contact.send('the host', 'grace', 'Hello again')
  crmIsDown = false
  await expect
    .poll(() => [...added.values()], { timeout: 60_000 })
    .toEqual(['Hello', 'Welcome', 'Are you there?', 'Hello again'])
})

it('leaves out the modules that the host switched off', async () => {
  expect(app.eep.modules).toContain('contact')
  expect(app.eep.modules).not.toContain('teams')
  expect(() => app.eep.teams).toThrow('The module "teams" is switched off')
})

it('degrades readiness while a dependency of the module fails, and closes it with the server', async () => {
  crmIsDown = true
  await expect
    .poll(async () => (await app.inject('/health/ready')).json())
    .toMatchObject({ degraded: { crm: 'unavailable' } })
  await app.close()
  expect(isClosed).toBe(true)
})
