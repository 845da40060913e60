export type { MediaService } from './service.ts'
