export type { Evidence, Relation, RequirementVerifier, VisitorFacts } from './evidence.ts'
export { type GateProof, invalidProof, isCurrent, nonceOf, proofsSchema, readProofs } from './proof.ts'
export { createVerdicts, type Verdicts } from './verify.ts'
