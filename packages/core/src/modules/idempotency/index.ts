export type { KeptAnswer } from './sealed-answer.ts'
export { type Attempt, createIdempotencyService, type IdempotencyService } from './service.ts'
