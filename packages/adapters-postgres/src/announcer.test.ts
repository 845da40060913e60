import { expect, it } from 'vitest'
import { createAnnouncer } from './announcer.ts'

it('sends the first announcement immediately, and one for all that follow while it is sent', async () => {
  const sent: PromiseWithResolvers<void>[] = []
  const announcer = createAnnouncer(() => {
    const one = Promise.withResolvers<void>()
    sent.push(one)
    return one.promise
  })
  announcer.announce()
  expect(sent).toHaveLength(1)
  for (let each = 0; each < 50; each++) announcer.announce()
  expect(sent).toHaveLength(1)
  sent[0]?.reject(new Error('the connection is gone'))
  const closed = announcer.close()
  await expect.poll(() => sent.length, { timeout: 60_000 }).toBe(2)
  sent[1]?.resolve()
  await closed
  expect(sent).toHaveLength(2)
})
