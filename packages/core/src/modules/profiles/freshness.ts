import type { PublicDocument } from '../../http/public-document.ts'
import { canonicalJson, sha256 } from '../../kernel/digest.ts'
import type { ProfileView } from './view.ts'

/** How new a profile is: equal revisions have equal documents. */
export interface Freshness {
  readonly revision: string
  readonly updatedAt: Date
  /** When a public page changed last; null without any. */
  readonly contentUpdatedAt: Date | null
}

export function freshnessOf({ profile, contents }: ProfileView, document: PublicDocument): Freshness {
  const times = contents.map(({ page }) => page.updatedAt.getTime())
  return {
    revision: sha256(`${canonicalJson(document.data)}\n${document.markdown()}`, 'base64url').slice(0, 22),
    updatedAt: profile.updatedAt,
    contentUpdatedAt: times.length > 0 ? new Date(Math.max(...times)) : null,
  }
}
