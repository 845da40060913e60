import axe from 'axe-core'
import type { Page } from 'playwright-core'

const SCHEMES = ['light', 'dark'] as const

// axe-core leaves this rule of WCAG 2.2 AA off unless it is asked for.
const OPTIONS: axe.RunOptions = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }

/**
 * What axe-core finds in the open page, in light and in dark: a line for each element, with its rule and what to fix.
 * Empty for a page that passes. Needs a tab with JavaScript; the policy of the page may forbid scripts.
 */
export async function axeViolations(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${JSON.stringify(OPTIONS)})`)
    found.push(
      ...violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${colorScheme}: ${id}: ${html}: ${failureSummary}`),
      ),
    )
  }
  await page.emulateMedia({ colorScheme: null })
  return found
}
