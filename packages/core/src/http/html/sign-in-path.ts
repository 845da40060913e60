import type { FastifyRequest } from 'fastify'
import { internalPath } from '../../kernel/internal-path.ts'

const SIGN_IN = '/login'

/** Adds the path to go to after signing in to another path. */
export const withNext = (path: string, next: string | undefined): string =>
  next === undefined ? path : `${path}?next=${encodeURIComponent(next)}`

/** The path of the sign-in page that leads back to a path of the listener; undefined where users sign in at the host. */
export function signInPath({ eep }: FastifyRequest, next: string | undefined): string | undefined {
  const { site, basePath } = eep
  if (!site.has?.(SIGN_IN)) return undefined
  return withNext(SIGN_IN, internalPath(next?.startsWith(`${basePath}/`) ? next.slice(basePath.length) : next))
}
