import type { PublicDocument } from '../../../http/documents/public-document.ts'
import { canonicalJson, sha256 } from '../../../kernel/digest.ts'
import { AGENT_TYPES } from '../../../model/agent-type.ts'
import { type LoadedPart, type ProfileView, partSubject, partsFor, publicParts } from './view.ts'

/** How new a profile is: equal revisions have equal documents. */
export interface Freshness {
  readonly revision: string
  readonly updatedAt: Date
  /** When a public page changed last; null without any. */
  readonly contentUpdatedAt: Date | null
}

/** The parts that depend on the type of agent, as each type sees them: the document is for one type only. */
function textForTypes(view: ProfileView, parts: readonly LoadedPart[], publicUrl: string): string {
  const depending = parts.filter(({ part, items }) => part.dependsOnReader && items.length > 0)
  const subject = partSubject(view, publicUrl)
  return AGENT_TYPES.flatMap((agentType) => partsFor(depending, { agentType }))
    .map(({ part, items }) => canonicalJson(part.json(items, subject) ?? null))
    .join('\n')
}

export function freshnessOf(view: ProfileView, document: PublicDocument, publicUrl: string): Freshness {
  const { profile } = view
  // Only what everyone sees: gated parts and those of the team must not be noticed.
  const parts = publicParts(view)
  const ofTypes = textForTypes(view, parts, publicUrl)
  const times = parts.flatMap(({ part, items }) =>
    items.flatMap((item) => (part.isForTeam(item) ? [] : (part.updatedAt(item)?.getTime() ?? []))),
  )
  return {
    revision: sha256(`${canonicalJson(document.data)}\n${document.markdown()}${ofTypes}`, 'base64url').slice(0, 22),
    updatedAt: profile.updatedAt,
    contentUpdatedAt: times.length > 0 ? new Date(Math.max(...times)) : null,
  }
}
