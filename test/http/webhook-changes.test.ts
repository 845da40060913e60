import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { soon } from '../support/wait.ts'
import { openWebhooks, readWebhook, rename, subscribe, subscriptionTo } from '../support/webhooks.ts'

/** Longer than a webhook is used as it was read. */
const REREAD_MS = 1_100

const { app, database, receiver, setUp } = await openWebhooks()

/** A webhook with three events, of which the first is under way until `release` is called. */
async function deliverFirstOfThree() {
  const webhook = await setUp()
  const { profile, ada, hook, made } = webhook
  await ada.send('POST', `${made.path}/pause`)
  for (const name of ['One', 'Two', 'Three']) await rename(profile, name)
  await soon(async () => expect((await readWebhook(ada, made)).pending).toBe(3))
  const released = Promise.withResolvers<void>()
  hook.answerWith((_received, response) => released.promise.then(() => response.writeHead(204).end()))
  await ada.send('POST', `${made.path}/resume`)
  await soon(() => expect(hook.received).toHaveLength(1))
  return {
    ...webhook,
    async release() {
      await sleep(REREAD_MS)
      released.resolve()
    },
  }
}

it('signs the rest of a backlog with a secret that was rotated in the meantime', async () => {
  const { ada, hook, made, release } = await deliverFirstOfThree()
  const { delivery_secret: secret } = (await ada.send('POST', `${made.path}/rotate-secret`)).json()
  await release()
  await soon(() => expect(new Set(hook.envelopes().map(({ id }) => id)).size).toBe(3))
  const [first, ...others] = hook.received.map(({ text, headers }) => {
    try {
      return Boolean(new Webhook(secret).verify(text, headers as Record<string, string>))
    } catch {
      return false
    }
  })
  expect([first, new Set(others)]).toEqual([false, new Set([true])])
})

it('gives no new secret to a subscription that was cancelled', async () => {
  const { ada, made } = await setUp()
  expect((await ada.send('DELETE', made.path)).statusCode).toBeLessThan(300)
  const refused = await ada.send('POST', `${made.path}/rotate-secret`)
  expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'invalid_transition'])
})

it('applies a filter that was changed in the meantime to the rest of a backlog', async () => {
  const { profile, ada, hook, made, release } = await deliverFirstOfThree()
  const conditions = [{ path: 'data.changed_fields', op: 'exists', value: false }]
  const renewal = subscriptionTo(profile, hook, { filter: { match: 'all', conditions } })
  expect((await ada.send('POST', '/eep/subscribe', renewal)).statusCode).toBe(200)
  await release()
  await ada.send('POST', `${made.path}/test`)
  await soon(async () => expect((await readWebhook(ada, made)).pending).toBe(0))
  const delivered = new Map(hook.envelopes().map(({ id, type }) => [id, type]))
  expect([...delivered.values()]).toEqual(['entity.updated', 'subscription.test'])
})

it('stops delivering a backlog when its account is banned', async () => {
  const { profile, ada, hook, made, release } = await deliverFirstOfThree()
  await database.storage.transaction((tx) => tx.accounts.save(ada.account.id, { bannedAt: new Date() }))
  await release()
  await soon(async () => expect(await database.storage.read.webhooks.get(made.id)).toMatchObject({ pending: 2 }))
  // Other webhooks are served meanwhile.
  const [other, second] = [await signUp(app), await receiver()]
  await subscribe(other, profile, second)
  await rename(profile, 'Four')
  await soon(() => expect(second.received).toHaveLength(1))
  expect(new Set(hook.envelopes().map(({ id }) => id)).size).toBe(1)
  await database.storage.transaction((tx) => tx.accounts.save(ada.account.id, { bannedAt: null }))
  await soon(() => expect(new Set(hook.envelopes().map(({ id }) => id)).size).toBe(4))
})
