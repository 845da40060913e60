import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { createWriter, type PageRecord, type Writer } from '../support/content.ts'
import { newPost, OPEN_FEED } from '../support/feed.ts'
import { makeContactable, OPEN_MESSAGES, signUpTrusted } from '../support/messages.ts'
import { openNarrowTab } from '../support/page-faults.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'

describe.skipIf(chromiumPath === undefined)(`buttons and forms of pages in a browser (${where})`, () => {
  let test: Awaited<ReturnType<typeof createTestApp>>
  let browser: Browser
  let base: string
  let writer: Writer
  let article: PageRecord
  let postPath: string

  beforeAll(async () => {
    test = await createTestApp({ publicUrl: 'http://localhost', ...OPEN_FEED, ...OPEN_MESSAGES })
    writer = await createWriter(test.app, 'browsed-writer')
    await makeContactable(writer)
    article = await writer.newPage({ title: 'On engines', body: 'Words' })
    postPath = `/feed/posts/${(await newPost(writer, 'A post')).id}`
    await test.app.listen({ port: 0, host: '127.0.0.1' })
    base = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await test.close()
  })

  /** A tab of a person, with or without scripts. */
  async function openTab(person: Pick<Person, 'token'> | undefined, hasScript: boolean) {
    const context = await browser.newContext({ baseURL: base, locale: 'en', javaScriptEnabled: hasScript })
    if (person) await context.addCookies([{ name: 'eep_session', value: person.token, url: base }])
    const page = await context.newPage()
    const troubles: string[] = []
    page.on('console', (message) => troubles.push(message.text()))
    page.on('pageerror', (error) => troubles.push(String(error)))
    return { page, troubles, close: () => context.close() }
  }

  describe.each([
    ['without script', false],
    ['with script', true],
  ])('%s', (_, hasScript) => {
    it('follows a profile, confirms it beside the button, and unfollows it', async () => {
      const { page, troubles, close } = await openTab(await signUp(test.app), hasScript)
      await page.goto('/u/browsed-writer')
      const button = page.getByRole('button', { name: 'Follow' })
      expect(await button.getAttribute('aria-pressed')).toBe('false')
      await button.click()
      await page.getByRole('status').waitFor()
      expect(await page.getByRole('status').textContent()).toBe('You follow this profile now.')
      expect(await button.getAttribute('aria-pressed')).toBe('true')
      await page.reload()
      expect(await page.getByRole('status').count()).toBe(0)
      await page.getByRole('button', { name: 'Follow' }).click()
      await page.getByText('You no longer follow this profile.').waitFor()
      expect(troubles).toEqual([])
      await close()
    })

    it('likes and bookmarks a page by the keyboard', async () => {
      const { page, close } = await openTab(await signUp(test.app), hasScript)
      await page.goto(article.path)
      await page.getByRole('button', { name: 'Like' }).press('Enter')
      await page.getByText('You like this page.').waitFor()
      await page.getByRole('button', { name: 'Bookmark' }).press('Enter')
      await page.getByText('This page is in your bookmarks.').waitFor()
      expect(await page.getByRole('button', { pressed: true }).count()).toBe(2)
      await close()
    })

    it('replies to a post, and reports it', async () => {
      const { page, close } = await openTab(await signUp(test.app), hasScript)
      await page.goto(postPath)
      await page.getByRole('textbox', { name: 'Your reply' }).fill('I agree')
      await page.getByRole('button', { name: 'Reply' }).click()
      await page.getByText('Your reply was posted.').waitFor()
      await page.getByRole('link', { name: 'Report' }).click()
      await page.getByRole('textbox', { name: 'What is wrong with it?' }).fill('Nothing really')
      await page.getByRole('button', { name: 'Send the report' }).click()
      await page.getByText('An administrator will look at it.').waitFor()
      expect(new URL(page.url()).pathname).toBe(postPath)
      await close()
    })

    it('writes a message, which its receiver reads and answers', async () => {
      const person = await signUpTrusted(test.app, test.storage)
      const { page, close } = await openTab(person, hasScript)
      await page.goto('/u/browsed-writer')
      await page.getByRole('link', { name: 'Message', exact: true }).click()
      await page.getByRole('textbox', { name: 'Your message' }).fill('A question about engines')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('Your message was sent.').waitFor()
      expect(new URL(page.url()).pathname).toBe('/u/browsed-writer')
      const reader = await openTab(writer, hasScript)
      await reader.page.goto('/messages')
      await reader.page.getByRole('link', { name: person.account.username }).first().click()
      await reader.page.getByRole('textbox', { name: 'Your message' }).fill('An answer')
      await reader.page.getByRole('button', { name: 'Send' }).click()
      await reader.page.getByText('Your message was sent.').waitFor()
      await reader.close()
      await close()
    })

    it('signs out by the menu', async () => {
      const { page, close } = await openTab(await signUp(test.app, `leaver-${hasScript}`), hasScript)
      await page.goto('/')
      await page.getByText(`Menu of leaver-${hasScript}`).locator('..').click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.waitForURL('**/login?*')
      await page.goto('/')
      expect(await page.getByText('Menu of').count()).toBe(0)
      await close()
    })
  })

  it.each(['en', 'de', 'ja', 'ar'])(
    'has no faults on narrow pages with buttons and the menu, in %s',
    async (locale) => {
      const person = await signUpTrusted(test.app, test.storage)
      const paths = ['/u/browsed-writer', article.path, '/feed', postPath]
      const own = ['/messages', '/messages/new?to=u/browsed-writer', `/reports/new?post=${postPath.split('/').at(-1)}`]
      for (const session of [undefined, person.token]) {
        const tab = await openNarrowTab(browser, base, locale, session)
        for (const path of session === undefined ? paths : [...paths, ...own]) {
          await tab.page.goto(path)
          if (session !== undefined) await tab.page.locator('.menu summary').click()
          expect([path, await tab.faults()]).toEqual([path, []])
        }
        await tab.close()
      }
    },
  )
})
