import type { EepLogger } from '../ports/logger.ts'
import type { EepRoutes, RouteMethod } from './routes.ts'

/** A path that a host may have a route for. */
interface OwnedPath {
  readonly path: string
  /** The option without which the service has no route there: `discovery.rsl`. */
  readonly option: string
  /** Default: GET. */
  readonly methods?: readonly RouteMethod[] | undefined
}

/** Whether the host has no other route at a path. One that it has is kept: the log names the option that turns the warning off. */
export function isFreePath(
  app: Pick<EepRoutes, 'isTaken' | 'prefix'>,
  logger: Pick<EepLogger, 'warn'> | undefined,
  { path, option, methods = ['GET'] }: OwnedPath,
): boolean {
  if (!methods.some((method) => app.isTaken(path, method))) return true
  logger?.warn(
    { path: app.prefix + path },
    `the host has a route at this path and keeps it; set ${option} to false to turn this warning off`,
  )
  return false
}
