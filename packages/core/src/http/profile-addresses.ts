import { z } from 'zod'
import { PREFIX_BY_TYPE, PROFILE_PREFIXES, PROFILE_TYPES, type ProfileType } from '../model/profile-type.ts'
import type { RouteFamily } from './routes.ts'

/** Where profiles of one type have a route. */
export interface ProfileAddress {
  readonly type: ProfileType
  /** `/u/:username`, with what comes below it. */
  readonly path: string
  /** Belongs into the configuration of the route, so that the nine are described as one operation. */
  readonly family: RouteFamily
}

const prefixParams = z.object({
  prefix: z.enum(PROFILE_PREFIXES).describe('The first part of the public path of a profile; each type has its own'),
})

/**
 * Adds one route for each of the nine public prefixes: `/u/:username`, `/o/:username` and so on, and what `below` names
 * after it. The paths are static because the router finds those faster than a parameter with nine allowed values; the
 * description has one operation with the path `/{prefix}/{username}`.
 */
export function addAtEachPrefix(below: string, add: (address: ProfileAddress) => void): void {
  const family = { path: `/:prefix/:username${below}`, params: prefixParams }
  for (const type of PROFILE_TYPES) add({ type, path: `/${PREFIX_BY_TYPE[type]}/:username${below}`, family })
}
