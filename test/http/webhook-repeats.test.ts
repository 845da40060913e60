import { describe, expect, it } from 'vitest'
import { soon } from '../support/wait.ts'
import { openWebhooks, readWebhook, rename } from '../support/webhooks.ts'

const { setUp } = await openWebhooks()

describe('a webhook', () => {
  it('delivers test events, and redelivers events under the same ids', async () => {
    const { profile, ada, hook, made } = await setUp()
    const tested = await ada.post(`${made.path}/test`)
    expect([tested.statusCode, tested.json()]).toEqual([
      202,
      { status: 'accepted', subscription_id: made.id, event_id: expect.any(String) },
    ])
    await soon(() => expect(hook.envelopes()).toHaveLength(1))
    expect(hook.envelopes()[0]).toMatchObject({ type: 'subscription.test', id: tested.json().event_id })
    await rename(profile, 'Once')
    await soon(() => expect(hook.envelopes()).toHaveLength(2))
    const { id, eep_delivery_id } = hook.envelopes()[1]
    await soon(async () => expect((await readWebhook(ada, made)).pending).toBe(0))
    const again = await ada.post(`${made.path}/redeliver`, { event_ids: [id, 'unknown', id] })
    expect([again.statusCode, again.json()]).toEqual([
      202,
      { status: 'accepted', subscription_id: made.id, redelivered: [id], unavailable: ['unknown'] },
    ])
    await soon(() => expect(hook.envelopes()).toHaveLength(3))
    expect(hook.envelopes()[2]).toMatchObject({ id, eep_delivery_id, eep_delivery_attempt: 1 })
    await soon(async () => expect((await readWebhook(ada, made)).pending).toBe(0))
    const replayed = await ada.post(`${made.path}/replay`, { since: '2020-01-01T00:00:00Z' })
    expect([replayed.statusCode, replayed.json().queued]).toEqual([202, 1])
    await soon(() => expect(hook.envelopes()).toHaveLength(4))
    expect(hook.envelopes()[3]).toMatchObject({ id, eep_delivery_id })
  })
})
