export { teamRoutes } from './routes.ts'
export { createTeamService } from './service.ts'
export type { ProfileOfAccount } from './store.ts'
