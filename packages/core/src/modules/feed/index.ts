export { postNotFound } from './errors.ts'
export { postParams } from './schemas.ts'
export type { FeedService } from './service.ts'
