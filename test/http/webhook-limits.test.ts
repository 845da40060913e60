import { expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { soon } from '../support/wait.ts'
import { openWebhooks, readWebhook, rename, subscriptionTo } from '../support/webhooks.ts'

const { setUp } = await openWebhooks({ webhooks: { maxBacklog: 1, createdPerDay: 3, retrySeconds: [3_600] } })

it('refuses a test while the queue is full, and leaves the subscription active', async () => {
  const { profile, ada, hook, made } = await setUp()
  hook.answerWith((_received, response) => response.writeHead(503).end())
  await rename(profile, 'Waits')
  await soon(async () => expect(await readWebhook(ada, made)).toMatchObject({ pending: 1, deliveries: { failed: 1 } }))
  const refused = await ada.post(`${made.path}/test`)
  expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'webhook_backlog_full'])
  expect(await readWebhook(ada, made)).toMatchObject({
    status: 'active',
    pause_reason: null,
    missed_since: null,
    pending: 1,
  })
})

it('redelivers nothing while the queue is full', async () => {
  const { profile, ada, hook, made } = await setUp()
  await rename(profile, 'First')
  await soon(async () =>
    expect(await readWebhook(ada, made)).toMatchObject({ pending: 0, deliveries: { delivered: 1 } }),
  )
  const eventId = hook.envelopes()[0]?.id
  hook.answerWith((_received, response) => response.writeHead(503).end())
  await rename(profile, 'Waits')
  await soon(async () => expect(await readWebhook(ada, made)).toMatchObject({ pending: 1, deliveries: { failed: 1 } }))
  for (const [action, body] of [
    ['redeliver', { event_ids: [eventId] }],
    ['replay', { since: '2020-01-01T00:00:00Z' }],
  ] as const) {
    const refused = await ada.post(`${made.path}/${action}`, body)
    expect([refused.statusCode, codeOf(refused)], action).toEqual([409, 'webhook_backlog_full'])
  }
  expect(await readWebhook(ada, made)).toMatchObject({ status: 'active', pending: 1 })
})

it.each([
  ['replay', { since: '2020-01-01T00:00:00Z' }],
  ['redeliver', { event_ids: ['102lu1b'] }],
])('counts each %s a day', async (action, body) => {
  const { ada, made } = await setUp()
  const repeat = () => ada.post(`${made.path}/${action}`, body)
  for (let count = 1; count <= 3; count += 1) expect((await repeat()).statusCode).toBe(202)
  const refused = await repeat()
  expect([refused.statusCode, codeOf(refused)]).toEqual([429, 'too_many_webhook_requests'])
})

it('counts renewals per day, and does not call the receiver above the limit', async () => {
  const { profile, ada, hook } = await setUp()
  const renew = () => ada.post('/eep/subscribe', subscriptionTo(profile, hook))
  for (let count = 1; count <= 3; count += 1) expect((await renew()).statusCode).toBe(200)
  const refused = await renew()
  expect([refused.statusCode, codeOf(refused)]).toEqual([429, 'too_many_webhook_requests'])
  expect(hook.checks).toHaveLength(4)
})
