export { alreadyWorkspaceMember } from './errors.ts'
export type { WorkspaceService } from './service.ts'
