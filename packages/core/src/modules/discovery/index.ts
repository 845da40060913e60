export { mayHide } from './listing-events.ts'
export { LISTINGS } from './listings.ts'
export { discoveryRoutes } from './routes.ts'
export { createDiscoveryService } from './service.ts'
