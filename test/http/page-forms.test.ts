import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter, type PageRecord, type Writer } from '../support/content.ts'
import { newPost, OPEN_FEED, type Post } from '../support/feed.ts'
import { makeContactable, OPEN_MESSAGES, openConversation, signUpTrusted } from '../support/messages.ts'
import { hiddenFieldsOf, leadsTo, openBrowser, sentencesOf } from '../support/pages.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
let writer: Writer
let page: PageRecord
let post: Post
let postPath: string

beforeAll(async () => {
  test = await createTestApp({ ...OPEN_FEED, ...OPEN_MESSAGES })
  writer = await createWriter(test.app, 'form-writer')
  await makeContactable(writer)
  page = await writer.newPage({ body: 'Words' })
  post = await newPost(writer)
  postPath = `/feed/posts/${post.id}`
})
afterAll(() => test.close())

type Tab = Awaited<ReturnType<typeof browserOf>>

async function browserOf({ account }: Person) {
  const tab = openBrowser(test.app)
  expect(leadsTo(await tab.submit('/login', { email: account.email, password: PASSWORD }))).toEqual([303, '/dashboard'])
  return tab
}
const newBrowser = async () => {
  const person = await signUp(test.app)
  return { person, tab: await browserOf(person) }
}

const PROFILE = '/u/form-writer'
const ID = 'f'.repeat(36)

/** Every HTML form: where it is sent, its fields, and where it leads back to. */
const formsOf = () =>
  ({
    follow: ['/connections/form', { prefix: 'u', username: 'form-writer', on: '1', next: PROFILE }, PROFILE],
    like: ['/content/reactions/form', { page: String(page.id), kind: 'like', on: '1', next: page.path }, page.path],
    bookmark: [
      '/content/reactions/form',
      { page: String(page.id), kind: 'bookmark', on: '1', next: page.path },
      page.path,
    ],
    'like a post': ['/feed/likes/form', { post: String(post.id), on: '1', next: postPath }, postPath],
    post: ['/feed/posts/form', { body: 'News', form_id: ID, next: '/feed' }, '/feed'],
    reply: ['/feed/posts/form', { body: 'Me too', reply_to: String(post.id), form_id: ID, next: postPath }, postPath],
    message: ['/messages/new', { to: 'u/form-writer', body: 'Hello', form_id: ID, next: PROFILE }, PROFILE],
    report: ['/reports/new', { post: String(post.id), body: 'Spam', form_id: ID, next: postPath }, postPath],
  }) as const
const NAMES = ['follow', 'like', 'bookmark', 'like a post', 'post', 'reply', 'message', 'report'] as const

describe.each(NAMES)('the form: %s', (name) => {
  const form = () => formsOf()[name] as readonly [string, Record<string, string>, string]

  it('leads a signed-out visitor to the sign-in, and back to the page', async () => {
    const [path, fields, back] = form()
    const [status, location] = leadsTo(await openBrowser(test.app).submit(path, fields))
    const next = new URL(String(location), 'https://profiles.example').searchParams.get('next')
    expect([status, String(location).startsWith('/login?')]).toEqual([303, true])
    const ways = { message: '/messages/new?to=u%2Fform-writer', report: `/reports/new?post=${post.id}` }
    expect(next).toBe(name === 'message' || name === 'report' ? ways[name] : back)
  })

  it('is refused when a page of another site sends it', async () => {
    const [path, fields] = form()
    const { tab } = await newBrowser()
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    for (const headers of [foreign, { origin: 'null', 'sec-fetch-site': 'cross-site' }]) {
      expect((await tab.submit(path, fields, headers)).statusCode).toBe(403)
    }
  })

  it('leads back with what was done, which is said once', async () => {
    const [path, fields, back] = form()
    const { tab } = name === 'message' ? await trustedBrowser() : await newBrowser()
    expect(leadsTo(await tab.submit(path, fields))).toEqual([303, back])
    const statuses = ({ body }: { readonly body: string }) => body.split('role="status"').length - 1
    expect(statuses(await tab.open(back))).toBe(1)
    expect(statuses(await tab.open(back))).toBe(0)
  })

  it('leads to no other site', async () => {
    const [path, fields] = form()
    const { tab } = name === 'message' ? await trustedBrowser() : await newBrowser()
    for (const [index, next] of ['//evil.example', 'https://evil.example/', '/\\evil.example'].entries()) {
      const { headers } = await tab.submit(path, { ...fields, next, form_id: `${index}${'g'.repeat(20)}` })
      expect(String(headers.location)).toMatch(/^\/(?![/\\])/)
    }
  })
})

const trustedBrowser = async () => {
  const person = await signUpTrusted(test.app, test.storage)
  return { person, tab: await browserOf(person) }
}

describe('a button that is switched on and off', () => {
  const pressed = async (tab: Tab, path: string, label: string) => {
    const { body } = await tab.open(path)
    return new RegExp(`<button [^>]*aria-pressed="(true|false)"[^>]*>${label}</button>`).exec(body)?.[1]
  }

  it.each([
    ['follow', 'Follow'],
    ['like', 'Like'],
    ['bookmark', 'Bookmark'],
    ['like a post', 'Like'],
  ] as const)('shows its state to the person who pressed it alone: %s', async (name, label) => {
    const [path, fields, back] = formsOf()[name]
    const [{ tab }, other] = [await newBrowser(), await newBrowser()]
    expect(await pressed(tab, back, label)).toBe('false')
    await tab.submit(path, fields)
    expect(await pressed(tab, back, label)).toBe('true')
    expect(await pressed(other.tab, back, label)).toBe('false')
    expect((await client(test.app).get(back, { accept: 'text/html' })).body).not.toContain('aria-pressed="true"')
    await tab.submit(path, { ...fields, on: '0' })
    expect(await pressed(tab, back, label)).toBe('false')
  })

  it('has the focus again, and is described by what was done', async () => {
    const [path, fields, back] = formsOf().follow
    const { tab } = await newBrowser()
    await tab.submit(path, fields)
    expect((await tab.open(back)).body).toMatch(/<button [^>]*autofocus aria-describedby="said">Follow<\/button>/)
  })

  it.each(['like', 'bookmark', 'follow', 'like a post'] as const)(
    'counts once, however often it is sent: %s',
    async (name) => {
      const [path, fields] = formsOf()[name]
      const { tab, person } = await newBrowser()
      const before = await counts(name)
      const sent = await Promise.all(Array.from({ length: 5 }, () => tab.submit(path, fields)))
      expect(sent.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(303))
      expect(await counts(name)).toBe(before + 1)
      await tab.submit(path, { ...fields, on: '0' })
      await tab.submit(path, { ...fields, on: '0' })
      expect(await counts(name)).toBe(before)
      expect(person.account.username).not.toBe('')
    },
  )

  async function counts(name: 'like' | 'bookmark' | 'follow' | 'like a post'): Promise<number> {
    if (name === 'follow') return (await writer.get('/connections/followers')).json().pagination.total
    if (name === 'like a post') return (await writer.get(`${postPath}?format=json`)).json().counts.likes
    return (await writer.get(`/content/pages/${page.id}/reactions`)).json().counts[name]
  }

  it('is missing on the profile of the person itself, and refused when it is sent', async () => {
    const { tab, person } = await newBrowser()
    const path = `/u/${person.account.username}`
    expect((await tab.open(path)).body).not.toContain('>Follow</button>')
    const sent = await tab.submit('/connections/form', {
      prefix: 'u',
      username: person.account.username,
      on: '1',
      next: path,
    })
    expect(sent.statusCode).toBe(400)
  })

  it.each([
    ['/connections/form', { prefix: 'u', username: 'unknown-name', on: '1' }],
    ['/content/reactions/form', { page: '99999999', kind: 'like', on: '1' }],
    ['/content/reactions/form', { page: 'x', kind: 'like', on: '1' }],
    ['/feed/likes/form', { post: '99999999', on: '1' }],
  ])('is not found for what does not exist: %s %j', async (path, fields) => {
    const { tab } = await newBrowser()
    expect((await tab.submit(path, fields as Record<string, string>)).statusCode).toBe(404)
  })
})

describe('GET /connections/{prefix}/{username}', () => {
  it('returns whether the acting profile follows it', async () => {
    const { person } = await newBrowser()
    const state = async () => (await person.get('/connections/u/form-writer')).json()
    expect(await state()).toEqual({ following: false })
    await person.post('/connections/u/form-writer')
    expect(await state()).toEqual({ following: true })
    const answer = await person.get('/connections/u/form-writer')
    expect(answer.headers['cache-control']).toBe('private, no-store')
  })
})

describe('a text that is sent twice', () => {
  it.each([
    ['post', '/feed/posts/form', { body: 'Only once', next: '/feed' }],
    ['message', '/messages/new', { to: 'u/form-writer', body: 'Only once' }],
    ['report', '/reports/new', { body: 'Only once' }],
  ] as const)('is stored once, with the same answer: %s', async (name, path, fields) => {
    const { tab, person } = await trustedBrowser()
    const own = { ...fields, form_id: ID, ...(name === 'report' && { post: String(post.id) }) }
    const first = await tab.submit(path, own)
    const again = await tab.submit(path, own)
    expect([first.statusCode, leadsTo(again)]).toEqual([303, leadsTo(first)])
    if (name === 'post') {
      const { data } = (await person.get(`/feed/u/${person.account.username}?format=json`)).json()
      expect(data).toHaveLength(1)
    }
    if (name === 'message') {
      const [conversation] = (await person.get('/messages/conversations')).json().data
      const { data } = (await person.get(`/messages/conversations/${conversation.id}/messages`)).json()
      expect(data).toHaveLength(1)
    }
  })

  it('is refused with another text, and accepted corrected after it was refused', async () => {
    const { tab } = await newBrowser()
    const send = (body: string) => tab.submit('/feed/posts/form', { body, next: '/feed', form_id: ID })
    const empty = await send(' ')
    expect(empty.statusCode).toBe(400)
    expect(hiddenFieldsOf(empty).form_id).toBe(ID)
    expect((await send('Corrected')).statusCode).toBe(303)
    expect((await send('Another')).statusCode).toBe(409)
  })

  it.each([
    ['an empty id', ''],
    ['an id that no client may choose', 'x'.repeat(4_000)],
  ])('sends every message of a form with %s', async (_, formId) => {
    const { tab, person } = await newBrowser()
    const send = (body: string) =>
      tab.submit('/messages/new', { to: 'u/form-writer', body, form_id: formId, next: PROFILE })
    for (const body of ['First', 'Second']) expect((await send(body)).statusCode).toBe(303)
    const [conversation] = (await person.get('/messages/conversations')).json().data
    const { data } = (await person.get(`/messages/conversations/${conversation.id}/messages`)).json()
    expect(data).toHaveLength(2)
  })

  it('is stored once when both are sent at the same time', async () => {
    const { tab, person } = await newBrowser()
    const fields = { body: 'At the same time', next: '/feed', form_id: ID }
    const sent = await Promise.all([tab.submit('/feed/posts/form', fields), tab.submit('/feed/posts/form', fields)])
    for (const { statusCode, headers } of sent) {
      expect([303, 409]).toContain(statusCode)
      if (statusCode === 409) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    }
    const { data } = (await person.get(`/feed/u/${person.account.username}?format=json`)).json()
    expect(data).toHaveLength(1)
  })
})

describe('a text that is wrong', () => {
  it.each([
    ['/feed/posts/form', { next: '/feed' }, 'x'.repeat(501), 'Write 1 to 500 characters.'],
    ['/messages/new', { to: 'u/form-writer' }, ' ', 'Write 1 to 5,000 characters.'],
    ['/reports/new', {}, ' ', 'Write 1 to 1,000 characters.'],
  ] as const)('is shown again with what is wrong: %s', async (path, fields, body, problem) => {
    const { tab } = await trustedBrowser()
    const more = path === '/reports/new' ? { post: String(post.id) } : {}
    const answer = await tab.submit(path, { ...fields, ...more, body, form_id: ID })
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([400, 'private, no-store'])
    expect(sentencesOf(answer)).toContain(problem)
    expect(answer.body).toContain(`>\n${body}</textarea>`)
  })

  it('keeps markup in a text as text', async () => {
    const { tab } = await trustedBrowser()
    const body = `</textarea><script>alert(1)</script>${'x'.repeat(5_001)}`
    const answer = await tab.submit('/messages/new', { to: 'u/form-writer', body, form_id: ID })
    expect([answer.statusCode, answer.body.includes('<script>alert')]).toEqual([400, false])
    expect(answer.body).toContain('&lt;/textarea&gt;&lt;script&gt;')
  })
})

describe('a message', () => {
  it('is written from a profile that receives messages, and read and answered on pages', async () => {
    const { tab, person } = await trustedBrowser()
    const profile = await tab.open(PROFILE)
    expect(profile.body).toContain('href="/messages/new?to=u%2Fform-writer"')
    const form = await tab.open('/messages/new?to=u%2Fform-writer')
    const fields = { ...hiddenFieldsOf(form), body: 'A question' }
    expect(leadsTo(await tab.submit('/messages/new', fields))).toEqual([303, PROFILE])
    expect((await tab.open(PROFILE)).body).toContain('Your message was sent.')
    const reader = await browserOf(writer)
    const inbox = await reader.open('/messages')
    const [, path = ''] = /href="(\/messages\/threads\/[^"]+)"/.exec(inbox.body) ?? []
    expect(inbox.body).toContain('A question')
    const thread = await reader.open(path)
    expect(thread.body).toContain('A question')
    const answer = { ...hiddenFieldsOf(thread), body: 'An answer' }
    expect(leadsTo(await reader.submit(path, answer))).toEqual([303, path])
    expect((await tab.open(path)).body).toContain('An answer')
    expect((await tab.open('/messages')).body).not.toContain('unread')
    expect(person.account.username).not.toBe('')
  })

  it('has no button on profiles that receive none, and shows why it was refused', async () => {
    const silent = await createWriter(test.app)
    const { tab } = await trustedBrowser()
    const to = `u/${silent.account.username}`
    expect((await tab.open(`/${to}`)).body).not.toContain('/messages/new?')
    const answer = await tab.submit('/messages/new', { to, body: 'Hello there', form_id: ID })
    expect([answer.statusCode, answer.body.includes('>\nHello there</textarea>')]).toEqual([403, true])
    expect(answer.body).toContain('receives messages only from profiles')
  })

  it('asks the seller of a product, with the product as its subject', async () => {
    const seller = await signUpTrusted(test.app, test.storage)
    const made = await seller.post('/profiles', {
      profile_type: 'product',
      username: 'brass-engine',
      full_name: 'Brass <engine>',
    })
    expect(made.statusCode, made.body).toBe(200)
    const changed = await seller.put('/profiles/p/brass-engine', { capabilities: ['contactable'] })
    expect(changed.statusCode, changed.body).toBe(200)
    const { tab } = await trustedBrowser()
    const { body } = await tab.open('/p/brass-engine')
    expect(body).toContain('>Ask the seller</a>')
    const [, href = ''] = /href="(\/messages\/new\?[^"]+)"[^>]*>Ask the seller/.exec(body) ?? []
    const form = await tab.open(href.replaceAll('&amp;', '&'))
    expect(form.body).toContain('>\nAbout: Brass &lt;engine&gt;\n\n</textarea>')
  })

  it('shows a conversation to its two profiles alone', async () => {
    const sender = await signUpTrusted(test.app, test.storage)
    const id = await openConversation(sender, writer, 'Between us')
    const { tab } = await newBrowser()
    expect((await tab.open(`/messages/threads/${id}`)).statusCode).toBe(404)
    const sent = await tab.submit(`/messages/threads/${id}`, { body: 'Me too', form_id: ID })
    expect(sent.statusCode).toBe(404)
    const signedOut = await openBrowser(test.app).open(`/messages/threads/${id}`)
    expect(leadsTo(signedOut)).toEqual([303, `/login?next=${encodeURIComponent(`/messages/threads/${id}`)}`])
  })
})

describe('a post', () => {
  it('is written on the page of the feed by a signed-in person', async () => {
    const { tab } = await newBrowser()
    expect((await client(test.app).get('/feed', { accept: 'text/html' })).body).toContain('Sign in to post')
    const feed = await tab.open('/feed')
    expect(feed.body).toContain('<textarea id="text" name="body"')
    const sent = await tab.submit('/feed/posts/form', { ...hiddenFieldsOf(feed), body: 'From the page' })
    expect(leadsTo(sent)).toEqual([303, '/feed'])
    expect((await tab.open('/feed')).body).toContain('From the page')
  })

  it('is reported by others and not by its team', async () => {
    const { tab } = await newBrowser()
    expect((await tab.open(postPath)).body).toContain(`/reports/new?post=${post.id}`)
    const own = await browserOf(writer)
    expect((await own.open(postPath)).body).not.toContain('/reports/new')
    const answer = await own.submit('/reports/new', { post: String(post.id), body: 'Mine', form_id: ID })
    expect([answer.statusCode, answer.body.includes('Delete it instead')]).toEqual([400, true])
  })
})

describe('a service without the features', () => {
  it('has no buttons for what it does not have', async () => {
    const small = await createTestApp({ reactions: false, messages: false, feed: false, reports: false })
    const author = await createWriter(small.app, 'small-writer')
    await makeContactable(author)
    const { path } = await author.newPage({ body: 'Words' })
    const [profile, article] = [
      await client(small.app).get('/u/small-writer', { accept: 'text/html' }),
      await client(small.app).get(path, { accept: 'text/html' }),
    ]
    await small.close()
    expect(article.body).not.toContain('/content/reactions/form')
    expect(profile.body).not.toContain('/messages/new')
    expect(profile.body).toContain('/connections/form')
  })
})
