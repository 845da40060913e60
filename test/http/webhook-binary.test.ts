import { expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { newOrganization } from '../support/teams.ts'
import { soon } from '../support/wait.ts'
import { openWebhooks, rename, subscribe } from '../support/webhooks.ts'

const { app, receiver } = await openWebhooks({ publicUrl: 'https://eep.example:8443' })

it('encodes attributes as headers so that one decoding returns those of the structured form', async () => {
  const [profile, ada] = [await newOrganization(app), await signUp(app)]
  const [plain, encoded] = [await receiver(), await receiver()]
  const source_did = `did:web:eep.example%3A8443:o:${profile.username}`
  await subscribe(ada, profile, plain, { source_did })
  await subscribe(ada, profile, encoded, { source_did, delivery_format: 'cloudevents/v1.0-binary' })
  await rename(profile, 'Ünï “quoted” 100 %')
  for (const each of [plain, encoded]) await soon(() => expect(each.received).toHaveLength(1))
  const { data, datacontenttype, ...attributes } = plain.envelopes()[0]
  const headers = Object.entries(encoded.received[0]?.headers ?? {}).filter(([name]) => name.startsWith('ce-'))
  expect(Object.fromEntries(headers)).toMatchObject({
    'ce-source': `did:web:eep.example%253A8443:o:${profile.username}`,
  })
  const decoded = Object.fromEntries(headers.map(([name, value]) => [name.slice(3), decodeURIComponent(String(value))]))
  const own = ['eep_subscription_id', 'eep_delivery_id', 'eep_delivery_timestamp']
  const expected = Object.entries(attributes).map(([name, value]) => [
    name.replaceAll('_', ''),
    own.includes(name) ? expect.any(String) : String(value),
  ])
  expect(decoded).toEqual(Object.fromEntries(expected))
  expect(encoded.received[0]?.headers['content-type']).toBe(datacontenttype)
  expect(encoded.envelopes()[0]).toEqual(data)
})
