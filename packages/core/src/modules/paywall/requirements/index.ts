export type { Relation, VisitorFacts } from './evidence.ts'
export { createVerdicts, type Verdicts } from './verify.ts'
