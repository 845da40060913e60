/** The largest gate configuration, in bytes of JSON. */
export const MAX_CONFIG_BYTES = 65_536
export const MAX_TIERS = 20
export const MAX_METADATA_MEMBERS = 20

const MAX_METADATA_BYTES = 16_384
const MAX_NESTING = 4

/** Enough for 20 tiers of 10 requirements. A request is checked against all tiers that cover its resource. */
const MAX_REQUIREMENTS = 200

/** A limit that is exceeded, and where. */
export interface SizeFault {
  readonly path: readonly string[]
  readonly message: string
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

/** Counts requirements, including nested ones, until `room` is used up; undefined when they are nested too deeply. */
function countRequirements(list: unknown, room: number, depth = 0): number | undefined {
  if (!Array.isArray(list)) return 0
  let count = 0
  for (const one of list) {
    count += 1
    if (count > room) return count
    if (!isObject(one) || one.type !== 'combined' || !Array.isArray(one.requirements)) continue
    if (depth === MAX_NESTING) return undefined
    const inside = countRequirements(one.requirements, room - count, depth + 1)
    if (inside === undefined) return undefined
    count += inside
  }
  return count
}

/** Returns the first limit that a value exceeds, which need not be a valid configuration; undefined when it exceeds none. */
export function checkConfigSize(config: unknown): SizeFault | undefined {
  if (!isObject(config)) return undefined
  if (bytesOf(config) > MAX_CONFIG_BYTES) return { path: [], message: `Must not exceed ${MAX_CONFIG_BYTES} bytes` }
  if (!isObject(config.tiers)) return undefined
  const tiers = Object.entries(config.tiers)
  if (tiers.length > MAX_TIERS) return { path: ['tiers'], message: `From 1 to ${MAX_TIERS} tiers` }
  let requirements = 0
  for (const [name, tier] of tiers) {
    if (!isObject(tier)) continue
    if (isObject(tier.metadata) && bytesOf(tier.metadata) > MAX_METADATA_BYTES) {
      return { path: ['tiers', name, 'metadata'], message: `Must not exceed ${MAX_METADATA_BYTES} bytes` }
    }
    const count = countRequirements(tier.requirements, MAX_REQUIREMENTS - requirements)
    if (count === undefined) {
      return {
        path: ['tiers', name, 'requirements'],
        message: `Requirements are nested more than ${MAX_NESTING} levels deep`,
      }
    }
    requirements += count
    if (requirements > MAX_REQUIREMENTS) {
      return { path: ['tiers'], message: `At most ${MAX_REQUIREMENTS} requirements, including those in combined ones` }
    }
  }
  return undefined
}
