import { expect, it } from 'vitest'
import { client } from '../support/client.ts'
import { listen, openStream } from '../support/streams.ts'
import { soon } from '../support/wait.ts'
import { didOf, openWebhooks, rename, subscribe } from '../support/webhooks.ts'

const TYPE = 'com.example.entity.updated'
const { app, receiver, setUp } = await openWebhooks({ signals: { typePrefix: 'com.example' } })
const base = await listen(app)

it('prefixes every event type on all surfaces, and filters match with and without the prefix', async () => {
  const { profile, ada, hook } = await setUp({ event_types: ['entity.updated'] })
  const other = await receiver()
  await subscribe(ada, profile, other, { event_types: [TYPE] })
  const streams = await Promise.all(
    ['entity.*', TYPE].map((types) => openStream(base, `/stream/signals?types=${types}&source=${didOf(profile)}`)),
  )
  for (const stream of streams) await soon(() => expect(stream.frames).not.toEqual([]))
  await rename(profile, 'Named again')
  for (const stream of streams) {
    // An instance that is late also sends the creation of the profile.
    await soon(() => expect(stream.envelopes().at(-1)).toMatchObject({ type: TYPE }))
    expect(stream.envelopes().filter(({ type }) => !type.startsWith('com.example.'))).toEqual([])
    expect(stream.frames.at(-1)).toMatchObject({ event: TYPE })
    stream.close()
  }
  for (const { envelopes } of [hook, other]) await soon(() => expect(envelopes()).toMatchObject([{ type: TYPE }]))
  for (const types of ['entity.updated', TYPE, 'com.example.entity.*']) {
    const { events } = (await ada.get(`/eep/events?types=${types}&source=${didOf(profile)}`)).json()
    expect(events.filter(({ type }: { type: string }) => type === TYPE)).toHaveLength(1)
  }
  const types = (await client(app).get('/eep/events/types')).json().items.map(({ type }: { type: string }) => type)
  expect(types).toContain(TYPE)
  expect(types.filter((type: string) => !type.startsWith('com.example.'))).toEqual([])
})
