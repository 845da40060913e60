import { EEP_VERSION } from '../../../http/pipeline/protocol-version.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { gateConfigPath } from '../../../model/gate-config.ts'
import type { GatedField } from '../../../model/gated-fields.ts'
import { schemaPath } from '../../../model/type-data/index.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { SmartSection } from '../../../ports/storage/smart-sections.ts'
import { didOf, profilePath } from './did.ts'
import { type FileSummary, serializeFile } from './profile-files.ts'
import { type PostSummary, profileFeedPath, serializePostSummary } from './profile-posts.ts'
import { serializeSection } from './profile-sections.ts'

/** The URL of the listings of a profile. */
export const servicesPath = (did: string): string => `/eep/services/${did.replaceAll('%', '%25')}`

/** The public URLs of a profile and of the resources below it. */
export function urlsOf(publicUrl: string, profile: Profile) {
  const self = `${publicUrl}${profilePath(profile)}`
  return {
    self,
    contents: `${self}/content`,
    changelog: `${self}/changelog`,
    freshness: `${self}/freshness`,
    badge: `${self}/badge.svg`,
    did: `${self}/did.json`,
    json: `${self}?format=json`,
    markdown: `${self}?format=markdown`,
    toon: `${self}?format=toon`,
    schema: `${publicUrl}${schemaPath(profile.type)}`,
    trust: `${publicUrl}/trust${profilePath(profile)}`,
    service: `${publicUrl}/docs/openapi.json`,
  }
}

/** How the events of a profile can be followed. */
export interface FollowedEvents {
  /** `sse`, `webhook` or `websocket`. */
  readonly delivery: readonly string[]
  readonly types: readonly string[]
}

/** Members of a record that are not part of the profile itself. */
interface RecordInput {
  readonly gated: boolean
  readonly sells: boolean
  readonly trustScore?: number | undefined
  readonly files?: readonly FileSummary[] | undefined
  readonly posts?: readonly PostSummary[] | undefined
  /** The sections that the reader sees. */
  readonly sections?: readonly SmartSection[] | undefined
  readonly events?: FollowedEvents | undefined
  /** The omitted fields. */
  readonly closed?: readonly GatedField[] | undefined
}

const without = (record: JsonObject, closed: readonly GatedField[]): JsonObject => {
  const names = new Set<string>(closed.map(({ field }) => field))
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.has(name)))
}

/** The fields that describe a profile, without its email address. */
export const serializeFields = (profile: Profile) => ({
  profile_type: profile.type,
  username: profile.username,
  full_name: profile.fullName,
  bio: profile.bio,
  avatar_url: profile.avatarUrl,
  skills: profile.skills,
  socials: profile.socials,
  keywords: profile.keywords,
  agent_instructions: profile.agentInstructions,
  agent_rules: profile.agentRules,
  capabilities: profile.capabilities,
  custom_fields: profile.customFields,
  type_data: profile.typeData,
})

/** Serializes a profile for readers: without its email address and gated fields, which are named. */
export function serializeProfile(
  profile: Profile,
  publicUrl: string,
  { gated, sells, trustScore = 0, files = [], posts, sections, closed = [], events }: RecordInput,
): JsonObject {
  const did = didOf(publicUrl, profile)
  const urls = urlsOf(publicUrl, profile)
  const gates = `${publicUrl}${gateConfigPath(did)}`
  const services = `${publicUrl}${servicesPath(did)}`
  const record: JsonObject = {
    id: profile.id,
    did,
    ...serializeFields(profile),
    files: files.map((file) => serializeFile(file, publicUrl)),
    ...(sections ? { smart_sections: sections.map(serializeSection) } : {}),
    ...(posts ? { feed: posts.map((post) => serializePostSummary(post, publicUrl)) } : {}),
    visibility: profile.visibility,
    trust_score: trustScore,
    created_at: profile.createdAt.toISOString(),
    updated_at: profile.updatedAt.toISOString(),
    ...(closed.length > 0 ? { gated: closed.map(({ field, tiers }) => ({ field, tiers })) } : {}),
    eep: {
      version: EEP_VERSION,
      endpoint: publicUrl,
      supported_delivery: events?.delivery ?? [],
      supported_event_types: events?.types ?? [],
      identity: { did, verification_endpoint: urls.did },
      ...(gated ? { gated, gates_url: gates } : {}),
      ...(sells ? { commerce: true, services_url: services } : {}),
    },
    links: {
      ...urls,
      ...(posts ? { feed: `${publicUrl}${profileFeedPath(profile)}` } : {}),
      ...(gated ? { gates } : {}),
      ...(sells ? { services } : {}),
    },
  }
  return closed.length > 0 ? without(record, closed) : record
}
