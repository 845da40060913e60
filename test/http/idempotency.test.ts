import type { Storage, Stores } from '@eep/core/ports'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, newName, PASSWORD, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { createTestApp, openStorage, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { newOrganization } from '../support/teams.ts'

const DAY_MS = 86_400_000
const time = createClock()
let beforePublish: () => Promise<void> | void = () => undefined

let database: Awaited<ReturnType<typeof openStorage>>
let app: TestApp
let close: () => Promise<void>
let ada: Writer

beforeAll(async () => {
  database = await openStorage()
  const made = await createTestApp({
    storage: database.storage,
    clock: time.clock,
    http: { trustedOrigins: ['https://app.example'] },
    hooks: { beforePublish: () => beforePublish() },
  })
  app = made.app
  close = made.close
  ada = await createWriter(app)
})
afterEach(() => {
  beforePublish = () => undefined
})
afterAll(async () => {
  await close()
  await database.close()
})

let count = 0
const newIdempotencyKey = () => `key-${++count}`

const page = (fields: object = {}, { profileId }: Writer = ada) => ({
  profile_id: profileId,
  title: `On engines ${++count}`,
  body: 'Text',
  status: 'published',
  ...fields,
})
const postPage = (key: string, body: object, { headers }: Pick<Writer, 'headers'> = ada, server = app) =>
  client(server).post('/manage/pages', body, { ...headers, 'idempotency-key': key })

/** How many pages of a title there are. */
const pagesOf = async ({ title }: { title: string }, { profileId, getJson }: Writer = ada): Promise<number> => {
  const { data } = await getJson(`/manage/pages?profile_id=${profileId}&limit=100`)
  return data.filter((each: { title: string }) => each.title === title).length
}

describe('a POST with an Idempotency-Key', () => {
  it('processes a request once, and replays its response', async () => {
    const [key, body] = [newIdempotencyKey(), page()]
    const [first, second] = [await postPage(key, body), await postPage(key, body)]
    expect(first.statusCode).toBe(201)
    expect(first.headers).not.toHaveProperty('idempotent-replayed')
    expect(second.statusCode).toBe(201)
    expect(second.body).toBe(first.body)
    expect(second.headers['idempotent-replayed']).toBe('true')
    for (const name of ['content-type', 'cache-control', 'etag', 'location']) {
      expect(second.headers[name], name).toBe(first.headers[name])
    }
    expect(Number(second.headers['x-ratelimit-remaining'])).toBeLessThan(Number(first.headers['x-ratelimit-remaining']))
    expect(await pagesOf(body)).toBe(1)
  })

  it('rejects a key of a different request', async () => {
    const [key, body] = [newIdempotencyKey(), page()]
    await postPage(key, body)
    for (const other of [page(), { ...body, body: 'Another text' }]) {
      const refused = await postPage(key, other)
      expect(refused.statusCode).toBe(422)
      expect(codeOf(refused)).toBe('idempotency_mismatch')
    }
    expect(await pagesOf(body)).toBe(1)
    // The bytes count, not what they mean.
    const spaced = await client(app).post('/manage/pages', ` ${JSON.stringify(body)}`, {
      ...ada.headers,
      'idempotency-key': key,
      'content-type': 'application/json',
    })
    expect(codeOf(spaced)).toBe('idempotency_mismatch')
  })

  it('rejects a key that was used for another resource of the same route', async () => {
    const owner = await signUp(app)
    const [one, two] = [await newOrganization(app, owner), await newOrganization(app, owner)]
    const invite = (team: string) =>
      client(app).post(
        `${team}/invites`,
        { email: 'guest@example.com', role: 'viewer' },
        { ...owner.headers, 'idempotency-key': 'k' },
      )
    expect((await invite(one.team)).statusCode).toBe(201)
    expect(codeOf(await invite(two.team))).toBe('idempotency_mismatch')
  })

  it('runs once for twenty concurrent requests', async () => {
    const [key, body] = [newIdempotencyKey(), page()]
    const answers = await Promise.all(Array.from({ length: 20 }, () => postPage(key, body)))
    const made = answers.filter(({ statusCode }) => statusCode === 201)
    expect(made.filter(({ headers }) => !('idempotent-replayed' in headers))).toHaveLength(1)
    expect(new Set(made.map((answer) => answer.body)).size).toBe(1)
    for (const refused of answers.filter(({ statusCode }) => statusCode !== 201)) {
      expect(refused.statusCode).toBe(409)
      expect(codeOf(refused)).toBe('idempotency_in_flight')
    }
    expect(await pagesOf(body)).toBe(1)
    expect((await postPage(key, body)).body).toBe(made[0]?.body)
  })

  it('sends Retry-After while the first request is running, on every instance', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    beforePublish = () => {
      reached.resolve()
      return promise
    }
    const other = await createTestApp({ storage: database.another() })
    const [key, body] = [newIdempotencyKey(), page()]
    const first = postPage(key, body)
    await reached.promise
    for (const server of [app, other.app]) {
      const early = await postPage(key, body, ada, server)
      expect(early.statusCode).toBe(409)
      expect(codeOf(early)).toBe('idempotency_in_flight')
      expect(Number(early.headers['retry-after'])).toBeGreaterThan(0)
      expect(codeOf(await postPage(key, page(), ada, server))).toBe('idempotency_mismatch')
    }
    resolve()
    const { body: answer } = await first
    expect((await postPage(key, body, ada, other.app)).body).toBe(answer)
    await other.close()
  })

  it('frees the key when the request is rejected or fails', async () => {
    const key = newIdempotencyKey()
    expect((await postPage(key, page({ title: '' }))).statusCode).toBe(400)
    expect((await postPage(key, page({ profile_id: 999_999 }))).statusCode).toBe(404)
    beforePublish = () => Promise.reject(new Error('on purpose'))
    expect((await postPage(key, page())).statusCode).toBe(500)
    beforePublish = () => undefined
    const body = page()
    expect((await postPage(key, body)).statusCode).toBe(201)
    expect((await postPage(key, body)).headers['idempotent-replayed']).toBe('true')
  })

  it('separates keys by account and route', async () => {
    const key = newIdempotencyKey()
    const bert = await createWriter(app)
    const [own, foreign] = [page(), page({}, bert)]
    expect((await postPage(key, own)).statusCode).toBe(201)
    const made = await postPage(key, foreign, bert)
    expect(made.statusCode).toBe(201)
    expect(made.headers).not.toHaveProperty('idempotent-replayed')
    const category = await client(app).post(
      '/manage/categories',
      { profile_id: ada.profileId, name: 'Notes' },
      { ...ada.headers, 'idempotency-key': key },
    )
    expect(category.statusCode).toBe(201)
    expect(await pagesOf(own)).toBe(1)
  })

  it('recognizes a key below a prefix and in another session of the account', async () => {
    const { headers, account } = await signUp(app)
    const writer = { ...ada, headers, profileId: account.active_profile_id }
    const [key, body] = [newIdempotencyKey(), page({}, writer)]
    const behind = await createTestApp({ storage: database.another(), prefix: '/api' })
    const first = await postPage(key, body, writer)
    const { token } = (await client(app).post('/auth/login', { email: account.email, password: PASSWORD })).json()
    const second = await client(behind.app).post('/api/manage/pages', body, {
      authorization: `Bearer ${token}`,
      'idempotency-key': key,
    })
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.body).toBe(first.body)
    await behind.close()
  })

  it('deletes a key after 24 hours', async () => {
    const [key, body] = [newIdempotencyKey(), page()]
    const now = Date.now()
    const first = await time.at(now - DAY_MS - 60_000, () => postPage(key, body, { headers: ada.headers }))
    expect(first.statusCode).toBe(201)
    const second = await postPage(key, body)
    expect(second.headers).not.toHaveProperty('idempotent-replayed')
    const [third, fresh] = [newIdempotencyKey(), page()]
    await time.at(now - DAY_MS + 60_000, () => postPage(third, fresh))
    expect((await postPage(third, fresh)).headers['idempotent-replayed']).toBe('true')
  })

  it.each(['', 'two words', 'x'.repeat(256), 'tab\there', 'ümlaut'])('rejects the key "%s"', async (key) => {
    const refused = await postPage(key, page())
    expect(refused.statusCode).toBe(400)
    expect(refused.json().error).toMatchObject({
      code: 'validation_failed',
      details: { in: 'headers', issues: [{ path: '/idempotency-key' }] },
    })
  })

  it('accepts 255 characters, including every visible one', async () => {
    const key = `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~${'x'.repeat(255)}`.slice(0, 255)
    const body = page()
    expect((await postPage(key, body)).statusCode).toBe(201)
    expect((await postPage(key, body)).headers['idempotent-replayed']).toBe('true')
  })

  it('accepts a request without a body', async () => {
    const { id } = await newKey(app, ada.headers)
    const headers = { ...ada.headers, 'idempotency-key': newIdempotencyKey() }
    const regenerate = () => client(app).with(headers).post(`/api-keys/${id}/regenerate`)
    const [first, second] = [await regenerate(), await regenerate()]
    expect(first.statusCode).toBe(200)
    expect(second.body).toBe(first.body)
    expect(second.headers['idempotent-replayed']).toBe('true')
  })

  it('reports that a response was too long to be stored, and what the request created', async () => {
    const [key, body] = [newIdempotencyKey(), page({ body: 'long '.repeat(20_000) })]
    const made = await postPage(key, body)
    expect(made.statusCode).toBe(201)
    const again = await postPage(key, body)
    expect(again.statusCode).toBe(409)
    expect(again.json().error).toMatchObject({
      code: 'idempotency_answer_gone',
      details: { status: 201, id: made.json().id },
    })
    expect(await pagesOf(body)).toBe(1)
  })

  it('removes the bodies of the oldest responses above the bytes of an account, and processes no request again', async () => {
    const server = await createTestApp({ storage: database.another(), http: { idempotencyMaxBytes: 6_000 } })
    const writer = await createWriter(server.app)
    const requests = Array.from({ length: 4 }, () => ({
      key: newIdempotencyKey(),
      body: page({ body: 'text '.repeat(400) }, writer),
    }))
    const made = []
    for (const { key, body } of requests) made.push(await postPage(key, body, writer, server.app))
    const again = []
    for (const { key, body } of requests) again.push(await postPage(key, body, writer, server.app))
    expect(again.map(({ statusCode }) => statusCode)).toEqual([409, 409, 409, 201])
    for (const [which, answer] of again.slice(0, 3).entries()) {
      const { json } = made[which] ?? expect.fail()
      expect(codeOf(answer)).toBe('idempotency_answer_gone')
      expect(answer.json().error.details).toEqual({ status: 201, id: json().id })
    }
    expect(again[3]?.body).toBe(made[3]?.body)
    for (const { key, body } of requests) {
      expect(codeOf(await postPage(key, { ...body, title: 'Another' }, writer, server.app))).toBe(
        'idempotency_mismatch',
      )
      expect(await pagesOf(body, writer)).toBe(1)
    }
    await server.close()
  })

  it('refuses new keys of an account that has as many as it may have, with the time when one expires', async () => {
    const server = await createTestApp({ storage: database.another(), http: { idempotencyMaxKeys: 2 } })
    const writer = await createWriter(server.app)
    const [first, second, third] = [1, 2, 3].map(() => ({ key: newIdempotencyKey(), body: page({}, writer) }))
    const post = ({ key, body } = first ?? expect.fail()) => postPage(key, body, writer, server.app)
    expect([(await post(first)).statusCode, (await post(second)).statusCode]).toEqual([201, 201])
    const refused = await post(third)
    expect([refused.statusCode, codeOf(refused)]).toEqual([429, 'too_many_idempotency_keys'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(await pagesOf(third?.body ?? expect.fail(), writer)).toBe(0)
    expect((await post(first)).headers['idempotent-replayed']).toBe('true')
    expect((await writer.post('/manage/pages', third?.body)).statusCode).toBe(201)
    await server.close()
  })

  it('ignores the header of anonymous callers and other methods', async () => {
    const key = { 'idempotency-key': newIdempotencyKey() }
    const unauthenticated = await client(app).post('/manage/pages', page(), key)
    expect(unauthenticated.statusCode).toBe(401)
    const registered = async () =>
      client(app).post('/auth/register', { email: `${newName()}@example.com`, password: 'x' }, key)
    expect([(await registered()).statusCode, (await registered()).statusCode]).toEqual([400, 400])
    const { id } = await ada.newPage()
    for (const title of ['One', 'Two']) {
      const saved = await ada.put(`/manage/pages/${id}`, { title }, key)
      expect(saved.json().title).toBe(title)
    }
    const body = page()
    for (let round = 0; round < 2; round++) expect((await ada.post('/manage/pages', body)).statusCode).toBe(201)
    expect(await pagesOf(body)).toBe(2)
  })
})

describe('a key that is made under an Idempotency-Key', () => {
  const make = (headers: Record<string, string>, key: string, fields: object = {}) =>
    client(app).post('/api-keys', { name: 'Once', ...fields }, { ...headers, 'idempotency-key': key })

  it('returns the created key again to its creator only, and stores it nowhere in plain text', async () => {
    const key = newIdempotencyKey()
    const [first, second] = [await make(ada.headers, key), await make(ada.headers, key)]
    expect(first.statusCode).toBe(201)
    expect(second.json().key).toBe(first.json().key)
    expect((await client(app).get('/auth/me', { 'x-api-key': second.json().key })).statusCode).toBe(200)
    const rows = (await database.dump?.()) ?? []
    expect(rows.filter((row) => row.includes(first.json().key))).toEqual([])
    if (database.dump)
      expect(rows.some((row) => row.startsWith('eep.idempotency_keys') || row.includes(key))).toBe(true)
  })

  it('does not return the created key to another key of the account', async () => {
    const key = newIdempotencyKey()
    const scopes = ['manage:keys', 'write:content']
    expect((await make(ada.headers, key, { scopes })).statusCode).toBe(201)
    const weaker = await newKey(app, ada.headers, { scopes: ['manage:keys'] })
    const refused = await make(weaker.headers, key, { scopes })
    expect(codeOf(refused)).toBe('idempotency_mismatch')
    const own = newIdempotencyKey()
    const made = await make(weaker.headers, own, { scopes: ['manage:keys'] })
    expect((await make(weaker.headers, own, { scopes: ['manage:keys'] })).body).toBe(made.body)
  })
})

describe('a process that dies in the middle of a POST', () => {
  /** A storage with leases of this length, which cannot store a response while `dead` is set. */
  const frail = (storage: Storage, leaseMs: number, dead: () => boolean): Storage => ({
    ...storage,
    transaction: (work) =>
      storage.transaction((tx) => {
        const idempotency: Stores['idempotency'] = {
          ...tx.idempotency,
          begin: (attempt, limits) => tx.idempotency.begin(attempt, { ...limits, leaseMs }),
          end: (...end) => (dead() ? Promise.reject(new Error('on purpose')) : tx.idempotency.end(...end)),
        }
        return work({ ...tx, idempotency })
      }),
  })

  /** Posts a page as a process does that dies when it has answered; what posts the same again. */
  async function postAndDie(leaseMs: number) {
    let dead = true
    const server = await createTestApp({ storage: frail(database.another(), leaseMs, () => dead) })
    const [key, body] = [newIdempotencyKey(), page()]
    // It was answered before the answer could be stored.
    expect((await postPage(key, body, ada, server.app)).statusCode).toBe(201)
    dead = false
    return { again: () => postPage(key, body, ada, server.app), close: server.close }
  }

  it('blocks the key while its lease runs', async () => {
    const { again, close } = await postAndDie(60_000)
    expect((await again()).statusCode).toBe(409)
    await close()
  })

  it('does not block the idempotency key permanently', async () => {
    const { again, close } = await postAndDie(50)
    await expect.poll(async () => (await again()).statusCode).toBe(201)
    expect((await again()).headers['idempotent-replayed']).toBe('true')
    await close()
  })
})

describe('the documentation of Idempotency-Key', () => {
  it('documents the header for every POST that requires an account, and no other route', async () => {
    const { paths } = (await client(app).get('/docs/openapi.json')).json()
    interface Operation {
      readonly 'x-auth': string
      readonly parameters: readonly { readonly name: string; readonly in: string }[]
      readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
      readonly responses: Readonly<Record<string, unknown>>
    }
    let posts = 0
    for (const [path, methods] of Object.entries<Record<string, Operation>>(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const takes = operation.parameters.some((each) => each.name === 'Idempotency-Key' && each.in === 'header')
        const readsOnly =
          /^\/memory\/.*\/(search|recall|summary)$|^\/manage\/preview$|^\/auth\/(passkeys\/)?prove$/.test(path)
        // A form is read as it comes, and compared to none.
        const isForm = operation.requestBody?.content['multipart/form-data'] !== undefined
        const changes = method === 'post' && operation['x-auth'] !== 'none' && !readsOnly
        expect(takes, `${method} ${path}`).toBe(changes && !isForm)
        if (!takes) continue
        posts += 1
        for (const status of ['400', '409', '422']) expect(Object.keys(operation.responses), path).toContain(status)
      }
    }
    expect(posts).toBeGreaterThan(15)
  })

  it('lets other sites send the header and read whether a response was replayed', async () => {
    const asked = await client(app)
      .with({ origin: 'https://app.example', 'access-control-request-method': 'POST' })
      .send('OPTIONS', '/manage/pages')
    expect(asked.headers['access-control-allow-headers']).toMatch(/\bIdempotency-Key\b/)
    const answer = await client(app).get('/', { origin: 'https://app.example' })
    expect(answer.headers['access-control-expose-headers']).toMatch(/\bIdempotent-Replayed\b/)
  })
})
