export type { AgentActivity, AgentFigures } from './agent-figures.ts'
export { AGENT_KINDS, type NamedAgent, readAgent } from './agent-names.ts'
export { type AgentAction, MIN_SEARCHES } from './figures.ts'
