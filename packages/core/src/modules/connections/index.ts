export { connectionRoutes } from './routes.ts'
export { type ConnectionService, createConnectionService } from './service.ts'
