import { expect, it } from 'vitest'
import { soon } from '../support/wait.ts'
import { openWebhooks, readWebhook, rename } from '../support/webhooks.ts'

const { setUp } = await openWebhooks({ webhooks: { timeoutMs: 1_000 } })

it('gives up an event after its last attempt when a receiver never answers', async () => {
  const { profile, ada, hook, made } = await setUp()
  hook.answerWith(() => {})
  await rename(profile, 'Away')
  await soon(async () => expect((await readWebhook(ada, made)).failure_count).toBe(1))
  const { attempts } = (await ada.get(`${made.path}/delivery-log`)).json()
  expect(attempts).toHaveLength(4)
  expect(new Set(attempts.map((each: { error: string }) => each.error))).toEqual(new Set(['timeout']))
})
