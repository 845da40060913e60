import type { PublicDocument } from '../../../http/documents/public-document.ts'
import { type GatedField, gatedFields } from '../../../model/gated-fields.ts'
import type { ProfileField } from '../../../model/profile-fields.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { profileDocument } from './profile-document.ts'
import { type SectionReader, sectionsFor } from './profile-sections.ts'
import type { ProfileView } from './view.ts'

/** A view of a profile for visitors with the same access, and its document. */
export interface ShownProfile {
  readonly profile: Profile
  /** Its document for a reader without a type. */
  readonly document: PublicDocument
  /** Its document for a reader, whose type decides which sections come first. */
  readonly documentFor: (reader: SectionReader) => PublicDocument
  /** The omitted fields. */
  readonly closed: readonly GatedField[]
}

/** The value of an omitted field. */
const EMPTY: { readonly [Field in Exclude<ProfileField, 'files' | 'smart_sections'>]: Partial<Profile> } = {
  bio: { bio: null },
  avatar_url: { avatarUrl: null },
  skills: { skills: [] },
  socials: { socials: {} },
  keywords: { keywords: [] },
  agent_instructions: { agentInstructions: null },
  agent_rules: { agentRules: null },
  capabilities: { capabilities: [] },
  custom_fields: { customFields: {} },
  type_data: { typeData: {} },
}

const isField = (field: ProfileField): field is keyof typeof EMPTY => Object.hasOwn(EMPTY, field)

/** A profile, or a part of one, with some fields emptied. */
export function withoutFields<Known extends Partial<Profile>>(profile: Known, closed: readonly GatedField[]): Known {
  if (closed.length === 0) return profile
  const empty = Object.assign({}, ...closed.map(({ field }) => (isField(field) ? EMPTY[field] : {})))
  return Object.fromEntries(
    Object.entries(profile).map(([name, value]) => [name, Object.hasOwn(empty, name) ? empty[name] : value]),
  ) as Known
}

/** The documents of a view. Each is created once, so that its representations are cached with the profile. */
function documentsOf(view: ProfileView, publicUrl: string): Pick<ShownProfile, 'document' | 'documentFor'> {
  const { sections } = view
  const make = (reader: SectionReader) =>
    profileDocument(sections ? { ...view, sections: sectionsFor(sections, reader) } : view, publicUrl)
  const document = make({})
  if (!sections || sections.length === 0) return { document, documentFor: () => document }
  const kept = new Map<string, PublicDocument>()
  return {
    document,
    documentFor(reader) {
      const { agentType = 'general', isTeam = false } = reader
      if (agentType === 'general' && !isTeam) return document
      const key = `${agentType} ${isTeam}`
      const known = kept.get(key) ?? make(reader)
      kept.set(key, known)
      return known
    },
  }
}

/** The number of cached views of a profile. Tiers open fields together, so there are few. */
const MAX_SHOWN = 32

/**
 * The views of a profile. Without gated fields there is one. Each is created once, so that its representations are cached with
 * the profile.
 */
export function createShownFields(view: ProfileView, publicUrl: string) {
  const gated = gatedFields(view.gates)
  const whole: ShownProfile = { profile: view.profile, ...documentsOf(view, publicUrl), closed: [] }
  const kept = new Map<string, ShownProfile>()

  function make(closed: readonly GatedField[]): ShownProfile {
    const profile = withoutFields(view.profile, closed)
    const isClosed = (name: ProfileField) => closed.some(({ field }) => field === name)
    const files = isClosed('files') ? [] : view.files
    const sections = isClosed('smart_sections') && view.sections ? [] : view.sections
    return { profile, closed, ...documentsOf({ ...view, profile, files, sections, closed }, publicUrl) }
  }

  return {
    /** The gated fields. */
    gated,
    /** The view of the team, and of every visitor when no field is gated. */
    whole,
    /** The view of a visitor with access to these fields in addition to the open ones. */
    shownWith(open: ReadonlySet<ProfileField>): ShownProfile {
      const closed = gated.filter(({ field }) => !open.has(field))
      if (closed.length === 0) return whole
      const key = closed.map(({ field }) => field).join()
      const known = kept.get(key) ?? make(closed)
      if (kept.size >= MAX_SHOWN) kept.clear()
      kept.set(key, known)
      return known
    },
  }
}
