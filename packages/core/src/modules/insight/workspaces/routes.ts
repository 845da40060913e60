import type { EepRoutes } from '../../../http/routes.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { commentRoutes } from './comments.routes.ts'
import { documentSearchRoutes } from './document-search.routes.ts'
import { documentRoutes } from './documents.routes.ts'
import { workspaceInvitationRoutes } from './invitations.routes.ts'
import { workspaceMemberRoutes } from './members.routes.ts'
import type { WorkspaceService } from './service.ts'
import { workspaceCrudRoutes } from './workspaces.routes.ts'

interface WorkspaceRouteServices {
  readonly workspaces: WorkspaceService
  readonly profiles: ProfileService
}

/** All routes of workspaces. */
export function workspaceRoutes(app: EepRoutes, services: WorkspaceRouteServices): void {
  workspaceCrudRoutes(app, services)
  workspaceMemberRoutes(app, services)
  workspaceInvitationRoutes(app, services)
  documentRoutes(app, services)
  commentRoutes(app, services)
  documentSearchRoutes(app, services)
}
