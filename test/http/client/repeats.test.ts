import { accessToken, createClient, type RetryBudget } from '@eep/client'
import { afterAll, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createWriter } from '../../support/content.ts'
import { listen } from '../../support/streams.ts'

const service = await createTestApp()
afterAll(() => service.close())
const baseUrl = await listen(service.app)
const ada = await createWriter(service.app, 'ada')

const busy = (status: number, headers: Record<string, string> = { 'retry-after': '0' }) =>
  Response.json({ error: { code: 'busy', message: 'Try again later' } }, { status, headers })

/** A client whose first answers are these; undefined loses the answer of the service. */
function clientWith(answers: (Response | undefined)[], retry?: RetryBudget | false) {
  const sent: Request[] = []
  const client = createClient({
    baseUrl,
    auth: accessToken((ada.headers.authorization ?? '').replace('Bearer ', '')),
    retry,
    fetch: async (request) => {
      sent.push(request.clone())
      const isScripted = answers.length > 0
      const answer = answers.shift()
      if (answer) return answer
      const response = await fetch(request)
      if (!isScripted) return response
      await response.arrayBuffer()
      throw new TypeError('fetch failed')
    },
  })
  return { client, sent }
}
const page = (title: string) => ({ profile_id: ada.profileId, title, body: '' })
const titles = async () => {
  const all: string[] = []
  for await (const { title } of clientWith([]).client.pages.list({ profile_id: ada.profileId })) all.push(title)
  return all
}

it.each([429, 503])('repeats a read after %s', async (status) => {
  const { client, sent } = clientWith([busy(status), busy(status)])
  expect(await client.profiles.get('u/ada')).toMatchObject({ username: 'ada' })
  expect(sent).toHaveLength(3)
})

it('sends one Idempotency-Key with all attempts of a POST, and another one with the next call', async () => {
  const { client, sent } = clientWith([busy(503)])
  await client.POST('/manage/pages', { body: page('Once') })
  await client.POST('/manage/pages', { body: page('Twice') })
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
  expect(keys).toEqual([expect.any(String), keys[0], expect.any(String)])
  expect(keys[2]).not.toBe(keys[0])
})

it('creates a page once when the answer to its request is lost', async () => {
  const { client, sent } = clientWith([undefined])
  const { data, response } = await client.POST('/manage/pages', { body: page('Lost answer') })
  expect([data?.title, response.headers.get('idempotent-replayed'), sent.length]).toEqual(['Lost answer', 'true', 2])
  expect((await titles()).filter((title) => title === 'Lost answer')).toHaveLength(1)
})

it('waits for the first attempt of a POST that is still in progress', async () => {
  const { client, sent } = clientWith([busy(409)])
  await client.POST('/manage/pages', { body: page('In progress') })
  expect(sent).toHaveLength(2)
})

it('does not repeat a POST without an account after its answer was lost, because the service has no key of it', async () => {
  let count = 0
  const client = createClient({
    baseUrl,
    fetch: async () => {
      count += 1
      throw new TypeError('fetch failed')
    },
  })
  const body = { email: 'bob@example.com', password: 'Correct horse 7 battery', username: 'bob' }
  await expect(client.POST('/auth/register', { body })).rejects.toThrow('fetch failed')
  expect(count).toBe(1)
})

it('throws the last error when the attempts are used up', async () => {
  const { client, sent } = clientWith([busy(503), busy(503), busy(503)], { attempts: 2 })
  await expect(client.profiles.get('u/ada')).rejects.toMatchObject({ status: 503, code: 'busy', retryAfterMs: 0 })
  expect(sent).toHaveLength(2)
})

it('does not wait longer than its budget', async () => {
  const { client, sent } = clientWith([busy(429, { 'retry-after': '3600' })], { totalMs: 1_000 })
  await expect(client.profiles.get('u/ada')).rejects.toMatchObject({ status: 429, retryAfterMs: 3_600_000 })
  expect(sent).toHaveLength(1)
})

it('never repeats without a budget, and no other status', async () => {
  const never = clientWith([busy(503)], false)
  await expect(never.client.profiles.get('u/ada')).rejects.toMatchObject({ status: 503 })
  const broken = clientWith([busy(500)])
  await expect(broken.client.profiles.get('u/ada')).rejects.toMatchObject({ status: 500 })
  expect([never.sent.length, broken.sent.length]).toEqual([1, 1])
})

it('stops waiting when its signal aborts', async () => {
  const abort = new AbortController()
  const { client } = clientWith([busy(503, { 'retry-after': '20' })])
  const read = client.content.read('u/ada', { signal: abort.signal })
  setTimeout(() => abort.abort(new Error('enough')), 50)
  await expect(read).rejects.toThrow('enough')
})
