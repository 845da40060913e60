import type { SiteRule } from '../rule.ts'
import { agentCard } from './agent-card.ts'
import { agentErrors } from './agent-errors.ts'
import { agentSkills } from './agent-skills.ts'
import { aiCatalog } from './ai-catalog.ts'
import { aiCrawlers } from './ai-crawlers.ts'
import { apiCatalog } from './api-catalog.ts'
import { authMd } from './auth-md.ts'
import { bazaarExtension } from './bazaar-extension.ts'
import { conditionalRequests } from './conditional-requests.ts'
import { contentSignal } from './content-signal.ts'
import { crawlerPrice } from './crawler-price.ts'
import { eepCore } from './eep-core.ts'
import { eepFull } from './eep-full.ts'
import { eepStandard } from './eep-standard.ts'
import { linkHeaders } from './link-headers.ts'
import { llmsTxt } from './llms-txt.ts'
import { markdown } from './markdown.ts'
import { mcpCard } from './mcp-card.ts'
import { mcpEndpoint } from './mcp-endpoint.ts'
import { oauthMetadata } from './oauth-metadata.ts'
import { paymentChallenge } from './payment-challenge.ts'
import { pricedOpenapi } from './priced-openapi.ts'
import { refusedPayment } from './refused-payment.ts'
import { robotsTxt } from './robots-txt.ts'
import { rslLicense } from './rsl-license.ts'
import { signatureDirectory } from './signature-directory.ts'
import { sitemap } from './sitemap.ts'
import { speedAndSize } from './speed-and-size.ts'
import { structuredData } from './structured-data.ts'
import { webMcp } from './web-mcp.ts'
import { x402 } from './x402.ts'
import { x402V1 } from './x402-v1.ts'

/** All rules, in the order of reports. */
export const SITE_RULES: readonly SiteRule[] = [
  robotsTxt,
  aiCrawlers,
  contentSignal,
  rslLicense,
  sitemap,
  llmsTxt,
  markdown,
  structuredData,
  conditionalRequests,
  agentErrors,
  speedAndSize,
  linkHeaders,
  apiCatalog,
  agentCard,
  oauthMetadata,
  authMd,
  mcpCard,
  mcpEndpoint,
  agentSkills,
  aiCatalog,
  webMcp,
  signatureDirectory,
  x402,
  paymentChallenge,
  refusedPayment,
  x402V1,
  crawlerPrice,
  bazaarExtension,
  pricedOpenapi,
  eepCore,
  eepStandard,
  eepFull,
]
