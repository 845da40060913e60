import type { EepRoutes } from '../../../../http/routes.ts'
import type { ResolvePurchaseDeps } from '../pay/resolve-purchase.ts'
import { decisionRoutes } from './decision.routes.ts'
import { type ProcessorRouteOptions, processorRoutes } from './processor.routes.ts'
import { type X402RouteOptions, x402Routes } from './x402.routes.ts'

/** The routes of the paywall: how gates decide, and payments without requesting the resource. */
export function paywallRoutes(
  app: EepRoutes,
  services: ResolvePurchaseDeps,
  options: ProcessorRouteOptions & X402RouteOptions,
): void {
  decisionRoutes(app, services)
  processorRoutes(app, services, options)
  x402Routes(app, services, options)
}
