/** The kinds of agents that a section of a profile can be for. `general` is for every agent. */
export const AGENT_TYPES = ['recruiter', 'sales', 'research', 'support', 'general'] as const

export type AgentType = (typeof AGENT_TYPES)[number]
