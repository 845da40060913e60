export type { Relation, VisitorLookup } from './evidence.ts'
export { createVerdicts, type Verdicts } from './verify.ts'
