import type { PartReader } from '../../../framework/module/profile-part.ts'
import type { PublicDocument } from '../../../http/documents/public-document.ts'
import { type GatedField, gatedFields } from '../../../model/gated-fields.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { withoutFields } from './own-fields.ts'
import { profileDocument } from './profile-document.ts'
import { openParts, type ProfileView, partFields, partsFor } from './view.ts'

/** A view of a profile for visitors with the same access, and its document. */
export interface ShownProfile {
  readonly profile: Profile
  /** Its document for a reader without a type. */
  readonly document: PublicDocument
  /** Its document for a reader, whose type decides which items of parts come first. */
  readonly documentFor: (reader: PartReader) => PublicDocument
  /** The omitted fields. */
  readonly closed: readonly GatedField[]
}

/** The documents of a view. Each is created once, so that its representations are cached with the profile. */
function documentsOf(view: ProfileView, publicUrl: string): Pick<ShownProfile, 'document' | 'documentFor'> {
  const make = (reader: PartReader) => profileDocument({ ...view, parts: partsFor(view.parts, reader) }, publicUrl)
  const document = make({})
  const depends = openParts(view).some(({ part, items }) => part.dependsOnReader && items.length > 0)
  if (!depends) return { document, documentFor: () => document }
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
  const gated = gatedFields(view.gates, partFields(view.parts))
  const whole: ShownProfile = { profile: view.profile, ...documentsOf(view, publicUrl), closed: [] }
  const kept = new Map<string, ShownProfile>()

  function make(closed: readonly GatedField[]): ShownProfile {
    const profile = withoutFields(view.profile, closed)
    return { profile, closed, ...documentsOf({ ...view, profile, closed }, publicUrl) }
  }

  return {
    /** The gated fields. */
    gated,
    /** The view of the team, and of every visitor when no field is gated. */
    whole,
    /** The view of a visitor with access to the fields with these names in gates, in addition to the open ones. */
    shownWith(open: ReadonlySet<string>): ShownProfile {
      const closed = gated.filter(({ resource }) => !open.has(resource))
      if (closed.length === 0) return whole
      const key = closed.map(({ resource }) => resource).join()
      const known = kept.get(key) ?? make(closed)
      if (kept.size >= MAX_SHOWN) kept.clear()
      kept.set(key, known)
      return known
    },
  }
}
