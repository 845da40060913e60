import { afterAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { createTestApp, openStorage } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createMovingName } from '../support/moving-name.ts'
import { newOrganization } from '../support/teams.ts'
import { soon } from '../support/wait.ts'
import { createReceivers, subscribe } from '../support/webhooks.ts'

const receiver = createReceivers()
const elsewhere = await openStorage()
afterAll(() => elsewhere.close())

describe('a receiver at an address that is no longer allowed', () => {
  it('gets no more deliveries, and the log gives the reason', async () => {
    const lenient = await createTestApp({ http: { allowPrivateHosts: ['127.0.0.1'] }, storage: elsewhere.storage })
    const [profile, ada, hook] = [await newOrganization(lenient.app), await signUp(lenient.app), await receiver()]
    const made = await subscribe(ada, profile, hook)
    await ada.post(`${made.path}/pause`)
    await ada.post(`${made.path}/resume`)
    await lenient.close()
    const strict = await createTestApp({ webhooks: { retrySeconds: [0] }, storage: elsewhere.storage })
    const send = (method: 'GET' | 'POST', url: string) => client(strict.app).as(ada).send(method, url)
    await send('POST', `${made.path}/test`)
    await soon(async () => {
      const { attempts } = (await send('GET', `${made.path}/delivery-log`)).json()
      expect(attempts.map((each: { error: string }) => each.error)).toEqual(['address_refused', 'address_refused'])
    })
    expect(hook.received).toEqual([])
    await strict.close()
  })
})

describe('a host name that resolves to the internal network after its webhook was created', () => {
  it('gets no deliveries, and the log gives the reason', async () => {
    const hook = await receiver()
    // Its connection would be used again, and leads to the address that was checked.
    hook.confirmWith((query, response) => response.setHeader('connection', 'close').end(query.get('hub.challenge')))
    const name = createMovingName('moving.example', Number(hook.host.split(':')[1]))
    try {
      name.resolveTo(['93.184.216.34'])
      const strict = await createTestApp({ webhooks: { retrySeconds: [0] }, storage: elsewhere.storage })
      const [profile, ada] = [await newOrganization(strict.app), await signUp(strict.app)]
      const made = await subscribe(ada, profile, hook, { delivery_url: 'https://moving.example/hook' })
      expect([made.status, hook.checks.length, name.reached]).toEqual(['active', 1, ['93.184.216.34']])
      name.resolveTo(['127.0.0.1'])
      await ada.post(`${made.path}/test`)
      await soon(async () => {
        const { attempts } = (await ada.get(`${made.path}/delivery-log`)).json()
        expect(attempts.map((each: { error: string }) => each.error)).toEqual(['address_refused', 'address_refused'])
      })
      expect([hook.received, name.reached]).toEqual([[], ['93.184.216.34']])
      name.resolveTo(['93.184.216.34'])
      await ada.post(`${made.path}/test`)
      await soon(() => expect(hook.received).toHaveLength(1))
      await strict.close()
    } finally {
      name.restore()
    }
  })
})
