import { z } from 'zod'
import { SEARCH_ENGINES, type SearchEngine } from '../../model/known-agents.ts'
import { defineHostAdapter } from '../host-adapter.ts'
import { listOf, oneOf, openVariable } from '../variable.ts'
import { CORE } from './service.ts'

const ENGINES = Object.keys(SEARCH_ENGINES) as SearchEngine[]

/** How programs prove who sent their requests. */
export const botVariables = defineHostAdapter({
  name: CORE,
  prefixes: [],
  variables: {
    EEP_WEB_BOT_AUTH: openVariable(oneOf('on', 'off'), 'on or off; default: on', 'off', {
      comment: 'Agents and crawlers that sign their requests (Web Bot Auth), and search engines by their addresses.',
    }),
    EEP_CRAWLER_ADDRESSES: openVariable(
      listOf(z.enum(ENGINES, { error: `is none of ${ENGINES.join(', ')}` })),
      'search engines whose crawlers are recognized by the addresses that they publish: google,bing; behind a proxy this needs EEP_TRUST_PROXY',
      'google,bing',
    ),
  },
  rules: [
    {
      when: ({ values }) => values.EEP_WEB_BOT_AUTH === 'off' && values.EEP_CRAWLER_ADDRESSES !== undefined,
      problem: () => 'EEP_CRAWLER_ADDRESSES has no effect while EEP_WEB_BOT_AUTH is off; leave one of the two out',
    },
  ],
  parts({ EEP_WEB_BOT_AUTH: mode, EEP_CRAWLER_ADDRESSES: engines }) {
    if (mode === 'off') return { webBotAuth: false }
    if (!engines) return undefined
    return { webBotAuth: { crawlerAddresses: Object.fromEntries(engines.map((name) => [name, true as const])) } }
  },
})
