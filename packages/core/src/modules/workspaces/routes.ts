import type { EepRoutes } from '../../http/routes.ts'
import { workspaceInvitationRoutes } from './invitations.routes.ts'
import { workspaceMemberRoutes } from './members.routes.ts'
import type { WorkspaceService } from './service.ts'
import { workspaceCrudRoutes } from './workspaces.routes.ts'

/** All routes of workspaces. */
export function workspaceRoutes(app: EepRoutes, services: { readonly workspaces: WorkspaceService }): void {
  workspaceCrudRoutes(app, services)
  workspaceMemberRoutes(app, services)
  workspaceInvitationRoutes(app, services)
}
