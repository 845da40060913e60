import { brotliCompressSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { axeViolations } from '../support/axe.ts'
import { openTab, widthOf } from '../support/checkout-browser.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { freePort } from '../support/ports.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'
const MAX_BYTES = 20 * 1_024

/** Lets a page choose the passkey that autofill offers, with `choosePasskey()`. Browsers without a screen show no autofill. */
const AUTOFILL = `{
  const choice = Promise.withResolvers()
  const get = navigator.credentials.get.bind(navigator.credentials)
  PublicKeyCredential.isConditionalMediationAvailable = async () => true
  navigator.credentials.get = async ({ mediation, ...options }) => {
    if (mediation !== 'conditional') return get(options)
    document.documentElement.dataset.autofill = 'waits'
    options.signal.addEventListener('abort', () => choice.reject(options.signal.reason))
    await choice.promise
    return get(options)
  }
  globalThis.choosePasskey = choice.resolve
}`

describe.skipIf(chromiumPath === undefined)(`passkeys in a browser (${where})`, () => {
  let test: Awaited<ReturnType<typeof createTestApp>>
  let browser: Browser
  let base: string

  beforeAll(async () => {
    const port = await freePort()
    // Passkeys belong to a name, not to an address.
    base = `http://localhost:${port}`
    test = await createTestApp({ publicUrl: base })
    await test.app.listen({ port, host: '127.0.0.1' })
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await test?.close()
  })

  /** A tab of a device that has passkeys. */
  async function openDevice(locale = 'en-GB') {
    const tab = await openTab(browser, { baseURL: base, locale, viewport: { width: 320, height: 640 } })
    const devtools = await tab.context.newCDPSession(tab.page)
    await devtools.send('WebAuthn.enable')
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    })
    // A virtual device uses its passkey as soon as autofill may offer it, before a test can press anything.
    await tab.page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
    const setVerified = (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    const removeKeys = () => devtools.send('WebAuthn.clearCredentials', { authenticatorId })
    return { ...tab, setVerified, removeKeys }
  }

  async function signIn(page: Page, { account }: Person, path: string) {
    await page.goto(`/login?next=${path}`)
    await page.getByLabel('Email address').fill(account.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(({ pathname }) => pathname === path)
  }

  const confirmation = (page: Page) => page.locator('#add-password')

  async function addPasskey(page: Page, name: string) {
    await page.getByLabel('Name (optional)').fill(name)
    await confirmation(page).fill(PASSWORD)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.waitForURL('**/account/security?done=added')
  }

  it('are added on the page of an account, and sign in on the sign-in page', async () => {
    const ada = await signUp(test.app)
    const { page, context, troubles, close } = await openDevice()
    await signIn(page, ada, '/account/security')
    await addPasskey(page, 'Laptop')
    expect(await page.getByRole('status').first().textContent()).toBe('The passkey was added.')
    expect(await page.getByText('Laptop', { exact: true }).count()).toBe(1)
    await context.clearCookies()
    await page.goto('/login?next=/account/security')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(({ pathname }) => pathname === '/account/security')
    expect(await page.getByText('Last used on').count()).toBe(1)
    expect(troubles).toEqual([])
    await close()
  })

  it('confirm their own deletion', async () => {
    const ada = await signUp(test.app)
    const { page, troubles, close } = await openDevice()
    await signIn(page, ada, '/account/security')
    await addPasskey(page, 'Laptop')
    await page.getByText('Rename or delete').click()
    await page.getByRole('button', { name: 'Delete, confirmed by a passkey' }).click()
    await page.waitForURL('**/account/security?done=deleted')
    expect(await page.getByText('You have no passkeys.').count()).toBe(1)
    expect(troubles).toEqual([])
    await close()
  })

  it('are renamed and deleted with HTML forms', async () => {
    const ada = await signUp(test.app)
    const { page, troubles, close } = await openDevice()
    await signIn(page, ada, '/account/security')
    await addPasskey(page, '')
    await page.getByText('Rename or delete').click()
    await page.getByLabel('Name', { exact: true }).fill('Telephone')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.waitForURL('**/account/security?done=renamed')
    expect(await page.getByText('Telephone', { exact: true }).count()).toBe(1)
    await page.getByText('Rename or delete').click()
    await page.getByLabel('Your password').first().fill(PASSWORD)
    await page.getByRole('button', { name: 'Delete the passkey' }).click()
    await page.waitForURL('**/account/security?done=deleted')
    expect(troubles).toEqual([])
    await close()
  })

  it('are added after the password, or a passkey that the account has', async () => {
    const ada = await signUp(test.app)
    const { page, troubles, removeKeys, close } = await openDevice()
    await signIn(page, ada, '/account/security')
    await confirmation(page).fill('Wrong horse 7 battery')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.locator('[data-state="wrongPassword"]').waitFor()
    await addPasskey(page, 'Laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    // The passkey of the device confirms, so the device already has one.
    await page.locator('[data-state="exists"]').waitFor()
    await removeKeys()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.locator('[data-state="cancelled"]').waitFor()
    expect((await ada.get('/auth/passkeys')).json().data).toHaveLength(1)
    expect(troubles.filter((trouble) => !trouble.includes('401'))).toEqual([])
    await close()
  })

  it('are offered in the autofill of the sign-in page', async () => {
    const ada = await signUp(test.app)
    const { page, context, close } = await openDevice()
    await signIn(page, ada, '/account/security')
    await addPasskey(page, 'Laptop')
    await context.clearCookies()
    await page.addInitScript(AUTOFILL)
    await page.goto('/login?next=/account/security')
    await page.locator('html[data-autofill=waits]').waitFor()
    expect(await page.locator('[data-passkey-status]').isVisible()).toBe(false)
    await page.evaluate('choosePasskey()')
    await page.waitForURL(({ pathname }) => pathname === '/account/security')
    // The button ends the request that waits.
    await context.clearCookies()
    await page.goto('/login?next=/account/security')
    await page.locator('html[data-autofill=waits]').waitFor()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(({ pathname }) => pathname === '/account/security')
    await close()
  })

  it('are not added twice to one device', async () => {
    const ada = await signUp(test.app)
    const { page, close } = await openDevice()
    await signIn(page, ada, '/account/security')
    await addPasskey(page, 'Laptop')
    const button = page.getByRole('button', { name: 'Add a passkey' })
    await confirmation(page).fill(PASSWORD)
    await button.click()
    await page.locator('[data-state="exists"]').waitFor()
    expect(await button.isEnabled()).toBe(true)
    await close()
  })

  it('are reported as not accepted when the service does not know the passkey of a device', async () => {
    const ada = await signUp(test.app)
    const { page, context, close } = await openDevice()
    await signIn(page, ada, '/account/security')
    await addPasskey(page, 'Laptop')
    const [passkey] = (await ada.get('/auth/passkeys')).json().data
    expect((await ada.send('DELETE', `/auth/passkeys/${passkey.id}`, { password: PASSWORD })).statusCode).toBe(200)
    await context.clearCookies()
    await page.goto('/login')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.locator('[data-state="refused"]').waitFor()
    expect(new URL(page.url()).pathname).toBe('/login')
    await close()
  })

  it('can be cancelled', async () => {
    const { page, setVerified, close } = await openDevice()
    await signIn(page, await signUp(test.app), '/account/security')
    await setVerified(false)
    await confirmation(page).fill(PASSWORD)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.locator('[data-state="cancelled"]').waitFor()
    expect(await page.getByText('You have no passkeys.').count()).toBe(1)
    await close()
  })

  it('are not offered without script, whose lack is explained', async () => {
    const { page, troubles, close } = await openTab(browser, { baseURL: base, javaScriptEnabled: false })
    await signIn(page, await signUp(test.app), '/account/security')
    expect(await page.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0)
    expect(await page.locator('noscript p').textContent()).toContain('needs JavaScript')
    await page.context().clearCookies()
    await page.goto('/login')
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0)
    expect(troubles).toEqual([])
    await close()
  })

  it('are not offered by a browser that has none', async () => {
    const { page, troubles, close } = await openTab(browser, { baseURL: base, locale: 'en-GB' })
    await page.addInitScript('delete globalThis.PublicKeyCredential')
    await page.goto('/login')
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0)
    expect(troubles).toEqual([])
    await close()
  })

  it('have pages that are small, fit a narrow screen and break no rule of accessibility or of their policy', async () => {
    const ada = await signUp(test.app)
    for (const locale of ['en', 'de', 'ja', 'ar']) {
      const rules = locale === 'en' ? 'all' : 'texts'
      const { page, troubles, context, close } = await openDevice(locale)
      await page.goto('/login')
      await page.locator('form[data-passkey=login] button').waitFor()
      expect(await widthOf(page), locale).toBe(320)
      expect(await axeViolations(page, rules), locale).toEqual([])
      await page.fill('#email', ada.account.email)
      await page.fill('#password', PASSWORD)
      await page.click('form[method=post] button')
      await page.waitForURL('**/dashboard')
      await page.goto('/account/security')
      await page.fill('#name', 'A very long name of a passkey, as long as names of it can be: 64')
      await confirmation(page).fill(PASSWORD)
      await page.click('form[data-passkey=add] button')
      await page.waitForURL('**/account/security?done=added')
      await page.locator('summary').first().click()
      expect(await widthOf(page), locale).toBe(320)
      expect(await axeViolations(page, rules), locale).toEqual([])
      expect(brotliCompressSync(await page.content()).length).toBeLessThan(MAX_BYTES)
      expect(troubles).toEqual([])
      await context.clearCookies()
      await close()
    }
  })
})
