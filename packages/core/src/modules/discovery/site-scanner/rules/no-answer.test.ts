import { expect, it } from 'vitest'
import { SITE_RULES } from './index.ts'
import { siteOf } from './site-fixture.ts'

const RULES_WITH_DOCUMENTS = [
  'sitemap',
  'llms-txt',
  'api-catalog',
  'agent-card',
  'oauth-metadata',
  'auth-md',
  'mcp-card',
  'agent-skills',
  'ai-catalog',
  'signature-directory',
  'eep-core',
  'eep-standard',
  'eep-full',
]

it.each(RULES_WITH_DOCUMENTS)('%s is skipped when robots.txt forbids the request', async (id) => {
  const rule = SITE_RULES.find((each) => each.id === id)
  const site = siteOf({ '/robots.txt': 'User-agent: *\nAllow: /$\nDisallow: /', '/': '<h1>Site</h1>' })
  expect(await rule?.check(site)).toEqual({ status: 'skip', detail: 'robots.txt forbids it.' })
})
