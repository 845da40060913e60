import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { startTcpProxy } from './tcp-proxy.ts'

/** An address that a browser reaches before the service listens on it, so that it can be the public URL of the service. */
export async function openAddress() {
  const proxy = await startTcpProxy('http://127.0.0.1:9')
  const url = new URL(proxy.url).origin
  return { url, serve: (origin: string) => proxy.redirect(origin), close: () => proxy.close() }
}

/** A tab, and what went wrong in it: messages of the console, violations of the policy of the page, and dialogs. */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const troubles: string[] = []
  page.on('console', (message) => {
    // Pages that answer with an error status are not faults.
    if (!/status of (402|403|404|409|503)/.test(message.text())) troubles.push(message.text())
  })
  page.on('pageerror', (error) => troubles.push(String(error)))
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return { context, page, troubles, close: () => context.close() }
}

/** The width that the content of a page takes. */
export const widthOf = (page: Page): Promise<number> => page.evaluate<number>('document.documentElement.scrollWidth')

/** Presses Tab until an element has the focus, which must be visible there. */
export async function tabTo(page: Page, element: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    if (await element.evaluate((one) => one === one.ownerDocument.activeElement)) break
  }
  expect(await element.evaluate((one) => one.matches(':focus-visible'))).toBe(true)
}
