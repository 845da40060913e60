import { brotliCompressSync, constants } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { axeViolations } from './axe.ts'
import { widthOf } from './checkout-browser.ts'

const MAX_BYTES = 20 * 1_024
/** As the service compresses. */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const WIDTH = 320

/** A narrow tab in one language, and what the browser reported in it: console messages, exceptions, and requests to elsewhere. */
export async function openNarrowTab(browser: Browser, base: string, locale: string, session?: string) {
  const context = await browser.newContext({ baseURL: base, locale, viewport: { width: WIDTH, height: 640 } })
  if (session !== undefined) await context.addCookies([{ name: 'eep_session', value: session, url: base }])
  const page = await context.newPage()
  const reported: string[] = []
  page.on('pageerror', (error) => reported.push(String(error)))
  page.on('console', (message) => {
    // Pages that answer with an error status are not faults.
    if (!/the server responded with a status of \d/.test(message.text())) reported.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith('data:')) reported.push(request.url())
  })

  return {
    context,
    page,
    /** What the browser reported since the last call. */
    reports: (): readonly string[] => reported.splice(0),
    /** The faults of the open page. All rules of axe-core run in English, and those about texts in other languages. */
    async faults(): Promise<string[]> {
      const found = reported.splice(0)
      const width = await widthOf(page)
      if (width > WIDTH) found.push(`it is ${width} px wide`)
      const direction = await page.evaluate('document.dir')
      if (direction !== (locale === 'ar' ? 'rtl' : 'ltr')) found.push(`it is written ${direction}`)
      const html = await page.content()
      const bytes = brotliCompressSync(html, COMPRESSION).length
      if (bytes >= MAX_BYTES) found.push(`it has ${bytes} bytes`)
      found.push(...(await axeViolations(page, locale === 'en' ? 'all' : 'texts', html)))
      return found
    },
    close: () => context.close(),
  }
}

export type NarrowTab = Awaited<ReturnType<typeof openNarrowTab>>
