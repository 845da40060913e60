import { type GateConfig, type GateRequirement, isCombined } from '../../../model/gate-config.ts'
import type { BoundDids } from '../../../ports/storage/gates.ts'
import type { ProfileName } from '../../../ports/storage/profiles.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import { idsOfNames } from '../../profiles/profiles/index.ts'

const allowlistedBy = (requirements: readonly GateRequirement[]): readonly string[] =>
  requirements.flatMap((requirement) => {
    if (isCombined(requirement)) return allowlistedBy(requirement.requirements)
    return requirement.type === 'allowlist' ? (requirement as { readonly dids: readonly string[] }).dids : []
  })

/**
 * Binds the DIDs of this service in the allowlists of a configuration to the profiles that they name, so that an entry never
 * opens for another profile that gets the name later. An entry that was bound before stays bound to the same profile; to bind it
 * again, remove it from the configuration and add it. A DID that names no profile yet is not bound and opens nothing.
 *
 * @param before - what was bound in the configuration that is replaced
 */
export async function bindDids(
  tx: Stores,
  config: GateConfig,
  before: BoundDids,
  parse: (did: string) => ProfileName | undefined,
  at: Date,
): Promise<BoundDids> {
  const dids = new Set(Object.values(config.tiers).flatMap(({ requirements }) => allowlistedBy(requirements)))
  const own = [...dids].flatMap((did) => {
    const name = parse(did)
    return name ? [{ did, name }] : []
  })
  const unbound = own.filter(({ did }) => !Object.hasOwn(before, did)).map(({ name }) => name)
  const ids = unbound.length > 0 ? await idsOfNames(tx, unbound, at) : new Map<string, number>()
  const bound = own.map(({ did, name }) => [did, before[did] ?? ids.get(`${name.type}:${name.username}`)] as const)
  return Object.fromEntries(bound.filter((entry): entry is readonly [string, number] => entry[1] !== undefined))
}

/** Whether an allowlist has an entry that is bound to one of some profiles. */
export const isAllowlisted = (dids: readonly string[], bound: BoundDids, profileIds: ReadonlySet<number>): boolean =>
  dids.some((did) => Object.hasOwn(bound, did) && profileIds.has(bound[did] as number))
