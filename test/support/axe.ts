import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'

/** Less than half as long as `axe.source`: each page parses it. */
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

// axe-core leaves this rule of WCAG 2.2 AA off unless it is asked for.
const ALL: axe.RunOptions = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }
const only = (runOnly: string[]): axe.RunOptions => ({ resultTypes: ['violations'], runOnly })
/** The rules whose result depends on the colors of the page. */
const OF_COLORS = only(['color-contrast', 'link-in-text-block'])
/** The rules whose result depends on the texts of the page, their length and their direction. */
const OF_TEXTS = only([
  'button-name',
  'document-title',
  'empty-heading',
  'html-has-lang',
  'html-lang-valid',
  'image-alt',
  'label',
  'label-title-only',
  'landmark-unique',
  'link-name',
  'role-img-alt',
  'scrollable-region-focusable',
  'select-name',
  'summary-name',
  'svg-img-alt',
  'target-size',
  'valid-lang',
])

const run = async (page: Page, scheme: 'light' | 'dark', options: axe.RunOptions): Promise<string[]> => {
  await page.emulateMedia({ colorScheme: scheme })
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${scheme}: ${id}: ${html}: ${failureSummary}`),
  )
}

/** A tab for copies of pages: axe-core is loaded once for an origin, not in each page. */
async function openReader(browser: Browser): Promise<Page> {
  const page = await browser.newPage()
  const headers = { 'content-security-policy': "script-src 'none'" }
  await page.route('**/*', (route) =>
    route.request().isNavigationRequest()
      ? route.fulfill({ contentType: 'text/html', headers, body: '<!doctype html>' })
      : route.continue(),
  )
  return page
}

const readers = new WeakMap<Browser, Promise<Page>>()

/** Shows a copy of an open page, as large and at the same address. Its scripts do not run again. */
async function copyOf(page: Page, html: string): Promise<Page> {
  const browser = page.context().browser()
  if (!browser) throw new Error('the page has no browser')
  const opening = readers.get(browser) ?? openReader(browser)
  readers.set(browser, opening)
  const reader = await opening
  const size = page.viewportSize()
  if (size) await reader.setViewportSize(size)
  const url = page.url()
  if (new URL(url).origin !== new URL(reader.url()).origin) {
    await reader.goto(url)
    await reader.evaluate(SOURCE)
  }
  await reader.evaluate(`history.replaceState(null, '', ${JSON.stringify(url)})`)
  await reader.setContent(html)
  return reader
}

/**
 * What axe-core finds in the open page, in light and in dark: a line for each element, with its rule and what to fix.
 * Empty for a page that passes. It reads a copy of the elements, without what was typed into fields, shadow trees,
 * frames and the focus. Await it before the next call for a page of the same browser.
 *
 * @param rules - `texts`: those that a translation may break, which do not depend on colors. Default: all
 * @param html - The content of the page. Default: read from the page
 */
export async function axeViolations(page: Page, rules: 'all' | 'texts' = 'all', html?: string): Promise<string[]> {
  const copy = await copyOf(page, html ?? (await page.content()))
  const found = await run(copy, 'light', rules === 'all' ? ALL : OF_TEXTS)
  // The other rules have the same result in dark.
  if (rules === 'all') found.push(...(await run(copy, 'dark', OF_COLORS)))
  return found
}
