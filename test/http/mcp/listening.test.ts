import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { newKey } from '../../support/api-keys.ts'
import { createTestApp } from '../../support/app.ts'
import { createWriter } from '../../support/content.ts'
import { mcpClient, publishedClients } from '../../support/mcp.ts'
import { bearer, connect } from '../../support/oauth-server.ts'
import { soon } from '../../support/wait.ts'

const test = await createTestApp()
const { app } = test
afterAll(() => test.close())
const clients = await publishedClients(app)
const uriOf = (path: string) => `eep://profiles.example${path}`
const resources = ['https://profiles.example', 'https://profiles.example/mcp']

type Writer = Awaited<ReturnType<typeof createWriter>>
let ada: Writer
let grace: Writer
let iris: Writer
let keyOfIris: Record<string, string>
beforeAll(async () => {
  ada = await createWriter(app, 'ada')
  grace = await createWriter(app, 'grace')
  iris = await createWriter(app, 'iris')
  keyOfIris = (await newKey(app, iris.headers)).headers
})

/** Listens with the published client, and collects the notifications. */
async function listen(filter: object, headers: Record<string, string> = {}) {
  const client = await clients.newer('auto', headers)
  const told: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri))
  client.setNotificationHandler('notifications/resources/list_changed', () => void told.push('resources'))
  client.setNotificationHandler('notifications/tools/list_changed', () => void told.push('tools'))
  const subscription = await client.listen(filter)
  let end: string | undefined
  void subscription.closed.then((reason) => {
    end = reason
  })
  return { client, told, subscription, ended: () => end }
}

/** Changes a page, and waits until a listener that sees everything knows. */
const change = (writer: Writer, id: number) => writer.putPage(id, { body: `Text ${Math.random()}` })

/** Waits until all events so far are delivered: the one of another person's page comes after them. */
async function delivered(): Promise<void> {
  const marker = await iris.newPage({ title: 'The last one' })
  const { told, subscription } = await listen({ resourceSubscriptions: [uriOf(marker.path)] }, keyOfIris)
  await change(iris, marker.id)
  await soon(() => expect(told).not.toEqual([]))
  await subscription.close()
}

describe('subscriptions/listen', () => {
  it('reports changes of a page, its category and its profile, by the URIs that the client named', async () => {
    const page = await ada.newPage({ title: 'Engines' })
    const other = await ada.newPage({ title: 'Looms' })
    const uris = [uriOf(page.path), `https://profiles.example/u/${ada.account.username}`]
    await delivered()
    const { told, subscription } = await listen({ resourceSubscriptions: uris })
    expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: uris })
    await change(ada, other.id)
    await soon(() => expect(told).toEqual([uris[1]]))
    await change(ada, page.id)
    await soon(() => expect(told).toEqual([uris[1], ...uris]))
    await subscription.close()
  })

  it('removes what is hidden, what does not exist and what is of others, all alike', async () => {
    const page = await ada.newPage({ title: 'Seen' })
    const draft = await ada.newPage({ title: 'Draft', status: 'draft' })
    const hidden = [uriOf(draft.path), uriOf('/u/nobody'), uriOf('/health'), 'eep://elsewhere.example/u/ada', 'x']
    const { subscription } = await listen({ resourceSubscriptions: [...hidden, uriOf(page.path)] })
    expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [uriOf(page.path)] })
    await subscription.close()
  })

  it('asks for each event whether the resource is still visible', async () => {
    const [page, other] = [await grace.newPage({ title: 'Soon gone' }), await grace.newPage({ title: 'Stays' })]
    const uris = [uriOf(page.path), uriOf(other.path)]
    await delivered()
    const { told, subscription } = await listen({ resourceSubscriptions: uris })
    await grace.putPage(page.id, { status: 'draft' })
    await change(grace, other.id)
    await soon(() => expect(told).toEqual([uris[1]]))
    await subscription.close()
  })

  it('refuses more than fifty resources', async () => {
    const uris = Array.from({ length: 51 }, (_, at) => uriOf(`/u/nobody-${at}`))
    const { error } = await mcpClient(app).askModern('subscriptions/listen', {
      notifications: { resourceSubscriptions: uris },
    })
    expect(error?.code).toBe(-32_602)
  })

  it('is not known to clients of older revisions, which are not offered subscriptions', async () => {
    expect((await mcpClient(app).ask('subscriptions/listen', { notifications: {} })).error?.code).toBe(-32_601)
    const older = await clients.older()
    expect(older.getServerCapabilities()).toMatchObject({ resources: {} })
    expect(older.getServerCapabilities()?.resources).not.toHaveProperty('subscribe')
    const newer = await clients.newer('auto')
    expect(newer.getServerCapabilities()?.resources).toEqual({ subscribe: true, listChanged: false })
  })

  it('allows two streams for an address without an account, and frees one that ends', async () => {
    const filter = { resourceSubscriptions: [uriOf(`/u/${ada.account.username}`)] }
    const [first, second] = [await listen(filter), await listen(filter)]
    await expect(listen(filter)).rejects.toThrow()
    const key = await newKey(app, ada.headers)
    const third = await listen(filter, key.headers)
    await first.subscription.close()
    await soon(async () => {
      const again = await listen(filter)
      await again.subscription.close()
    })
    await Promise.all([second.subscription.close(), third.subscription.close()])
  })
})

describe('a listener with a credential', () => {
  it('is notified of a changed list of resources for pages of own profiles only', async () => {
    const app = await connect(test, ada, { resources })
    const profiles = [ada, grace].map(({ account }) => uriOf(`/u/${account.username}`))
    const filter = { resourcesListChanged: true, resourceSubscriptions: profiles }
    await delivered()
    const { told, subscription, client } = await listen(filter, bearer(app.access_token))
    await grace.newPage({ title: 'Not hers' })
    const page = await ada.newPage({ title: 'A new one' })
    await soon(() => expect(told).toEqual([profiles[1], profiles[0], 'resources']))
    const listed = await client.listResources()
    expect(listed.resources).toContainEqual(expect.objectContaining({ uri: uriOf(page.path), title: 'A new one' }))
    await ada.newPage({ title: 'A draft', status: 'draft' })
    await ada.putPage(page.id, { status: 'draft' })
    await soon(() => expect(told.slice(3)).toEqual([profiles[0], 'resources']))
    await subscription.close()
  })

  it('is notified of changed tools when the person allows or takes a scope', async () => {
    const person = await signUp(app)
    const { access_token: token } = await connect(test, person, { resources })
    await delivered()
    const { told, subscription, client } = await listen({ toolsListChanged: true }, bearer(token))
    expect(subscription.honoredFilter).toEqual({ toolsListChanged: true })
    const names = async () => (await client.listTools()).tools.map(({ name }) => name)
    expect(await names()).toContain('list_pages')
    const [{ id }] = (await person.get('/account/apps')).json().data
    const changed = await person.put(`/account/apps/${id}`, { scopes: ['read:profiles'] })
    expect(changed.statusCode).toBe(200)
    await soon(() => expect(told).toEqual(['tools']))
    await subscription.close()
    const again = await clients.newer('auto', bearer(token))
    expect((await again.listTools()).tools.map(({ name }) => name)).not.toContain('list_pages')
  })

  it('ends with its credential', async () => {
    const person = await signUp(app)
    const key = await newKey(app, person.headers)
    const byKey = await listen({ toolsListChanged: true }, key.headers)
    const { access_token: token } = await connect(test, person, { resources })
    const byApp = await listen({ toolsListChanged: true }, bearer(token))
    const [{ id }] = (await person.get('/account/apps')).json().data
    expect((await person.delete(`/account/apps/${id}`)).statusCode).toBeLessThan(300)
    await soon(() => expect(byApp.ended()).toBe('graceful'))
    expect(byKey.ended()).toBeUndefined()
    await person.delete(`/api-keys/${key.id}`)
    await soon(() => expect(byKey.ended()).toBe('graceful'))
  })
})

it('ends the streams when the service stops', async () => {
  const stopping = await createTestApp()
  const writer = await createWriter(stopping.app)
  const { newer } = await publishedClients(stopping.app)
  const client = await newer('auto')
  const subscription = await client.listen({ resourceSubscriptions: [uriOf(`/u/${writer.account.username}`)] })
  const [, reason] = await Promise.all([stopping.close(), subscription.closed])
  expect(reason).toBe('graceful')
})
