import type { PartLinks } from '../../../framework/module/profile-part.ts'
import { EEP_VERSION } from '../../../http/pipeline/protocol-version.ts'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { gateConfigPath } from '../../../model/gate-config.ts'
import type { GatedField } from '../../../model/gated-fields.ts'
import { schemaPath } from '../../../model/type-data/index.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { profilePath } from './did.ts'
import { isGated, openParts, type ProfileView, partSubject } from './view.ts'

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
  cover_url: profile.coverUrl,
  accent: profile.accent,
  skills: profile.skills,
  socials: profile.socials,
  keywords: profile.keywords,
  agent_instructions: profile.agentInstructions,
  agent_rules: profile.agentRules,
  capabilities: profile.capabilities,
  custom_fields: profile.customFields,
  type_data: profile.typeData,
})

/** The addresses that the parts of a profile add to its documents. */
export function partLinks(view: ProfileView, publicUrl: string): readonly PartLinks[] {
  const subject = partSubject(view, publicUrl)
  return openParts(view).map(({ part, items }) => part.links(items, subject))
}

/** An object with what parts add to it. They replace nothing, also not what an earlier part added; parts of hosts come last. */
const withAdded = (own: JsonObject, added: readonly (JsonObject | undefined)[]): JsonObject =>
  Object.assign({ ...own }, ...added.toReversed(), own)

/** Serializes a profile for readers: without its email address and gated fields, which are named. */
export function serializeProfile(view: ProfileView, publicUrl: string): JsonObject {
  const { profile, trustScore = 0, closed = [], events } = view
  const gated = isGated(view)
  const subject = partSubject(view, publicUrl)
  const { did } = subject
  const urls = urlsOf(publicUrl, profile)
  const gates = `${publicUrl}${gateConfigPath(did)}`
  const links = partLinks(view, publicUrl)
  const members = openParts(view).flatMap(({ part, items }): (readonly [string, Json])[] => {
    const member = part.json(items, subject)
    return member === undefined ? [] : [[part.key, member]]
  })
  const eep = {
    version: EEP_VERSION,
    endpoint: publicUrl,
    supported_delivery: events?.delivery ?? [],
    supported_event_types: events?.types ?? [],
    identity: { did, verification_endpoint: urls.did },
    ...(gated ? { gated, gates_url: gates } : {}),
  }
  const record: JsonObject = {
    id: profile.id,
    did,
    ...serializeFields(profile),
    // Also in services without files.
    files: [],
    ...Object.fromEntries(members),
    visibility: profile.visibility,
    trust_score: trustScore,
    created_at: profile.createdAt.toISOString(),
    updated_at: profile.updatedAt.toISOString(),
    ...(closed.length > 0 ? { gated: closed.map(({ field, tiers }) => ({ field, tiers })) } : {}),
    eep: withAdded(
      eep,
      links.map((added) => added.eep),
    ),
    links: withAdded(
      { ...urls, ...(gated ? { gates } : {}) },
      links.map((added) => added.record),
    ),
  }
  return closed.length > 0 ? without(record, closed) : record
}
