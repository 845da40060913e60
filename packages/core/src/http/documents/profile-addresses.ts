import { z } from 'zod'
import { PREFIX_BY_TYPE, PROFILE_PREFIXES, PROFILE_TYPES, type ProfileType } from '../../model/profile-type.ts'
import type { RouteFamily } from '../routes.ts'

/** A route at the public prefix of one type of profile. */
export interface ProfileAddress {
  readonly type: ProfileType
  /** `/u/:username`, and the path below it. */
  readonly path: string
  /** Pass it to `routeConfig`, so that the nine routes are described as one operation. */
  readonly family: RouteFamily
}

const prefixParams = z.object({
  prefix: z
    .enum(PROFILE_PREFIXES)
    .describe('The first segment of the public path of a profile; each type of profile has its own'),
})

/**
 * Adds one route for each of the nine public prefixes: `/u/:username`, `/o/:username` and so on, followed by `below`. The
 * prefixes are static because the router matches those faster than a parameter with nine allowed values. The OpenAPI
 * document has one operation with the path `/{prefix}/{username}`.
 */
export function addAtEachPrefix(below: string, add: (address: ProfileAddress) => void): void {
  const family = { path: `/:prefix/:username${below}`, params: prefixParams }
  for (const type of PROFILE_TYPES) add({ type, path: `/${PREFIX_BY_TYPE[type]}/:username${below}`, family })
}
