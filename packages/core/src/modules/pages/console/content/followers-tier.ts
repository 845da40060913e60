import { sha256 } from '../../../../kernel/digest.ts'
import type { GateConfig, GateTier } from '../../../../model/gate-config.ts'

const PREFIX = 'followers_'

const isOwn = (resource: string, name: string, { access }: GateTier): boolean =>
  name.startsWith(PREFIX) && access.length === 1 && access[0] === resource

/** Returns the name of the tier that opens one resource to followers; undefined without one. */
export const followersTierOf = ({ tiers }: GateConfig, resource: string): string | undefined =>
  Object.keys(tiers).find((name) => tiers[name] !== undefined && isOwn(resource, name, tiers[name]))

/** Adds a tier that opens one resource to followers, and changes no other. */
export const withFollowers = (config: GateConfig, resource: string): GateConfig => ({
  ...config,
  tiers: {
    ...config.tiers,
    [followersTierOf(config, resource) ?? `${PREFIX}${sha256(resource).slice(0, 12)}`]: {
      requirements: [{ type: 'connection', relation: 'follower' }],
      access: [resource],
    },
  },
})

/** Removes that tier, and changes no other. */
export function withoutFollowers(config: GateConfig, resource: string): GateConfig {
  const name = followersTierOf(config, resource)
  if (name === undefined) return config
  const { [name]: _, ...tiers } = config.tiers
  return { ...config, tiers }
}
