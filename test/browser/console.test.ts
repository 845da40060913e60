import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newName, newRegistration } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { axeViolations } from '../support/axe.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { freePort } from '../support/ports.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'

describe.skipIf(chromiumPath === undefined)(`the console in a browser (${where})`, () => {
  let test: Awaited<ReturnType<typeof createTestApp>>
  let browser: Browser
  let base: string

  beforeAll(async () => {
    const port = await freePort()
    base = `http://127.0.0.1:${port}`
    test = await createTestApp({ publicUrl: base })
    await test.app.listen({ port, host: '127.0.0.1' })
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await test.close()
  })

  it.each([
    { way: 'with a script at 1280 pixels', javaScriptEnabled: true, width: 1280 },
    { way: 'without a script at 390 pixels', javaScriptEnabled: false, width: 390 },
  ])('leads from the start page to a published page $way', async ({ javaScriptEnabled, width }) => {
    const context = await browser.newContext({ baseURL: base, javaScriptEnabled, viewport: { width, height: 900 } })
    const page = await context.newPage()
    const troubles: string[] = []
    page.on('console', (message) => troubles.push(message.text()))
    page.on('pageerror', (error) => troubles.push(String(error)))
    const check = async () => {
      if (javaScriptEnabled) expect(await axeViolations(page)).toEqual([])
      const { scrollWidth, clientWidth } = await page.locator('html').evaluate(({ scrollWidth, clientWidth }) => ({
        scrollWidth,
        clientWidth,
      }))
      expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
    }

    await page.goto('/')
    await page.goto('/register?next=%2Fdashboard')
    const { email, username, password } = newRegistration()
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.waitForURL('**/dashboard')
    await check()
    await page.getByRole('link', { name: 'Create a profile' }).click()
    await check()
    const name = newName()
    await page.locator('main').getByLabel('Username').fill(name)
    await page.locator('main').getByLabel('Name', { exact: true }).fill('Difference Works')
    await page.getByRole('button', { name: 'Create the profile' }).click()
    await page.waitForURL('**/edit')
    expect(await page.getByRole('status').textContent()).toContain('The profile was created.')
    await check()
    await page.getByLabel('Description').fill('Makes engines')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The profile was saved.').waitFor()
    if (width < 900) await page.locator('.switch summary').click()
    await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Content' }).click()
    await page.waitForURL('**/content')
    await check()
    await page.getByLabel('Title').fill('Finite differences')
    await page.getByRole('button', { name: 'New page' }).click()
    await page.waitForURL('**/pages/*')
    await page.getByLabel('Text', { exact: true }).fill('The second row is *always* two.')
    await page.getByRole('button', { name: 'Preview' }).click()
    expect(await page.locator('.prose em').textContent()).toBe('always')
    await check()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('The page was published.').waitFor()
    await page.getByRole('link', { name: 'See the page' }).click()
    expect(await page.locator('article em, .prose em').first().textContent()).toBe('always')
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.waitForURL('**/pages/*')
    expect(troubles).toEqual([])
    await context.close()
  })
})
