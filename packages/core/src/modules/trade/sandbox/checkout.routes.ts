import type { EepRoutes } from '../../../http/routes.ts'

/** The page on which people pay with a test card. */
export function checkoutRoutes(_app: EepRoutes): void {}
