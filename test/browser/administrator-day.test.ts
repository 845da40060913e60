import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTab } from '../support/checkout-browser.ts'
import { chromiumPath, launchChromium, signIn } from '../support/chromium.ts'
import { freePort } from '../support/ports.ts'
import { openScreenWorld, type ScreenWorld } from '../support/screen-world.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'

describe.skipIf(chromiumPath === undefined)(`the day of an administrator (${where})`, () => {
  let world: ScreenWorld
  let browser: Browser

  beforeAll(async () => {
    const port = await freePort()
    world = await openScreenWorld({ publicUrl: `http://127.0.0.1:${port}` })
    await world.app.listen({ port, host: '127.0.0.1' })
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await world.close()
  })

  it('is done on pages: a report, a ban, a refund to confirm, a price, and what was changed', async () => {
    const { page, troubles, close } = await openTab(browser, { baseURL: world.publicUrl, locale: 'en-GB' })
    const { guest, claimed } = world.sales
    await signIn(page, world.chief.account.email, '/admin')
    const main = page.getByRole('main')
    const to = (path: string) => page.locator(`nav a[href="${path}"]`).first().click()
    const press = (action: string) => main.locator(`button[name="do"][value="${action}"]`).first().click()
    const done = async () => (await page.getByRole('status').first().textContent())?.trim()

    await to('/admin/moderation')
    await main.locator(`a[href="/admin/moderation/${world.report}"]`).click()
    await main.getByText('Advertising', { exact: true }).waitFor()
    await main.locator('[name="status"]').selectOption('resolved')
    await main.locator('[name="note"]').fill('The account is banned.')
    await press('decide')
    expect(await done()).toBeTruthy()
    expect(await main.locator('[name="note"]').inputValue()).toBe('The account is banned.')

    await to('/admin/accounts')
    await main.locator('[name="q"]').fill('the-guest')
    await main.locator('form[method="get"] button').click()
    await main.getByRole('link', { name: 'the-guest' }).click()
    await press('ban')
    expect(await done()).toBe('The account was banned.')
    expect((await guest.get('/auth/me')).statusCode).toBe(401)

    await to('/admin/refund-claims')
    await main.getByText(claimed, { exact: true }).waitFor()
    await press('confirm')
    expect(await done()).toBeTruthy()
    const { data } = (await world.owner.get(`/eep/payment/sales?profile_id=${world.profile.id}`)).json<{
      data: readonly { receipt_id: string; refund: { state: string } | null }[]
    }>()
    expect(data.find(({ receipt_id: id }) => id === claimed)?.refund?.state).toBe('refunded')

    await to('/admin/plan-prices')
    await main.locator('#pro-eur').fill('12,50')
    await press('save')
    expect(await done()).toBeTruthy()
    expect(await main.locator('#pro-eur').inputValue()).toMatch(/^12[.,]50?$/)

    await to('/admin/changes')
    for (const changed of ['account.decided', world.banned.account.id, guest.account.id]) {
      expect(await main.textContent()).toContain(changed)
    }
    expect(troubles).toEqual([])
    await close()
  })
})
