import { z } from 'zod'
import { invalidInput } from '../../../kernel/invalid-input.ts'
import { audienceValues } from '../../../model/audience.ts'
import {
  accessPattern,
  type GateConfig,
  type GateTier,
  gateConfigSchema,
  priceSchema,
} from '../../../model/gate-config.ts'
import { closestPattern, covers, specificity } from '../../../model/resource-pattern.ts'
import { presetNotOpen, tierExists } from './errors.ts'

const FREE_FOR = ['people', 'browsers', 'search_engines']

/** What the preset `crawlers_pay` takes: the price for programs, what it is for, and who reads it for free. */
export const crawlersPayBody = z.strictObject({
  ...priceSchema.shape,
  per: priceSchema.shape.per.default('request'),
  access: z.array(accessPattern).min(1).max(100).default(['content.*']).meta({
    description: 'What programs pay for. Everyone must be able to read it now, except for closer tiers inside',
  }),
  free_for: audienceValues
    .refine((values) => !values.includes('unverified'), 'Readers who prove nothing are those who pay')
    .default(FREE_FOR)
    .meta({ description: 'The audiences that read it for free' }),
})

export type CrawlersPay = z.output<typeof crawlersPayBody>

const READERS = 'readers'
/** The tier that the preset adds for those who pay. */
export const CRAWLERS = 'crawlers'

/** A pattern of the preset, and what of it is decided elsewhere. */
export interface PresetPart {
  readonly access: string
  /** A resource that the pattern covers, and nothing in the configuration covers more closely. */
  readonly example: string
  /** The tiers that cover a part of it more closely, which the preset leaves alone. */
  readonly closer_tiers: readonly string[]
  /** The patterns of the default tier that cover a part of it more closely, which stays open. */
  readonly open: readonly string[]
}

type NamedTier = readonly [name: string, tier: GateTier]

const guardedTiers = ({ tiers, default_tier: home }: GateConfig): readonly NamedTier[] =>
  Object.entries(tiers).filter(([name, { requirements }]) => name !== home && requirements.length > 0)

const isInside = (pattern: string) => (other: string) => other !== pattern && covers(pattern, other)

/**
 * The tiers that keep a pattern from being open to everyone, apart from those that cover only a part of it. Undefined when it is
 * open; empty when no tier covers it.
 */
function closedBy(config: GateConfig, pattern: string): readonly string[] | undefined {
  const home = closestPattern(config.tiers[config.default_tier]?.access ?? [], pattern)
  const score = home === undefined ? -1 : specificity(home, pattern)
  const closing = guardedTiers(config).flatMap(([name, { access }]) => {
    const own = closestPattern(access, pattern)
    return own !== undefined && specificity(own, pattern) >= score ? [name] : []
  })
  return home === undefined || closing.length > 0 ? closing : undefined
}

/** Describes what a preset does to each of its patterns. */
export const presetParts = (config: GateConfig, { access }: Pick<CrawlersPay, 'access'>): readonly PresetPart[] => {
  const named = new Set(Object.values(config.tiers).flatMap((tier) => tier.access))
  const others = guardedTiers(config).filter(([name]) => name !== READERS && name !== CRAWLERS)
  return access.map((pattern) => {
    const root = pattern === '*' ? 'content' : pattern.replace(/\.\*$/, '')
    const names = ['any', ...Array.from(named, (_, at) => `any_${at}`)].map((name) => `${root}.${name}`)
    const isTaken = (name: string) => named.has(name) || named.has(`${name}.*`)
    const example = root === pattern ? pattern : (names.find((name) => !isTaken(name)) ?? root)
    return {
      access: pattern,
      example,
      closer_tiers: others.flatMap(([name, tier]) => (tier.access.some(isInside(pattern)) ? [name] : [])),
      open: config.tiers[config.default_tier]?.access.filter(isInside(pattern)) ?? [],
    }
  })
}

/**
 * Adds a price for programs to a configuration: the tier `readers`, free for some audiences, and the tier `crawlers`, which everyone
 * else pays. Changes no tier, so that nothing that is sold or restricted becomes open.
 *
 * @throws `tier_exists` when a tier of these names exists; `preset_not_open` when not everyone may read what programs shall pay for;
 * `validation_failed` when the result would not be a valid configuration
 */
export function addCrawlerPrice(config: GateConfig, { access, free_for: free, ...price }: CrawlersPay): GateConfig {
  const taken = [READERS, CRAWLERS].filter((name) => Object.hasOwn(config.tiers, name))
  if (taken.length > 0) throw tierExists({ details: { tiers: taken } })
  for (const pattern of access) {
    const tiers = closedBy(config, pattern)
    if (tiers) throw presetNotOpen({ details: { access: pattern, tiers } })
  }
  // A person or a search engine that does not read for free pays, too: `unverified` names neither.
  const others = ['people', 'search_engines'].filter((name) => !free.includes(name))
  const made = {
    ...config,
    tiers: {
      ...config.tiers,
      [READERS]: { requirements: [{ type: 'x-audience', any_of: free }], access },
      [CRAWLERS]: {
        requirements: [
          { type: 'x-audience', any_of: ['verified_bots', 'unverified', ...others] },
          { type: 'payment', ...price },
        ],
        access,
      },
    },
  }
  const checked = gateConfigSchema.safeParse(made)
  if (!checked.success) throw invalidInput(checked.error, 'body')
  return checked.data
}
