import { awkward } from './largest.ts'
import { largestValue } from './largest-body.ts'
import { DID, type LargestService, maximalGate, maximalProfile } from './service.ts'

/** A gate of nearly 64 KB, all of whose tiers sell every page. */
export const crowdedGate = {
  default_tier: 'open',
  tiers: {
    open: { requirements: [], access: ['profile.*'] },
    ...Object.fromEntries(
      Array.from({ length: 19 }, (_, at) => [
        `tier${at}`,
        {
          label: awkward(128),
          description: awkward(500),
          requirements: [{ type: 'payment', amount: 1 + at, currency: 'usdc', per: 'day' }],
          access: ['*', ...Array.from({ length: 10 }, (_unused, n) => `content.${'a.'.repeat(105)}p${n}.*`)],
        },
      ]),
    ),
  },
}

const twenty = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${awkward(50)}${at}`, awkward(200)]))
const thirty = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`network-${at}`, 'a'.repeat(100)]))
const twentySections = Array.from({ length: 20 }, (_, at) => ({
  key: `section-${at}`,
  title: awkward(128),
  body: awkward(5_000),
}))
const hundredEntries = Array.from({ length: 100 }, () => ({ role: 'assistant', content: awkward(8_000), metadata: {} }))
const details = { ...maximalProfile, socials: thirty }

/** Makes the largest body that a route takes; undefined for a route without one. */
export function createLargestBodies({ names, operations, schemas }: LargestService) {
  let count = 0
  /** A slug of the longest length that no earlier request has used. */
  const newSlug = () => `${'s'.repeat(86)}-${1_000 + count++}`

  /** Values that a request needs to get past the checks of the route, by the name of the member. */
  const POSSIBLE: Readonly<Record<string, () => unknown>> = {
    profile_id: () => names.id,
    category_id: () => null,
    parent_id: () => null,
    slug: newSlug,
    did: () => DID,
    seller_did: () => DID,
    pay_to_did: () => DID,
    password: () => `Aa1${'x'.repeat(125)}`,
    new_password: () => `Aa1${'x'.repeat(125)}`,
    language: () => 'en',
    file_id: () => names.textFile,
    resource: () => 'content.p0x0.a',
  }

  /** Limits that the description of the interface does not show, and members that exclude each other. */
  const EXCEPTIONS: Readonly<Record<string, () => object>> = {
    'DELETE /auth/account': () => ({ code: undefined }),
    'DELETE /auth/passkeys/{id}': () => ({ password: undefined }),
    'DELETE /auth/passkeys': () => ({ password: undefined }),
    'POST /auth/passkeys/registration/options': () => ({ password: undefined }),
    'POST /eep/payment/recovery/wallet': () => ({ signature: `0x${'ab'.repeat(3_000)}` }),
    'POST /api-keys': () => ({ expires_at: undefined }),
    'PUT /profiles/{prefix}/{username}': () => ({
      ...details,
      type_data: undefined,
      username: undefined,
      files_to_delete: [],
    }),
    'POST /profiles': () => ({ ...details, username: `place-${++count}`, profile_type: 'place', type_data: {} }),
    'PUT /manage/profile': () => details,
    'POST /feed': () => ({ body: '👩‍🚀'.repeat(500), reply_to: undefined, attachments: [] }),
    'POST /export': () => ({ account: undefined }),
    'DELETE /data/claims/{claim_id}': () => ({ claim_id: 'nothing' }),
    'POST /memory/sessions/{id}/entries': () => ({ entries: hundredEntries }),
    'POST /workspaces/{id}/invites': () => ({ username: undefined }),
    'PUT /profiles/{id}/smart-sections': () => ({ sections: twentySections }),
    'POST /profiles/{id}/team/invites': () => ({ username: undefined }),
    'PUT /eep/gates/{did}': () => maximalGate,
    'POST /manage/entitlements': () => ({
      payer_wallet: undefined,
      payer_network: undefined,
      payer_did: undefined,
      account: undefined,
      tier: 'tier1',
    }),
    'POST /eep/services/{did}': () => ({ metadata: twenty }),
    'PUT /eep/services/{did}/{id}': () => ({ metadata: twenty }),
    'POST /eep/commerce/negotiations': () => ({ metadata: twenty, pay_to_did: undefined, target_did: undefined }),
    'POST /eep/payment/stripe/mpp/settle': () => ({ credential: undefined }),
  }

  return function largestBody(method: string, path: string): Record<string, unknown> | undefined {
    const route = operations.find((each) => each.method === method && each.path === path)
    const schema = route?.operation.requestBody?.content['application/json']?.schema
    if (!schema) return undefined
    const largest = largestValue(schema, schemas) as Record<string, unknown>
    const possible = Object.entries(POSSIBLE).filter(([name]) => name in largest)
    return {
      ...largest,
      ...Object.fromEntries(possible.map(([name, value]) => [name, value()])),
      ...EXCEPTIONS[`${method} ${path}`]?.(),
    }
  }
}
