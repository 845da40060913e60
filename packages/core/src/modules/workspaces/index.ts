export type { WorkspaceService } from './service.ts'
