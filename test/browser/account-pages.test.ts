import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newRegistration, PASSWORD, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { tabTo } from '../support/checkout-browser.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'
import { freePort } from '../support/ports.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'

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

  it('accept an invitation to a team with the keyboard alone', async () => {
    const [ada, guest] = [await signUp(test.app), await signUp(test.app)]
    const invites = `/profiles/${ada.account.active_profile_id}/team/invites`
    const { email } = guest.account
    expect((await ada.post(invites, { email, role: 'editor' })).statusCode).toBe(201)
    const { page, troubles, close } = await openTab()
    await page.goto(`/team/invite?token=${tokenIn(await mailbox.take(email, 'invitation'))}`)
    await tabTo(page, page.locator('main').getByRole('link', { name: 'Sign in' }))
    await page.keyboard.press('Enter')
    const password = page.getByLabel('Password')
    await password.waitFor()
    await tabTo(page, page.getByLabel('Email address'))
    await page.keyboard.type(email)
    await tabTo(page, password)
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    const accept = page.getByRole('button', { name: 'Accept' })
    await accept.waitFor()
    await tabTo(page, accept)
    await page.keyboard.press('Enter')
    await page.getByText('You have joined.').waitFor()
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
})
