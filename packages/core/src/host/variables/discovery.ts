import { z } from 'zod'
import { defineHostAdapter } from '../host-adapter.ts'
import { listOf, matching, openVariable, webUrl } from '../variable.ts'
import { CORE } from './service.ts'

/** What catalogues accept as a tag and as the name of a seller. */
const SHORT = /^[\x21-\x7e](?:[\x20-\x7e]{0,30}[\x21-\x7e])?$/
const NOT_SHORT = 'is not 1 to 32 printable ASCII characters'
const MAX_TAGS = 5
const MAX_CATEGORIES = 5

/** The options of `discovery` that are off by default, by the words that turn them on. */
const DOCUMENTS = {
  'ai-catalog': 'aiCatalog',
  rsl: 'rsl',
  'web-mcp': 'webMcp',
  ask: 'ask',
  'agent-registration': 'agentRegistration',
} as const

const WORDS = Object.keys(DOCUMENTS) as (keyof typeof DOCUMENTS)[]

/** What agents and the catalogues of paid resources find of the service. */
export const discoveryVariables = defineHostAdapter({
  name: CORE,
  prefixes: [],
  variables: {
    EEP_DISCOVERY_CONTACT_URL: openVariable(
      webUrl,
      'where clients that buy find help; default: the public URL',
      'https://example.com/contact',
      { comment: 'What catalogues and /openapi.json show to agents that buy.' },
    ),
    EEP_DISCOVERY_SERVICE_NAME: openVariable(
      matching(SHORT, NOT_SHORT),
      'the name of sellers whose own name does not fit into catalogues, of up to 32 ASCII characters; default: EEP_NAME, if it fits',
      'Example',
    ),
    EEP_DISCOVERY_TAGS: openVariable(
      listOf(z.string().regex(SHORT, NOT_SHORT)).refine(
        (tags) => tags.length <= MAX_TAGS && new Set(tags.map((tag) => tag.toLowerCase())).size === tags.length,
        `is not a list of up to ${MAX_TAGS} different tags`,
      ),
      'up to 5 tags of sellers that have no keywords: research,weather',
      'research,weather',
    ),
    EEP_DISCOVERY_CATEGORIES: openVariable(
      listOf(z.string().min(1, 'is empty').max(50, 'is longer than 50 characters')).refine(
        (categories) => categories.length <= MAX_CATEGORIES,
        `is not a list of up to ${MAX_CATEGORIES} categories`,
      ),
      'what the service is about, up to 5 words: weather,research',
      'weather,research',
    ),
    EEP_DISCOVERY_DOCUMENTS: openVariable(
      listOf(z.enum(WORDS, { error: `is none of ${WORDS.join(', ')}` })),
      `documents for agents that are off by default: ${WORDS.join(',')}`,
      'ai-catalog,rsl',
    ),
  },
  parts({
    EEP_DISCOVERY_CONTACT_URL: url,
    EEP_DISCOVERY_SERVICE_NAME: serviceName,
    EEP_DISCOVERY_TAGS: tags,
    EEP_DISCOVERY_CATEGORIES: categories,
    EEP_DISCOVERY_DOCUMENTS: documents,
  }) {
    const contact = url === undefined ? undefined : { url }
    const isSet = [contact, serviceName, tags, categories].some((value) => value !== undefined)
    return {
      pricedDiscovery: isSet ? { contact, serviceName, tags, categories } : undefined,
      discovery: documents && Object.fromEntries(documents.map((name) => [DOCUMENTS[name], true as const])),
    }
  },
})
