import type { EepRoutes } from '../../../http/routes.ts'

/** The tokens with which agents pay. */
export function tokenRoutes(_app: EepRoutes): void {}
