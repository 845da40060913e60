import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newRegistration } from '../support/accounts.ts'
import { openTab } from '../support/checkout-browser.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { startHost, until } from '../support/host.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'
const MAX_CLICKS = 12
const SOLD = 'The second row is always two.'

describe.skipIf(chromiumPath === undefined)(`the first sale of a new owner (${where})`, () => {
  const directory = mkdtempSync(join(tmpdir(), 'eep-new-owner-'))
  let host: Awaited<ReturnType<typeof startHost>>
  let browser: Browser
  let printed: Readonly<Record<'Open' | 'Mail', string>>

  beforeAll(async () => {
    host = await startHost({ EEP_DATA_DIR: directory })
    const addressOf = (name: string) =>
      until(
        () => new RegExp(`^${name} (http\\S+)$`, 'm').exec(host.said.stdout + host.said.stderr)?.[1],
        () => `the line ${name} in ${host.said.stdout}`,
      )
    printed = { Open: await addressOf('Open'), Mail: await addressOf('Mail') }
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await host?.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  it('is twelve clicks away from the start page, and its seller sees it with one more', async () => {
    const owner = await openTab(browser, { locale: 'en-GB' })
    // The mailbox is open to the person who started the service.
    await owner.page.goto(printed.Mail)
    await owner.page.goto(printed.Open)
    let clicks = 0
    const click = async (element: Locator) => {
      clicks += 1
      await element.first().click()
    }
    const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name })
    const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

    await click(link(owner.page, 'Create an account'))
    const { email, username, password } = newRegistration(`new-owner-${Date.now().toString(36)}`)
    await owner.page.getByLabel('Email address').fill(email)
    await owner.page.getByLabel('Username').fill(username)
    await owner.page.getByLabel('Password').fill(password)
    await click(button(owner.page, 'Create an account'))
    await owner.page.waitForURL('**/dashboard')
    await click(link(owner.page, /^Open the mailbox/))
    await click(owner.page.getByRole('main').getByRole('link', { name: /^Confirm your email address/ }))
    const opened = owner.context.waitForEvent('page')
    await click(owner.page.frameLocator('iframe').getByRole('link'))
    const page = await opened
    await click(button(page, 'Verify the address'))
    await click(link(page, 'Continue to your account'))
    await click(link(page, 'Write a first page'))
    await page.getByLabel('Title').fill('Finite differences')
    await click(button(page, 'New page'))
    await page.getByLabel('Text', { exact: true }).fill(SOLD)
    await click(button(page, 'Publish'))
    await page.getByText('The page was published.').waitFor()
    await click(page.getByRole('radio', { name: /^Paid/ }))
    await page.getByLabel('Amount').fill('5')
    await click(button(page, 'Save who may read it'))
    await page.getByRole('status').getByText(/./).first().waitFor()
    const address = await link(page, 'See the page').getAttribute('href')
    expect(clicks).toBeLessThanOrEqual(MAX_CLICKS)

    const buyer = await openTab(browser, { locale: 'en-GB' })
    const url = new URL(address ?? '', printed.Open).href
    expect((await buyer.page.goto(url))?.status()).toBe(402)
    expect(await buyer.page.getByRole('main').textContent()).not.toContain(SOLD)
    await buyer.page
      .getByRole('button', { name: /^Pay .* by card$/ })
      .first()
      .click()
    await buyer.page.waitForURL('**/sandbox/checkout/*')
    await buyer.page.getByRole('button', { name: 'Pay with test card' }).click()
    await buyer.page.waitForURL(url)
    expect(await buyer.page.getByRole('main').textContent()).toContain(SOLD)

    await click(page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Sales' }))
    await page.getByRole('main').getByText('Finite differences').first().waitFor()
    expect(clicks).toBe(MAX_CLICKS + 1)
    expect([...owner.troubles, ...buyer.troubles]).toEqual([])
    await buyer.close()
    await owner.close()
  })
})
