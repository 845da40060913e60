export { AGENT_KINDS, type NamedAgent, readAgent, readAgentKey } from './agent-names.ts'
export { type AgentAction, agentMetrics, MIN_SEARCHES } from './figures.ts'
export { KNOWN_AGENTS, KNOWN_AGENTS_SOURCE } from './known-agents.ts'
