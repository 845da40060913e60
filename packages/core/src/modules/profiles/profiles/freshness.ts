import type { PublicDocument } from '../../../http/documents/public-document.ts'
import { canonicalJson, sha256 } from '../../../kernel/digest.ts'
import { gatedFields } from '../../../model/gated-fields.ts'
import { serializeSection } from './profile-sections.ts'
import type { ProfileView } from './view.ts'

/** How new a profile is: equal revisions have equal documents. */
export interface Freshness {
  readonly revision: string
  readonly updatedAt: Date
  /** When a public page changed last; null without any. */
  readonly contentUpdatedAt: Date | null
}

export function freshnessOf({ profile, contents, sections, gates }: ProfileView, document: PublicDocument): Freshness {
  // The document has the sections for one type of agents only.
  const isGated = gatedFields(gates).some(({ field }) => field === 'smart_sections')
  const open = isGated ? [] : (sections ?? []).filter(({ visibility }) => visibility === 'public')
  const ofTypes = open.length > 0 ? canonicalJson(open.map(serializeSection)) : ''
  const times = contents.map(({ page }) => page.updatedAt.getTime())
  return {
    revision: sha256(`${canonicalJson(document.data)}\n${document.markdown()}${ofTypes}`, 'base64url').slice(0, 22),
    updatedAt: profile.updatedAt,
    contentUpdatedAt: times.length > 0 ? new Date(Math.max(...times)) : null,
  }
}
