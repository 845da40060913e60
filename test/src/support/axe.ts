import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

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

/**
 * What axe-core finds in the open page, in light and in dark: a line for each element, with its rule and what to fix.
 * Empty for a page that passes. Needs a tab with JavaScript; the policy of the page may forbid scripts.
 *
 * @param rules - `texts`: those that a translation may break, which do not depend on colors. Default: all
 */
export async function axeViolations(page: Page, rules: 'all' | 'texts' = 'all'): Promise<string[]> {
  await page.evaluate(SOURCE)
  const found = await run(page, 'light', rules === 'all' ? ALL : OF_TEXTS)
  // The other rules have the same result in dark.
  if (rules === 'all') found.push(...(await run(page, 'dark', OF_COLORS)))
  await page.emulateMedia({ colorScheme: null })
  return found
}
