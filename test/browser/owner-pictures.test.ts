import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTab } from '../support/checkout-browser.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { startHost, until } from '../support/host.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'

/** The pictures of the guides for owners and administrators. UPDATE_PICTURES=1 takes them again. */
const PICTURES = join(import.meta.dirname, '../../docs/pictures')
const MAX_BYTES = 60 * 1024
const SIZE = { width: 1_000, height: 720 }

/** A screen of a guide, and what to show of it. */
interface Shot {
  readonly picture: string
  readonly path: string
  /** What the guide names on the screen. */
  readonly names: readonly string[]
  /** Brings the part that the guide is about into view. */
  readonly before?: (page: Page) => Promise<unknown>
}

describe.skipIf(chromiumPath === undefined)(`the pictures of the guides for owners (${where})`, () => {
  const directory = mkdtempSync(join(tmpdir(), 'eep-owner-pictures-'))
  let host: Awaited<ReturnType<typeof startHost>>
  let browser: Browser
  let tab: Awaited<ReturnType<typeof openTab>>
  let desk: string

  beforeAll(async () => {
    host = await startHost({ EEP_DATA_DIR: directory, EEP_RATE_LIMIT_MULTIPLIER: '100' })
    const lineOf = (name: string) =>
      new RegExp(`^${name} (http\\S+)$`, 'm').exec(host.said.stdout + host.said.stderr)?.[1]
    const addressOf = (name: string) =>
      until(
        () => lineOf(name),
        () => `the line ${name} in ${host.said.stdout}`,
      )
    const buy = await addressOf('Buy')
    desk = await addressOf('Sell')
    browser = await launchChromium()
    // Something to refund and to count.
    const buyer = await openTab(browser, { locale: 'en-GB' })
    await buyer.page.goto(buy)
    await buyer.page
      .getByRole('button', { name: /^Pay .* by card$/ })
      .first()
      .click()
    await buyer.page.waitForURL('**/sandbox/checkout/*')
    await buyer.page.getByRole('button', { name: 'Pay with test card' }).click()
    await buyer.page.waitForURL(buy)
    await buyer.close()
    tab = await openTab(browser, { locale: 'en-GB', viewport: SIZE })
  })
  afterAll(async () => {
    await tab?.close()
    await browser?.close()
    await host?.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  async function continueAs(name: string) {
    await tab.page.goto(desk)
    await tab.page.getByRole('button', { name }).click()
    await tab.page.waitForURL((url) => !url.pathname.startsWith('/sandbox'))
  }

  /** Takes a picture again when that is asked for, and checks the one in the docs. */
  async function compare({ picture, path, names, before }: Shot) {
    await tab.page.goto(new URL(path, desk).href)
    const text = await tab.page.textContent('body')
    for (const name of names) expect(text, path).toContain(name)
    await before?.(tab.page)
    const file = join(PICTURES, picture)
    const taken = await tab.page.screenshot({ animations: 'disabled' })
    if (process.env.UPDATE_PICTURES) {
      writeFileSync(file, await sharp(taken).png({ palette: true, colours: 48, compressionLevel: 9 }).toBuffer())
    }
    expect(readFileSync(file).subarray(16, 24), picture).toEqual(taken.subarray(16, 24))
    expect(statSync(file).size, picture).toBeLessThanOrEqual(MAX_BYTES)
  }

  const intoView = (text: string) => (page: Page) =>
    page
      .getByText(text, { exact: true })
      .first()
      .evaluate((element) => element.scrollIntoView({ block: 'center' }))

  it('show the screens of an owner as they are, with what the guides name', async () => {
    await continueAs('Continue as the owner of the demo')
    const { page } = tab
    await page.goto(new URL('/dashboard', desk).href)
    const sales = (await page.locator('a[href$="/sales"]').first().getAttribute('href')) ?? ''
    const [profile = ''] = /\/manage\/profiles\/\d+/.exec(sales) ?? []
    expect(profile).not.toBe('')
    await page.goto(new URL(`${profile}/content`, desk).href)
    const editor = (await page.locator(`a[href*="${profile}/pages/"]`).first().getAttribute('href')) ?? ''
    const shots: readonly Shot[] = [
      { picture: 'owner-first-page.png', path: editor, names: ['Save draft', 'Preview', 'Publish'] },
      {
        picture: 'owner-price.png',
        path: editor,
        names: ['Save who may read it'],
        before: (shown) => shown.getByLabel('Paid').check(),
      },
      {
        picture: 'owner-refund.png',
        path: `${profile}/sales`,
        names: ['Refund this sale', 'Download as CSV'],
        before: (shown) => shown.getByText('Refund', { exact: true }).first().click(),
      },
      { picture: 'owner-files.png', path: `${profile}/files`, names: ['Upload'] },
      { picture: 'owner-team.png', path: `${profile}/team`, names: ['Invite a person', 'Send the invitation'] },
      { picture: 'owner-numbers.png', path: `${profile}/analytics`, names: ['28 days', 'Reads by day'] },
      { picture: 'owner-payouts.png', path: '/account/payouts', names: ['Add a wallet', 'Commission'] },
      {
        picture: 'owner-keys.png',
        path: '/account/keys',
        names: ['New key', 'What it may do', 'Create the key'],
        before: intoView('New key'),
      },
      { picture: 'owner-export.png', path: `${profile}/exports`, names: ['Start an export', 'Format'] },
      { picture: 'owner-security.png', path: '/account/second-factor', names: ['Set up'] },
    ]
    for (const shot of shots) await compare(shot)
    expect(tab.troubles).toEqual([])
  })

  it('show the overview of an administrator', async () => {
    await continueAs('Continue as an administrator')
    // A part of a busy machine may have been measured as not available.
    await expect
      .poll(async () => {
        await tab.page.goto(new URL('/admin', desk).href)
        return tab.page.textContent('main')
      })
      .toContain('The service is ready.')
    await compare({ picture: 'admin-overview.png', path: '/admin', names: ['Health', 'Payment rails'] })
  })
})
