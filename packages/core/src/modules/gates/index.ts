export { isAllowlisted } from './bound-dids.ts'
export { type Explanation, explain } from './explain.ts'
export type { GateService } from './service.ts'
