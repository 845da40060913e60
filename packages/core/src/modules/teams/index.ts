export { teamRoutes } from './routes.ts'
export type { TeamService } from './service.ts'
export { createTeamService } from './service.ts'
export type { MemberRole, ProfileOfAccount } from './store.ts'
