import { DOCUMENT_TYPES } from '../../../http/documents/negotiation.ts'
import { EEP_VERSION } from '../../../http/pipeline/protocol-version.ts'
import { asJson, type JsonObject } from '../../../kernel/json.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { profilePath, skillsOf } from '../../profiles/profiles/index.ts'
import type { Offer } from './available-routes.ts'
import type { ServiceInfo } from './manifest.ts'

/** The A2A version of this card. Clients of version 1.0 use its member `supportedInterfaces`. */
const A2A_VERSION = '0.3.0'

/** The binding of this service: plain HTTP, without tasks of A2A. */
/** Bindings that A2A does not define itself are named by a URI. */
const BINDING = 'https://eep.dev/a2a/bindings/eep/v0.1'

interface Subject {
  readonly name: string
  readonly description: string
  readonly url: string
  readonly did: string
  readonly skills: readonly object[]
}

const SERVICE_SKILLS = [
  {
    id: 'read-profiles',
    route: '/{prefix}/{username}',
    name: 'Read profiles',
    description: 'Reads the profile of a person, organization or other entity as Markdown, JSON or TOON.',
    tags: ['profiles', 'read'],
    examples: ['Who is ada?'],
  },
  {
    id: 'read-content',
    route: '/{prefix}/{username}/content',
    name: 'Read content',
    description: 'Reads the table of contents and the pages of a profile.',
    tags: ['content', 'read'],
    examples: ['What has ada written about engines?'],
  },
  {
    id: 'search',
    route: '/search',
    name: 'Search',
    description: 'Finds profiles, pages and posts by words or by meaning.',
    tags: ['search'],
    examples: ['Find organizations that build engines.'],
  },
  {
    id: 'resolve-did',
    route: '/resolve',
    name: 'Resolve DIDs',
    description: 'Finds the DID document of an entity.',
    tags: ['identity', 'did'],
    examples: ['Which keys does did:web:example.com:u:ada have?'],
  },
] as const

const PAY_SKILL = {
  id: 'pay-for-content',
  name: 'Pay for content',
  description: 'Opens gated pages in return for a payment sent with the request.',
  tags: ['payment', 'gates'],
  examples: ['Buy the notes on engines for a day.'],
}

function card(service: ServiceInfo, offer: Offer, { name, description, url, did, skills }: Subject): JsonObject {
  const { publicUrl } = service
  const interfaces = { url, protocolBinding: BINDING, protocolVersion: EEP_VERSION }
  const streams = offer.has('/eep/stream')
  const body = {
    protocolVersion: A2A_VERSION,
    name,
    description,
    url,
    preferredTransport: BINDING,
    supportedInterfaces: [interfaces],
    provider: { organization: service.name, url: publicUrl },
    version: '1.0',
    documentationUrl: `${publicUrl}/.well-known/eep/agent-guide.md`,
    capabilities: { streaming: streams, pushNotifications: offer.has('/eep/subscribe', 'POST') },
    ...(offer.has('/api-keys', 'POST')
      ? {
          securitySchemes: {
            bearer: { type: 'http', scheme: 'bearer' },
            apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          },
        }
      : {}),
    defaultInputModes: ['application/json'],
    defaultOutputModes: [...DOCUMENT_TYPES],
    skills,
    'x-eep': {
      source_did: did,
      eep_version: EEP_VERSION,
      manifest_url: `${publicUrl}/.well-known/eep.json`,
      ...(offer.has('/eep/subscribe', 'POST') ? { subscribe_url: `${publicUrl}/eep/subscribe` } : {}),
      ...(streams ? { stream_url: `${publicUrl}/eep/stream` } : {}),
      supported_events: (service.eventTypes ?? []).map(({ fullType }) => fullType),
      anp_compatible: false,
      ...(service.dpv?.purpose === undefined ? {} : { dpv_purpose: service.dpv.purpose }),
      ...(service.dpv?.retention === undefined ? {} : { dpv_retention: service.dpv.retention }),
    },
  }
  return asJson(body)
}

/** The agent card of the service. */
export const serviceCard = (service: ServiceInfo, offer: Offer): JsonObject =>
  card(service, offer, {
    name: service.name,
    description: service.description,
    url: `${service.publicUrl}/`,
    did: service.did,
    skills: [
      ...SERVICE_SKILLS.filter(({ route }) => offer.has(route)).map(({ route: _, ...skill }) => skill),
      ...(service.rails.length > 0 ? [PAY_SKILL] : []),
    ],
  })

/** The agent card of a profile: its traits are the skills, and without any it can still be read. */
export function profileCard(
  service: ServiceInfo,
  offer: Offer,
  profile: Pick<Profile, 'type' | 'username' | 'fullName' | 'bio' | 'capabilities'>,
  did: string,
): JsonObject {
  const name = profile.fullName ?? profile.username
  const skills = skillsOf(profile)
  const read = {
    id: 'read-profile',
    name: 'Read',
    description: `The profile of ${name} and its published content.`,
    tags: ['profile', profile.type],
    examples: [`Who is ${name}?`],
  }
  return card(service, offer, {
    name,
    description: profile.bio ?? `The ${profile.type} ${name}.`,
    url: service.publicUrl + profilePath(profile),
    did,
    skills: [read, ...skills],
  })
}
