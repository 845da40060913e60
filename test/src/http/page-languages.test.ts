import { pageTexts } from '@eep/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newRegistration, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { openBrowser } from '../support/pages.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
let username: string
let tab: ReturnType<typeof openBrowser>

const PUBLIC = [
  '/',
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password?token=none',
  '/verify?token=none',
  '/pricing',
  '/purchases',
  '/u/{username}',
  '/u/{username}/content',
  '/u/{username}/changelog',
  '/feed',
  '/feed/posts/{post}',
  '/feed/posts/{post}/replies',
  '/notifications/unsubscribe?token=none',
  '/no-such-page',
]
const OWN = [
  '/dashboard',
  '/account/notifications',
  '/account/second-factor',
  '/account/security',
  '/account/transfers',
  '/account/plan',
  '/logout',
  '/team/invite',
  '/workspaces/invite',
]
let post: number

beforeAll(async () => {
  test = await createTestApp()
  const author = await signUp(test.app)
  username = author.account.username
  const saved = await author.put(`/profiles/u/${username}`, { bio: 'x', skills: ['y'] })
  expect(saved.statusCode).toBe(200)
  const posted = await author.post('/feed', { body: 'z' })
  expect(posted.statusCode).toBe(201)
  post = posted.json().id
  tab = openBrowser(test.app, { 'accept-language': 'de' })
  await tab.submit('/register', newRegistration())
})
afterAll(() => test.close())

/** The English texts that are not German too, without those that are parts of German ones. */
const german = Object.values(pageTexts('de')).join('\n')
const ENGLISH = [...new Set(Object.values(pageTexts('en')))].filter(
  (text) => text.length > 5 && !text.includes('{') && !german.includes(text),
)

/** The text of a page between its tags, without lists for programs, which are marked as English. */
const textsIn = (body: string) =>
  body
    .replaceAll(/<(script|style|title)\b[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<(\w+) lang="en"[\s\S]*?<\/\1>/g, '')
    .split(/<[^>]*>/)
    .map((text) => text.trim().replaceAll('&#39;', "'").replaceAll('&quot;', '"'))
    .filter((text) => text !== '')

describe.each(['anonymous', 'signed in'])('a page for a visitor who is %s and prefers German', (who) => {
  it.each(who === 'anonymous' ? PUBLIC : OWN)('has no English text at %s', async (path) => {
    const url = path.replace('{username}', username).replace('{post}', String(post))
    const browser = who === 'anonymous' ? openBrowser(test.app, { 'accept-language': 'de' }) : tab
    const { body } = await browser.open(url)
    expect(body).toContain('<html lang="de"')
    expect(textsIn(body).filter((text) => ENGLISH.includes(text))).toEqual([])
  })
})

it('shows the changes of a profile with the names of its fields in German', async () => {
  const { body } = await openBrowser(test.app, { 'accept-language': 'de' }).open(`/u/${username}/changelog`)
  expect(body).toContain('Profil angelegt')
  expect(body).toMatch(/Geändert: (Beschreibung, Fähigkeiten|Fähigkeiten, Beschreibung)/)
})
