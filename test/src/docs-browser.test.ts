import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp } from './support/app.ts'
import { chromiumPath, launchChromium } from './support/chromium.ts'

// The workspace does not contain a browser; `.ci/run` installs one.
describe.skipIf(chromiumPath === undefined)('the API reference in a browser', () => {
  const address = { port: 0, host: '127.0.0.1' }
  let service: Awaited<ReturnType<typeof createTestApp>>
  let browser: Browser
  let base: string
  beforeAll(async () => {
    service = await createTestApp()
    base = await service.app.listen(address)
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  async function open(url: string) {
    const page = await browser.newPage()
    const asked: string[] = []
    const faults: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    await page.goto(url)
    return { page, asked, faults }
  }

  it('shows the operations without requests to other hosts and without violations of its policy', async () => {
    const { page, asked, faults } = await open(`${base}/docs#/discovery/getCapabilities`)
    await page.locator('#operations-discovery-getCapabilities .opblock-body').waitFor({ timeout: 60_000 })
    expect(await page.locator('.opblock-tag').count()).toBeGreaterThan(5)
    expect(await page.locator('#operations-discovery-getCapabilities').textContent()).toContain('rate_limited')
    expect(asked.filter((url) => !url.startsWith(base) && !url.startsWith('data:'))).toEqual([])
    expect(faults).toEqual([])
    await page.close()
  }, 300_000)

  it('explains what to do without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${base}/docs`)
    expect(await page.locator('main a').getAttribute('href')).toBe('/discover')
    expect(await page.locator('nav a').count()).toBe(5)
    await context.close()
  }, 300_000)
})
