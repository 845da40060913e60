import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync } from 'node:zlib'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newRegistration, PASSWORD, signUp } from './support/accounts.ts'
import { createTestApp } from './support/app.ts'
import { axeViolations } from './support/axe.ts'
import { chromiumPath, launchChromium } from './support/chromium.ts'
import { createMailbox, tokenIn } from './support/mailbox.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'
const MAX_BYTES = 20 * 1_024
const PATHS = [
  '/login',
  '/login?oauth_error=invalid_email',
  '/register',
  '/logout',
  '/forgot-password',
  '/reset-password?token=x',
  '/verify?token=x',
  '/purchases',
  '/pricing',
]
const SIGNED_IN_PATHS = [
  '/dashboard',
  '/logout',
  '/purchases',
  '/account/plan',
  '/account/notifications',
  '/account/transfers',
  '/team/invite',
  '/workspaces/invite',
]

/** A port that is free at the moment. The public URL, which forms are checked by, has it. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe.skipIf(chromiumPath === undefined)(`pages of accounts in a browser (${where})`, () => {
  const mailbox = createMailbox()
  let test: Awaited<ReturnType<typeof createTestApp>>
  let browser: Browser
  let base: string

  beforeAll(async () => {
    const port = await freePort()
    base = `http://127.0.0.1:${port}`
    test = await createTestApp({ publicUrl: base, email: { mailer: mailbox.mailer } })
    await test.app.listen({ port, host: '127.0.0.1' })
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await test.close()
  })

  async function openTab(options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ baseURL: base, ...options })
    const page = await context.newPage()
    const troubles: string[] = []
    page.on('console', (message) => troubles.push(message.text()))
    page.on('pageerror', (error) => troubles.push(String(error)))
    return { page, troubles, close: () => context.close() }
  }

  it('create and verify an account, and sign out, without script', async () => {
    const { page, troubles, close } = await openTab({ javaScriptEnabled: false })
    const { email, username, password } = newRegistration()
    await page.goto('/dashboard')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.waitForURL('**/dashboard')
    await page.goto(`/verify?token=${tokenIn(await mailbox.take(email, 'verification'))}`)
    await page.getByRole('button', { name: 'Verify the address' }).click()
    expect(await page.textContent('.notice')).toBe('Your email address is verified.')
    await page.getByRole('link', { name: 'Continue to your account' }).click()
    expect(await page.getByRole('link', { name: username }).count()).toBe(1)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/login?done=signed_out')
    expect(troubles).toEqual([])
    await close()
  })

  it('accept an invitation to a team with a new account, without script', async () => {
    const ada = await signUp(test.app)
    const { email, username, password } = newRegistration()
    const invites = `/profiles/${ada.account.active_profile_id}/team/invites`
    expect((await ada.post(invites, { email, role: 'editor' })).statusCode).toBe(201)
    const { page, troubles, close } = await openTab({ javaScriptEnabled: false })
    await page.goto(`/team/invite?token=${tokenIn(await mailbox.take(email, 'invitation'))}`)
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByRole('button', { name: 'Accept' }).click()
    expect(await page.textContent('.notice')).toBe('You have joined.')
    expect(await page.getByRole('link', { name: ada.account.username }).count()).toBe(1)
    expect(troubles).toEqual([])
    await close()
  })

  it('are operated with the keyboard, and give the focus to what went wrong', async () => {
    const { page, close } = await openTab()
    await page.goto('/login')
    await page.getByLabel('Email address').focus()
    await page.keyboard.type('unknown@example.com')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Wrong 1 password')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=alert]')
    expect(await page.title()).toMatch(/^Problem: Sign in/)
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('alert')
    expect(await page.inputValue('[name=email]')).toBe('unknown@example.com')
    await close()
  })

  it.each(PATHS)('%s is small, fits a narrow screen, and breaks no rule of its policy', async (path) => {
    for (const locale of ['en', 'de', 'ja', 'ar']) {
      const { page, troubles, close } = await openTab({ locale, viewport: { width: 320, height: 640 } })
      await page.goto(path)
      expect(brotliCompressSync(await page.content()).length).toBeLessThan(MAX_BYTES)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
      expect(troubles).toEqual([])
      await close()
    }
  })

  it.each(PATHS)('%s breaks no rule of accessibility, in light and dark', async (path) => {
    const { page, close } = await openTab()
    await page.goto(path)
    expect(await axeViolations(page)).toEqual([])
    await close()
  })

  it('break no rule of accessibility and fit a narrow screen for an account', async () => {
    const { account } = await signUp(test.app)
    const { page, troubles, close } = await openTab({ viewport: { width: 320, height: 640 } })
    await page.goto('/login')
    await page.getByLabel('Email address').fill(account.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('**/dashboard')
    for (const path of SIGNED_IN_PATHS) {
      await page.goto(path)
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(320)
      expect(await axeViolations(page), path).toEqual([])
    }
    expect(troubles).toEqual([])
    await close()
  })
})
