export type { Evidence, RequirementVerifier, VisitorFacts } from './evidence.ts'
export { type GateProof, invalidProof, isCurrent, nonceOf, proofsSchema, readProofs } from './proof.ts'
export { createVerdicts } from './verify.ts'
