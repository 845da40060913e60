export { createProfileScores } from './profile-scores.ts'
export { trustRoutes } from './routes.ts'
export { createTrustService, type TrustService, type TrustState } from './service.ts'
