import type { AddressInfo } from 'node:net'
import { shareCards } from '@eep/core/files'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { client } from '../support/client.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { openLibrary } from '../support/library.ts'
import { openNarrowTab } from '../support/page-faults.ts'
import { createCashApp, shopGate } from '../support/shop.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'

/** Colors that cannot be read on white, or not on black, or on neither. */
const ACCENTS = ['#ffee00', '#000080', '#777777', '#ff0000', '#ffffff']

describe.skipIf(chromiumPath === undefined)(`in a browser (${where})`, () => {
  let test: Awaited<ReturnType<typeof createCashApp>>
  let browser: Browser
  let library: Awaited<ReturnType<typeof openLibrary>>
  let base: string

  async function put(url: string, fields: object) {
    const answer = await client(test.app).put(url, fields, library.headers)
    expect(answer.statusCode, answer.body).toBe(200)
  }

  beforeAll(async () => {
    test = await createCashApp({ name: 'The Library', pages: { shareCards: shareCards() } })
    library = await openLibrary(test.app)
    const picture = await sharp({ create: { width: 120, height: 60, channels: 3, background: 'seagreen' } })
      .png()
      .toBuffer()
    const sent = await upload(test.app, [field('username', 'ada'), fileOf(picture, 'hills.png')], library.headers)
    const { id } = sent.json()
    const { tiers, ...gate } = shopGate({ amount: 0.25, per: 'month' })
    const access = ['profile.*', 'content.*', 'files.*']
    await put(`/eep/gates/${library.did}`, { ...gate, tiers: { ...tiers, public: { requirements: [], access } } })
    const pages = await client(test.app).get(`/manage/pages?profile_id=${library.profileId}`, library.headers)
    await put(`/manage/pages/${pages.json().data[0].id}`, { cover_url: `/files/${id}` })
    await put('/profiles/u/ada', { cover_url: `https://profiles.example/files/${id}` })
    await test.app.listen({ port: 0, host: '127.0.0.1' })
    base = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await test.close()
  })

  it.each(ACCENTS)('shows the pages of a profile with the color %s so that all of it can be read', async (accent) => {
    await put('/profiles/u/ada', { accent })
    const tab = await openNarrowTab(browser, base, 'en')
    for (const path of [library.profile, library.contents, library.page, library.gated]) {
      await tab.page.goto(path)
      expect([path, ...(await tab.faults())]).toEqual([path])
    }
    await tab.close()
  })

  it('uses the color of the profile, and that of the service on other pages', async () => {
    await put('/profiles/u/ada', { accent: '#aa0000' })
    const tab = await openNarrowTab(browser, base, 'en')
    const accentOf = async (path: string) => {
      await tab.page.goto(path)
      return tab.page.evaluate<string>("getComputedStyle(document.documentElement).getPropertyValue('--accent')")
    }
    expect([await accentOf(library.profile), await accentOf('/')]).toEqual(['#aa0000', '#1f5f4f'])
    expect(tab.reports()).toEqual([])
    await tab.close()
  })

  it('loads the cover of a profile and the thumbnail of a page', async () => {
    const tab = await openNarrowTab(browser, base, 'en')
    await tab.page.goto(library.profile)
    const widths = await tab.page.evaluate<number[]>(
      "Promise.all([...document.querySelectorAll('.cover, .thumb')].map((image) => { image.loading = 'eager'; return image.decode().then(() => image.naturalWidth) }))",
    )
    expect(widths).toEqual([120, 120])
    expect(tab.reports()).toEqual([])
    await tab.close()
  })
})
