import type { ReactionKind } from './store.ts'

interface ReactionFacts {
  readonly kind: ReactionKind
  readonly pageId: number
  /** Whose page it is. */
  readonly ofProfileId: number
}

/** They are about the account that reacts, and no public document shows them: caches and lists stay as they are. */
export interface ReactionEvents {
  'reactions.reaction_added': ReactionFacts
  'reactions.reaction_removed': ReactionFacts
}
