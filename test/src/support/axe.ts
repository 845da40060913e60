import axe from 'axe-core'
import type { Page } from 'playwright-core'

// axe-core leaves this rule of WCAG 2.2 AA off unless it is asked for.
const ALL: axe.RunOptions = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }
/** The rules whose result depends on the colors of the page. */
const OF_COLORS: axe.RunOptions = { resultTypes: ['violations'], runOnly: ['color-contrast', 'link-in-text-block'] }

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
 * @param schemes - default: both. In dark only the rules about colors run, because the others have the same result
 */
export async function axeViolations(page: Page, schemes: 'both' | 'light' = 'both'): Promise<string[]> {
  await page.evaluate(axe.source)
  const found = await run(page, 'light', ALL)
  if (schemes === 'both') found.push(...(await run(page, 'dark', OF_COLORS)))
  await page.emulateMedia({ colorScheme: null })
  return found
}
