import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTab } from '../support/checkout-browser.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { startHost, until } from '../support/host.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'
/** The picture of the README. UPDATE_PICTURES=1 takes it again. */
const PICTURE = join(import.meta.dirname, '../../docs/pictures/page-for-sale.png')
/** A sentence of the page that is for sale. */
const SOLD = 'Small craft: be in by 17:00.'

describe.skipIf(chromiumPath === undefined)(`a host that is started without any variable (${where})`, () => {
  const directory = mkdtempSync(join(tmpdir(), 'eep-first-sale-'))
  let host: Awaited<ReturnType<typeof startHost>>
  let browser: Browser
  /** The addresses that the host prints. */
  let printed: Readonly<Record<'Open' | 'Buy' | 'Sell' | 'Mail', string>>

  beforeAll(async () => {
    host = await startHost({ EEP_DATA_DIR: directory })
    const lineOf = (name: string) =>
      new RegExp(`^${name} (http\\S+)$`, 'm').exec(host.said.stdout + host.said.stderr)?.[1]
    const addressOf = (name: string) =>
      until(
        () => lineOf(name),
        () => `the line ${name} in ${host.said.stdout}`,
      )
    printed = {
      Open: await addressOf('Open'),
      Buy: await addressOf('Buy'),
      Sell: await addressOf('Sell'),
      Mail: await addressOf('Mail'),
    }
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await host?.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

  it('sells a page to an anonymous visitor in at most four clicks without script, and its seller sees and refunds the sale', async () => {
    const buyer = await openTab(browser, { javaScriptEnabled: false, locale: 'en-GB' })
    const answer = await buyer.page.goto(printed.Buy)
    expect([answer?.status(), answer?.headers()['x-eep-sandbox']]).toEqual([402, 'true'])
    expect(await buyer.page.textContent('main')).not.toContain(SOLD)
    await press(buyer.page, /^Pay .* by card$/)
    await buyer.page.waitForURL('**/sandbox/checkout/*')
    await press(buyer.page, 'Pay with test card')
    await buyer.page.waitForURL(printed.Buy)
    expect(await buyer.page.textContent('main')).toContain(SOLD)

    const seller = await openTab(browser, { javaScriptEnabled: false, locale: 'en-GB' })
    await seller.page.goto(printed.Sell)
    expect(new URL(seller.page.url()).search).toBe('')
    await press(seller.page, 'Refund')
    await seller.page.getByText('refunded').waitFor()
    await buyer.page.goto(printed.Buy)
    expect(await buyer.page.textContent('main')).not.toContain(SOLD)
    expect([...buyer.troubles, ...seller.troubles]).toEqual([])
    await seller.close()
    await buyer.close()
  })

  it('shows nothing of the seller to a visitor without the key', async () => {
    const { page, close } = await openTab(browser, { locale: 'en-GB' })
    for (const address of [printed.Sell, printed.Mail]) {
      const { origin, pathname } = new URL(address)
      expect((await page.goto(origin + pathname))?.status()).toBe(404)
    }
    await close()
  })

  it('opens a page with facts, offers and pictures for every type of profile on its start page', async () => {
    const { page, troubles, close } = await openTab(browser, { locale: 'en-GB' })
    await page.goto(printed.Open)
    const paths = await page.locator('.pc h3 a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    const prefixes = new Set(paths.map((path) => path?.split('/')[1]))
    expect([...prefixes].sort()).toEqual(['a', 'agent', 'e', 'k', 'l', 'o', 'p', 'u', 'x'])
    expect(troubles).toEqual([])
    await close()
  })

  it('looks like the picture that readers of the repository see', async () => {
    const { page, close } = await openTab(browser, { locale: 'en-GB', viewport: { width: 1_000, height: 760 } })
    await page.goto(printed.Buy)
    const picture = await page.screenshot({ animations: 'disabled' })
    if (process.env.UPDATE_PICTURES) writeFileSync(PICTURE, picture)
    // Width and height in the first chunk of a PNG.
    expect(readFileSync(PICTURE).subarray(16, 24)).toEqual(picture.subarray(16, 24))
    await close()
  })
})
