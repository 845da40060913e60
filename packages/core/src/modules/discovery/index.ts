export { discoveryRoutes } from './routes.ts'
export { createDiscoveryService } from './service.ts'
