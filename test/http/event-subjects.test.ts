import { expect, it } from 'vitest'
import { openContent } from '../support/content.ts'
import { soon } from '../support/wait.ts'

const { ada } = await openContent()

it('cuts the subject of an event after 256 characters, and has the whole path in its data', async () => {
  let parent: number | null = null
  for (const name of ['a', 'b', 'c', 'd']) {
    parent = (await ada.newCategory({ name, slug: name.repeat(80), parent_id: parent })).id
  }
  const { path } = await ada.newPage({ slug: 'deep', category_id: parent, body: 'Kept.' })
  // An event can be read once every transaction that began before it has ended, also one of another database of the server.
  const { subject, data } = await soon(async () => {
    const { events } = await ada.getJson('/eep/events?limit=1000&types=content.published')
    const found = events.find((event: { data: { path?: string } }) => event.data.path?.endsWith('/deep'))
    expect(found).toBeDefined()
    return found
  })
  expect(path.length).toBeGreaterThan(256)
  expect(subject).toBe(data.path.slice(0, 256))
  expect(data.path.endsWith('/deep')).toBe(true)
})
