import { DOCUMENT_TYPES } from '../../../http/documents/negotiation.ts'
import { EEP_VERSION } from '../../../http/pipeline/protocol-version.ts'
import { asJson, type JsonObject } from '../../../kernel/json.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { profilePath, skillsOf as skillsOfProfile } from '../../profiles/profiles/index.ts'
import type { Offer } from './available-routes.ts'
import type { ServiceInfo } from './manifest.ts'
import { skillsOf } from './skills.ts'

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
    // They mean methods of A2A. The streams and webhooks of EEP are in `x-eep`.
    capabilities: { streaming: false, pushNotifications: false },
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

/** The agent card of the service. Its skills are those of the index. */
export const serviceCard = (service: ServiceInfo, offer: Offer): JsonObject =>
  card(service, offer, {
    name: service.name,
    description: service.description,
    url: `${service.publicUrl}/`,
    did: service.did,
    skills: skillsOf(service, offer).map(({ name: id, title: name, description, tags, example }) => ({
      id,
      name,
      description,
      tags,
      examples: [example],
    })),
  })

/** The agent card of a profile: its traits are the skills, and without any it can still be read. */
export function profileCard(
  service: ServiceInfo,
  offer: Offer,
  profile: Pick<Profile, 'type' | 'username' | 'fullName' | 'bio' | 'capabilities'>,
  did: string,
): JsonObject {
  const name = profile.fullName ?? profile.username
  const skills = skillsOfProfile(profile)
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
