import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newRegistration, PASSWORD } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { axeViolations } from '../support/axe.ts'
import { openAddress, openTab, tabTo, widthOf } from '../support/checkout-browser.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { authorizePath, LOOM, redeem, registerApp } from '../support/consent.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'
const CURSOR = 'cursor://anysphere.cursor-mcp/oauth/callback'

/** The box of a scope below the heading of its group. */
const scopeBox = (page: Page, group: string, label: string) =>
  page.getByRole('group', { name: group, exact: true }).getByLabel(label)

describe.skipIf(chromiumPath === undefined)(`connecting an app in a browser (${where})`, () => {
  let address: Awaited<ReturnType<typeof openAddress>>
  let test: Awaited<ReturnType<typeof createTestApp>>
  let browser: Browser
  const person = newRegistration()

  beforeAll(async () => {
    address = await openAddress()
    test = await createTestApp({
      publicUrl: address.url,
      oauthServer: { clients: [{ ...LOOM, redirectUris: [...LOOM.redirectUris, CURSOR] }] },
    })
    const registered = await test.app.inject({ method: 'POST', url: '/auth/register', payload: person })
    if (registered.statusCode !== 201) throw new Error(registered.body)
    address.serve(await test.app.listen({ port: 0, host: '127.0.0.1' }))
    browser = await launchChromium()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await test?.close()
    await address?.close()
  })

  /** Opens an authorization request, signs in, and comes back to the page that asks. */
  async function openConsent(page: Page, changes: Parameters<typeof authorizePath>[0] = {}) {
    await page.goto(address.url + authorizePath(changes))
    await page.locator('input[name=email]').fill(person.email)
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.locator('main form button[type=submit]').first().click()
    await page.waitForURL('**/oauth/authorize?r=*')
  }

  /**
   * Presses a button whose answer leads to the app, and returns the address that the browser asks for. No program is
   * there, so it ends when the browser shows its own page about that: until then the next visit would be interrupted.
   */
  async function leaveBy(page: Page, button: string, origin: string): Promise<string> {
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.url().startsWith(`${origin}/`)),
      page.waitForEvent('framenavigated', (frame) => frame.url().startsWith('chrome-error:')),
      page.getByRole('button', { name: button }).click(),
    ])
    return request.url()
  }

  /** What the policy of a page reported. The browser also reports that it finds no program at the address of the app. */
  const reports = (troubles: readonly string[]) =>
    troubles.filter((text) => /policy|form-action|refused to/i.test(text))

  it('connects, narrows, widens and disconnects without script', async () => {
    const { page, troubles, close } = await openTab(browser, { javaScriptEnabled: false, locale: 'en-GB' })
    await openConsent(page, { scope: 'read:profiles read:content write:content' })
    await scopeBox(page, 'Change', 'Pages and jobs').uncheck()
    const code = new URL(await leaveBy(page, 'Allow', 'https://loom.example')).searchParams.get('code')
    expect(code).toMatch(/^eepc_/)
    expect((await redeem(test.app, code ?? '')).json().scope).toBe('read:profiles read:content')

    await page.goto(`${address.url}/account/apps`)
    await page.getByRole('link', { name: 'Change or disconnect' }).click()
    await scopeBox(page, 'Read', 'Profiles and teams').uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The app was changed.').waitFor()
    await scopeBox(page, 'Change', 'Pages and jobs').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The app was changed.').waitFor()
    expect(await scopeBox(page, 'Change', 'Pages and jobs').isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('The app was disconnected.').waitFor()
    expect(await page.textContent('main')).toContain('No app is connected.')
    expect(reports(troubles)).toEqual([])
    await close()
  })

  it.each([
    ['an https address', { redirect_uri: 'https://loom.example/back' }, 'https://loom.example'],
    ['a loopback address', { redirect_uri: 'http://127.0.0.1:51234/back' }, 'http://127.0.0.1:51234'],
  ])('leads to %s without a report of the policy', async (_name, changes, origin) => {
    const { page, troubles, close } = await openTab(browser, { locale: 'en-GB' })
    await openConsent(page, changes)
    expect(await leaveBy(page, 'Allow', origin)).toContain(`${changes.redirect_uri}?code=eepc_`)
    expect(reports(troubles)).toEqual([])
    await close()
  })

  it('leads to a private-use scheme without a report of the policy', async () => {
    const { page, troubles, close } = await openTab(browser, { locale: 'en-GB' })
    await openConsent(page, { redirect_uri: CURSOR })
    expect(await page.textContent('main')).toContain('cursor:')
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByRole('button', { name: 'Allow' }).click()
    expect((await answered).headers().location).toMatch(
      /^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?code=eepc_/,
    )
    // No program here opens the address, which the browser may say. The policy must not be what stops it.
    await page.waitForTimeout(300)
    expect(reports(troubles)).toEqual([])
    await close()
  })

  it('is used with the keyboard alone, and gives the focus to no button', async () => {
    const { page, close } = await openTab(browser, { locale: 'en-GB' })
    await openConsent(page)
    const focused = await page.evaluate<string>('document.activeElement?.tagName ?? ""')
    expect(focused).not.toBe('BUTTON')
    await tabTo(page, scopeBox(page, 'Read', 'Pages and jobs'))
    await page.keyboard.press('Space')
    expect(await scopeBox(page, 'Read', 'Pages and jobs').isChecked()).toBe(false)
    await tabTo(page, page.getByRole('button', { name: 'Deny' }))
    const [denied] = await Promise.all([
      page.waitForRequest((each) => each.url().startsWith('https://loom.example/')),
      page.keyboard.press('Enter'),
    ])
    expect(denied.url()).toContain('error=access_denied')
    await close()
  })

  it.each([
    ['en-GB', 320],
    ['de-DE', 390],
    ['ar', 390],
    ['ja-JP', 1_280],
  ])('fits, and passes axe, in %s at %i pixels', async (locale, width) => {
    const { page, close } = await openTab(browser, { locale, viewport: { width, height: 800 } })
    const client_id = await registerApp(test.app, 'A program with a rather long name, for 320 px', [
      'http://localhost/back',
      'https://a-rather-long-host-name-of-an-app.example/oauth/callback',
    ])
    const scope = 'read:profiles read:content write:content commerce:negotiate spend:payments'
    await openConsent(page, { client_id, scope, redirect_uri: 'http://localhost:51234/back' })
    const looks = [await axeViolations(page)]
    expect(await widthOf(page)).toBeLessThanOrEqual(width)
    const redirect_uri = 'https://a-rather-long-host-name-of-an-app.example/oauth/callback'
    await page.goto(address.url + authorizePath({ client_id, scope, redirect_uri }))
    await page.locator('input[name=limit_purchase]').fill('700')
    await page.locator('button[value=allow]').click()
    await page.getByRole('alert').waitFor()
    looks.push(await axeViolations(page))
    expect(await widthOf(page)).toBeLessThanOrEqual(width)
    await page.goto(`${address.url}/device?user_code=BCDF-GHJK`)
    looks.push(await axeViolations(page))
    expect(await widthOf(page)).toBeLessThanOrEqual(width)
    await page.goto(`${address.url}/account/connected-apps`)
    looks.push(await axeViolations(page))
    expect(await widthOf(page)).toBeLessThanOrEqual(width)
    expect(looks).toEqual([[], [], [], []])
    await close()
  })
})
