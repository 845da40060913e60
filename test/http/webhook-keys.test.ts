import { type Authenticator, defineModule } from '@eep/core/module'
import { describe, expect, it } from 'vitest'
import { codeOf, didOf, PASSWORD, type Person, proveAddress, signUp } from '../support/accounts.ts'
import { keyOf, newKey } from '../support/api-keys.ts'
import { client } from '../support/client.ts'
import { listen, openStream } from '../support/streams.ts'
import { newMember, newOrganization } from '../support/teams.ts'
import { soon } from '../support/wait.ts'
import { openWebhooks, readWebhook, subscribe } from '../support/webhooks.ts'

/** What a badge may do now, by the text after the id of its account. */
const badgeScopes = new Map<string, readonly string[]>()
async function authenticate(badge: string): ReturnType<Authenticator['authenticate']> {
  const [accountId = '', name] = badge.split(' ')
  return { accountId, scopes: name === undefined ? undefined : badgeScopes.get(name) }
}
const badges = defineModule({
  name: 'badges',
  authenticate: () => ({ carrier: { header: 'X-Badge' }, authenticate }),
})

const { app, database, mailbox, receiver } = await openWebhooks({ modules: [badges] })
const base = await listen(app)

/** An account that takes messages, and a webhook for its own profile that a key with these scopes made. */
async function setUp(scopes: readonly string[]) {
  const [ada, hook] = [await signUp(app), await receiver()]
  const path = `/profiles/u/${ada.account.username}`
  await ada.put(path, { capabilities: ['contactable'] })
  const key = await newKey(app, ada.headers, { scopes })
  const body = {
    source_did: didOf(ada),
    event_types: ['message.*', 'session.*', 'entity.updated'],
    delivery_method: 'webhook',
    delivery_url: hook.url,
  }
  const made = await client(app).with(key.headers).post('/eep/subscribe', body)
  expect(made.statusCode, made.body).toBe(201)
  const url = `/eep/subscriptions/${made.json().subscription_id}`
  /** Without the change above, which reaches the webhook when it is dispatched after the subscription. */
  const envelopes = () =>
    hook
      .envelopes()
      .filter(({ data }) => !(data as { changed_fields?: string[] }).changed_fields?.includes('capabilities'))
  return { ada, hook, envelopes, key, made: made.json(), url, rename: (bio: string) => ada.put(path, { bio }) }
}

async function writeTo(person: Person): Promise<void> {
  const bert = await signUp(app)
  await proveAddress(database, bert)
  await bert.put('/manage/profile', { bio: 'I write letters', skills: ['writing'] })
  const sent = await bert.post('/messages/conversations', { to: `u/${person.account.username}`, body: 'A secret' })
  expect(sent.statusCode, sent.body).toBe(201)
}

describe('a stream that an API key opens', () => {
  it('sends no private events without their scope', async () => {
    const ada = await signUp(app)
    await ada.put(`/profiles/u/${ada.account.username}`, { capabilities: ['contactable'] })
    const streamOf = async (...scopes: string[]) =>
      openStream(base, '/eep/stream?events=message.*', (await newKey(app, ada.headers, { scopes })).headers)
    const [narrow, wide] = [await streamOf('read:events'), await streamOf('read:events', 'read:messages')]
    await writeTo(ada)
    await soon(() => expect(wide.envelopes().map(({ type }) => type)).toContain('message.received'))
    const history = async (...scopes: string[]) => {
      const { headers } = await newKey(app, ada.headers, { scopes })
      const { events } = (await client(app).get('/eep/events?types=message.*', headers)).json()
      return events.map(({ type }: { type: string }) => type)
    }
    expect(await history('read:events', 'read:messages')).toContain('message.received')
    expect([narrow.envelopes(), await history('read:events')]).toEqual([[], []])
  })

  it('sends no events of the account', async () => {
    const ada = await signUp(app)
    const { headers } = await newKey(app, ada.headers, { scopes: ['read:events', 'write:subscriptions'] })
    const [ofKey, ofSession] = [
      await openStream(base, '/eep/stream?events=subscription.*', headers),
      await openStream(base, '/eep/stream?events=subscription.*', ada.headers),
    ]
    const hook = await receiver()
    const body = { source_did: didOf(ada), event_types: ['entity.updated'] }
    await ada.post('/eep/subscribe', { ...body, delivery_method: 'webhook', delivery_url: hook.url })
    await soon(() => expect(ofSession.envelopes()).toMatchObject([{ type: 'subscription.created' }]))
    expect(ofKey.envelopes()).toEqual([])
  })
})

describe('a webhook that an API key created', () => {
  it('receives no private events without their scope, and names them when it is created', async () => {
    const { ada, envelopes, made, rename } = await setUp(['write:subscriptions'])
    expect(made.warnings).toContainEqual({
      code: 'scope_missing',
      required_scope: 'read:messages',
      event_types: ['message.deleted', 'message.read', 'message.received', 'message.sent'],
    })
    expect(made.warnings).toContainEqual({
      code: 'scope_missing',
      required_scope: null,
      event_types: ['session.revoked'],
    })
    await writeTo(ada)
    await rename('Later')
    await soon(() => expect(envelopes()).toHaveLength(1))
    expect(envelopes()[0]).toMatchObject({ type: 'entity.updated' })
  })

  it('receives private events with their scope', async () => {
    const { ada, envelopes } = await setUp(['write:subscriptions', 'read:messages'])
    await writeTo(ada)
    await soon(() => expect(envelopes()).toHaveLength(1))
    expect(envelopes()[0]).toMatchObject({ type: 'message.received' })
  })

  it('is named in the email after a change of the password, with the number of keys', async () => {
    const { ada, hook } = await setUp(['write:subscriptions'])
    const passwords = { current_password: PASSWORD, new_password: 'Another staple 8 horse' }
    expect((await ada.put('/auth/change-password', passwords)).statusCode).toBe(200)
    const { text } = await mailbox.take(ada.account.email, 'changed')
    expect(text).toContain('API keys: 1.')
    expect(text).toContain(`Webhooks to: ${new URL(hook.url).host}.`)
  })

  it('is paused when the key is revoked, until a session resumes it, without the events of that time', async () => {
    const { ada, envelopes, key, url, rename } = await setUp(['write:subscriptions'])
    const other = await newKey(app, ada.headers, { scopes: ['write:subscriptions'] })
    await rename('One')
    await soon(() => expect(envelopes()).toHaveLength(1))
    await ada.delete(`/api-keys/${key.id}`)
    await soon(async () => {
      expect((await ada.get(url)).json()).toMatchObject({ status: 'paused', pause_reason: 'key_ended', pending: 0 })
    })
    await rename('Two')
    const refused = await client(app).with(other.headers).post(`${url}/resume`)
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'session_required'])
    // The dispatcher handles events in order, so it has passed the second one when another webhook has received the third.
    const news = await receiver()
    const body = {
      source_did: didOf(ada),
      event_types: ['entity.updated'],
      delivery_method: 'webhook',
      delivery_url: news.url,
    }
    await ada.post('/eep/subscribe', body)
    await rename('Three')
    await soon(() => expect(news.envelopes().length).toBeGreaterThan(0))
    expect((await ada.post(`${url}/resume`)).json()).toMatchObject({ status: 'active', pause_reason: null })
    await rename('Four')
    await soon(() => expect(envelopes()).toHaveLength(2))
  })

  it('is paused when its account leaves the team of the source profile, until a session resumes it', async () => {
    const [profile, hook] = [await newOrganization(app), await receiver()]
    const editor = await newMember(app, profile, 'editor')
    const key = await newKey(app, editor.headers, { scopes: ['write:subscriptions', 'read:events'] })
    const ofKey = await subscribe(client(app).with(key.headers), profile, hook)
    const bySession = await subscribe(editor, profile, await receiver(), { event_types: ['entity.*'] })
    const removed = await profile.owner.delete(`${profile.team}/${editor.account.id}`)
    expect(removed.statusCode, removed.body).toBe(200)
    await soon(async () => {
      expect(await readWebhook(editor, ofKey)).toMatchObject({ status: 'paused', pause_reason: 'key_ended' })
    })
    expect(await readWebhook(editor, bySession)).toMatchObject({ status: 'active' })
    expect((await editor.post(`${ofKey.path}/resume`)).json()).toMatchObject({ status: 'active', pause_reason: null })
  })

  it('goes on with the key that replaced its own', async () => {
    const { ada, envelopes, key, url, rename } = await setUp(['write:subscriptions'])
    const replacement = keyOf(await ada.post(`/api-keys/${key.id}/regenerate`))
    await rename('One')
    await soon(() => expect(envelopes()).toHaveLength(1))
    expect((await ada.get(url)).json()).toMatchObject({ status: 'active' })
    await ada.delete(`/api-keys/${replacement.id}`)
    await soon(async () => expect((await ada.get(url)).json()).toMatchObject({ pause_reason: 'key_ended' }))
  })
})

describe('a credential of a module', () => {
  it('makes and renews no webhook when it has scopes, because the webhook would receive everything', async () => {
    const [ada, hook] = [await signUp(app), await receiver()]
    const body = {
      source_did: didOf(ada),
      event_types: ['message.*'],
      delivery_method: 'webhook',
      delivery_url: hook.url,
    }
    badgeScopes.set('subscriber', ['write:subscriptions', 'read:subscriptions'])
    const limited = client(app).with({ 'x-badge': `${ada.account.id} subscriber` })
    const refusal = async () => {
      const refused = await limited.post('/eep/subscribe', body)
      return [refused.statusCode, codeOf(refused)]
    }
    expect(await refusal()).toEqual([403, 'session_required'])
    expect((await limited.get('/eep/subscriptions')).json().data).toEqual([])
    // Without scopes it is like a session.
    const made = await client(app).with({ 'x-badge': ada.account.id }).post('/eep/subscribe', body)
    expect(made.statusCode, made.body).toBe(201)
    expect(await refusal()).toEqual([403, 'session_required'])
  })
})

describe('a stream that a credential of a module opens', () => {
  const open = async (scopes: readonly string[]) => {
    const ada = await signUp(app)
    const name = `scopes-of-${ada.account.username}`
    badgeScopes.set(name, scopes)
    const path = '/eep/stream?events=subscription.*'
    const stream = await openStream(base, path, { 'x-badge': `${ada.account.id} ${name}` })
    /** Ends another session of the account, after which every credential of it is checked. */
    const check = async () => {
      await client(app).post('/auth/login', { email: ada.account.email, password: PASSWORD })
      expect((await ada.delete('/auth/sessions')).statusCode).toBe(200)
    }
    return { stream, check, change: (to: readonly string[]) => badgeScopes.set(name, to) }
  }
  const comments = ({ frames }: Awaited<ReturnType<typeof openStream>>) =>
    frames.flatMap(({ comment }) => comment ?? [])
  const CHANGED = 'the permissions of the credential have changed'

  it('ends when the scopes of the credential change, and not when only their order does', async () => {
    const [same, narrowed] = [
      await open(['read:events', 'read:messages']),
      await open(['read:events', 'read:messages']),
    ]
    same.change(['read:messages', 'read:events'])
    narrowed.change(['read:events'])
    await same.check()
    await narrowed.check()
    await soon(() => expect(comments(narrowed.stream)).toContain(CHANGED))
    expect(comments(same.stream)).not.toContain(CHANGED)
  })
})
