import type { AgentType } from '../../../model/agent-type.ts'
import type { SmartSection } from '../../../ports/storage/smart-sections.ts'

/** The properties of a reader that decide which sections are shown. */
export interface SectionReader {
  /** Default: `general`. */
  readonly agentType?: AgentType | undefined
  /** Whether the reader belongs to the team, which also sees sections that are not public. Default: false. */
  readonly isTeam?: boolean | undefined
}

/**
 * Returns the sections that a reader sees: those for its type first, then those for every agent, each in ascending order of
 * their position.
 */
export function sectionsFor(
  sections: readonly SmartSection[],
  { agentType = 'general', isTeam = false }: SectionReader,
): readonly SmartSection[] {
  const visible = sections
    .filter(({ visibility }) => isTeam || visibility === 'public')
    .toSorted((left, right) => left.position - right.position)
  const own = visible.filter(({ agentTypes }) => agentTypes.includes(agentType))
  const others = visible.filter((section) => section.agentTypes.includes('general') && !own.includes(section))
  return [...own, ...others]
}

/** Serializes a section. */
export const serializeSection = ({ agentTypes, key, title, body, position, visibility }: SmartSection) => ({
  key,
  title,
  body,
  agent_types: [...agentTypes],
  position,
  visibility,
})
