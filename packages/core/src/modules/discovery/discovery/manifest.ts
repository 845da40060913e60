import { DOCUMENT_TYPES } from '../../../http/documents/negotiation.ts'
import { EEP_VERSION } from '../../../http/pipeline/protocol-version.ts'
import type { PaymentRail } from '../../../ports/payment-rail.ts'
import type { Offer } from './available-routes.ts'
import type { Manifest } from './schemas.ts'
import type { SoldSummary } from './sold-endpoints.ts'

/** The description of the service in its documents. */
export interface ServiceInfo {
  /** The routes of the host that are sold, once all are registered. Default: none. */
  readonly sold?: (() => readonly SoldSummary[]) | undefined
  readonly name: string
  readonly description: string
  readonly publicUrl: string
  readonly did: string
  /** The name of the session cookie. */
  readonly sessionCookie: string
  readonly rails: readonly PaymentRail[]
  /** Whether all money of the service is play money. Default: false. */
  readonly isSandbox?: boolean | undefined
  /** Why personal data is processed, and for how long it is kept, as the host states it. */
  readonly dpv?: { readonly purpose?: string | undefined; readonly retention?: string | undefined } | undefined
  /** The types of events that clients can follow. */
  readonly eventTypes?: readonly { readonly fullType: string; readonly summary: string }[] | undefined
}

/** The members of the manifest that are addresses, and the routes that they point to. */
const LAYERS = { layer2_sse: '/eep/stream', layer2_webhook: '/eep/subscribe', layer3_ws: '/eep/pulse' } as const
const ADDRESSES = { event_catalog_url: '/eep/events/types' } as const

/** Paths that clients open as WebSockets, by the URL as it is. */
const SOCKETS: ReadonlySet<string> = new Set([LAYERS.layer3_ws])
/** The URL with `ws:` in place of `http:`, and `wss:` in place of `https:`. */
const socketUrl = (url: string) => url.replace(/^http/, 'ws')

/** The manifest of the service (EEP v0.1, `eep-manifest.json`): members whose routes do not exist or are not configured are left out. */
export function manifestOf({ publicUrl, did, rails, isSandbox, eventTypes = [] }: ServiceInfo, offer: Offer): Manifest {
  const offered = <Member extends string>(members: Readonly<Record<Member, string>>): Partial<Record<Member, string>> =>
    Object.fromEntries(
      Object.entries<string>(members)
        .filter(([, path]) => offer.has(path) || offer.has(path, 'POST'))
        .map(([member, path]) => [member, (SOCKETS.has(path) ? socketUrl(publicUrl) : publicUrl) + path]),
    ) as Partial<Record<Member, string>>

  const x402 = rails.map(({ info }) => info).find((info) => info?.protocol === 'x402')
  return {
    did,
    ...(isSandbox && { sandbox: true as const }),
    eep_version: EEP_VERSION,
    eep_versions: [EEP_VERSION],
    preferred_version: EEP_VERSION,
    layers: { layer1: `${publicUrl}/discover`, ...offered(LAYERS) },
    supported_content_types: [...DOCUMENT_TYPES],
    ...(eventTypes.length > 0
      ? { event_types: eventTypes.map(({ fullType, summary }) => ({ type: fullType, description: summary })) }
      : {}),
    ...offered(ADDRESSES),
    pqc_ready: false,
    // The algorithms that agents may sign requests with; the service itself signs with EdDSA.
    signing_algorithms: ['EdDSA', 'ES256K', 'ES256'],
    signing_jwks_url: `${publicUrl}/.well-known/jwks.json`,
    x402_enabled: x402 !== undefined,
    ...(x402 === undefined ? {} : { x402: x402Block(x402) }),
    discovery_hints: { link_header_supported: true },
  }
}

function x402Block({ accepts, facilitatorUrl }: NonNullable<PaymentRail['info']>): NonNullable<Manifest['x402']> {
  const [first] = accepts
  const currencies = new Set(accepts.flatMap(({ currencies }) => currencies))
  return {
    ...(facilitatorUrl === undefined ? {} : { facilitator_url: facilitatorUrl }),
    ...(currencies.has('usdc') ? { payment_rails: ['x402/usdc'] } : {}),
    ...(first === undefined ? {} : { network: first.network }),
  }
}
