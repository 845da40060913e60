import { z } from 'zod'
import { defineHostAdapter } from '../host-adapter.ts'
import { listOf, openVariable, webUrl } from '../variable.ts'
import { CORE } from './service.ts'

const TAG = /^[\x21-\x7e](?:[\x20-\x7e]{0,30}[\x21-\x7e])?$/
const MAX_TAGS = 5

/** What the catalogues of paid resources show of the service. */
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
    EEP_DISCOVERY_TAGS: openVariable(
      listOf(z.string().regex(TAG, 'is not 1 to 32 printable ASCII characters')).refine(
        (tags) => tags.length <= MAX_TAGS && new Set(tags.map((tag) => tag.toLowerCase())).size === tags.length,
        `is not a list of up to ${MAX_TAGS} different tags`,
      ),
      'up to 5 tags of sellers that have no keywords: research,weather',
      'research,weather',
    ),
  },
  parts({ EEP_DISCOVERY_CONTACT_URL: url, EEP_DISCOVERY_TAGS: tags }) {
    if (url === undefined && tags === undefined) return undefined
    return { pricedDiscovery: { contact: url === undefined ? undefined : { url }, tags } }
  },
})
