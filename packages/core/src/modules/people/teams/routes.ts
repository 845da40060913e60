import type { EepRoutes } from '../../../http/routes.ts'
import { invitationRoutes } from './invitations.routes.ts'
import { memberRoutes } from './members.routes.ts'
import type { TeamService } from './service.ts'
import { transferRoutes } from './transfers.routes.ts'

/** The teams of profiles and the transfer of profiles. */
export function teamRoutes(app: EepRoutes, services: { readonly teams: TeamService }): void {
  memberRoutes(app, services)
  invitationRoutes(app, services)
  transferRoutes(app, services)
}
