import { endOfLog, eventsAfter } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { downloaded, imported, jsonOf, unzip } from '../support/archives.ts'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { OPEN_FEED } from '../support/feed.ts'
import { createMailbox } from '../support/mailbox.ts'
import { image, sent } from '../support/pictures.ts'
import { untilIndexed } from '../support/search.ts'
import { createCashApp } from '../support/shop.ts'

const MARK = /zzdraft/i
const mailbox = createMailbox()
let test: Awaited<ReturnType<typeof createCashApp>>
let writer: Writer
let pageId: number
let cover: number

beforeAll(async () => {
  test = await createCashApp({ withSearch: true, ...OPEN_FEED, email: { mailer: mailbox.mailer } })
  writer = await createWriter(test.app, 'drafting')
  cover = await sent(test.app, writer, await image('teal'), 'hills.png')
  const page = await writer.newPage({ title: 'Looms', slug: 'looms', body: 'Everyone may read this.' })
  pageId = page.id
})
afterAll(() => test.close())

describe('the draft of a published page', () => {
  it('is in no public read, list, search, feed, preview, event or email', async () => {
    const follower = await signUp(test.app)
    const before = await endOfLog(test.storage)
    await follower.post('/connections/u/drafting')
    // The notification about the follower comes later.
    await expect
      .poll(async () => (await eventsAfter(test.storage, before)).map(({ type }) => type))
      .toContain('notifications.notification_created')
    await untilIndexed(test.app)
    const start = await endOfLog(test.storage)
    const saved = await writer.put(`/manage/pages/${pageId}/draft`, {
      title: 'zzdraft-title',
      body: 'zzdraft-line qqunpublished is the first line.',
      excerpt: 'zzdraft-excerpt',
      cover_url: `/files/${cover}`,
    })
    expect(saved.statusCode, saved.body).toBe(200)
    await untilIndexed(test.app)
    expect(await eventsAfter(test.storage, start), 'saving a draft emits no event').toEqual([])

    const { paths } = (await client(test.app).get('/docs/openapi.json')).json()
    const values: Readonly<Record<string, string>> = {
      suffix: 'json',
      username: 'drafting',
      slug: 'drafting',
      prefix: 'u',
      did: encodeURIComponent('did:web:profiles.example:u:drafting'),
      path: 'u/drafting/content/looms',
      '*': 'looms',
    }
    const urls = new Set([
      '/search?q=qqunpublished',
      '/search?q=looms',
      '/search/suggest?q=qqu',
      '/feed',
      ...Object.keys(paths).flatMap((path) =>
        paths[path].get && path !== '/docs/openapi.json'
          ? [pageId, writer.profileId].map((each) =>
              path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => values[name] ?? String(each)),
            )
          : [],
      ),
    ])
    const found: string[] = []
    const look = async (url: string, accept: string, headers = {}) => {
      const response = await client(test.app).get(url, { accept, ...headers })
      const text = `${JSON.stringify(response.headers)}\n${response.body}`
      const showsCover = url.startsWith('/u/drafting/content') && text.includes(`/files/${cover}`)
      if (showsCover || MARK.test(text)) found.push(`${accept} ${url}`)
    }
    for (const url of urls) {
      for (const accept of ['application/json', 'text/markdown', 'text/toon', 'text/html']) await look(url, accept)
      for (const accept of ['application/json', 'text/html']) await look(url, accept, follower.headers)
    }
    expect(found).toEqual([])
    expect(urls.size).toBeGreaterThan(100)
    expect(mailbox.mails.filter((mail) => MARK.test(JSON.stringify(mail)))).toEqual([])
    const record = await writer.getJson(`/manage/pages/${pageId}`)
    expect(JSON.stringify(record)).not.toMatch(MARK)
  }, 300_000)

  it('is in the export of its profile, and an import restores it', async () => {
    const archive = await downloaded(test.app, writer, { profile_id: writer.profileId })
    const record = jsonOf(await unzip(archive), 'content/looms.json')
    expect(record).toMatchObject({
      title: 'Looms',
      draft: { title: 'zzdraft-title', cover_file_id: cover, base_version: 1 },
    })
    const other = await createTestApp()
    try {
      const person = await signUp(other.app)
      const job = await imported(other.app, person, archive)
      expect(job.status, JSON.stringify(job)).toBe('succeeded')
      const profile = (await person.get('/profiles/u/drafting')).json()
      const [page] = (await person.get(`/manage/pages?profile_id=${profile.id}`)).json().data
      const draft = (await person.get(`/manage/pages/${page.id}/draft`)).json()
      expect(draft).toMatchObject({ title: 'zzdraft-title', excerpt: 'zzdraft-excerpt', base_version: 1 })
      expect(draft.cover_url).toMatch(/\/files\/\d+/)
      expect((await client(other.app).get('/u/drafting/content/looms?format=json')).body).not.toMatch(MARK)
    } finally {
      await other.close()
    }
  })

  it('is deleted with its page', async () => {
    await writer.delete(`/manage/pages/${pageId}`)
    expect(await test.storage.read.pageDrafts?.get(pageId)).toBeUndefined()
  })
})
