import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Less than half as long as `axe.source`: each page parses it. */
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

// axe-core leaves this rule of WCAG 2.2 AA off unless it is asked for.
const ALL: axe.RunOptions = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }
/** The rules whose result depends on the colors of the page. */
const OF_COLORS = ['color-contrast', 'link-in-text-block']
const COLORS_ONLY: axe.RunOptions = { resultTypes: ['violations'], runOnly: OF_COLORS }
const WITHOUT_COLORS: axe.RunOptions = {
  ...ALL,
  rules: { ...ALL.rules, ...Object.fromEntries(OF_COLORS.map((rule) => [rule, { enabled: false }])) },
}

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
 * @param colors - whether the rules about colors run, in light and in dark. Default: true
 */
export async function axeViolations(page: Page, colors = true): Promise<string[]> {
  await page.evaluate(SOURCE)
  const found = await run(page, 'light', colors ? ALL : WITHOUT_COLORS)
  // The other rules have the same result in dark.
  if (colors) found.push(...(await run(page, 'dark', COLORS_ONLY)))
  await page.emulateMedia({ colorScheme: null })
  return found
}
