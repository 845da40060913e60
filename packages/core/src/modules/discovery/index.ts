export { discoveryRoutes } from './routes.ts'
export type { DiscoveryService } from './service.ts'
export { createDiscoveryService } from './service.ts'
