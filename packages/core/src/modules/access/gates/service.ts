import type { Clock } from '../../../kernel/clock.ts'
import { canonicalJson } from '../../../kernel/digest.ts'
import { ifMatchHolds } from '../../../kernel/entity-tags.ts'
import { isEepError } from '../../../kernel/errors.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import { type GateConfig, gateConfigPath } from '../../../model/gate-config.ts'
import { coveringTiers, isOpen, opensSame, paymentsOf } from '../../../model/gate-rules.ts'
import { type SearchEngine, searchEngines } from '../../../model/known-agents.ts'
import type { Gate, GateVersion, GateVersionSummary } from '../../../ports/storage/gates.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { storageUnavailable } from '../../../ports/storage/storage.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { ReadCache } from '../../../runtime/storage/read-cache.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { type ProfileService, type StorageQuota, withOwnDids } from '../../profiles/profiles/index.ts'
import { type AudienceWarning, audienceWarnings } from './audience-warnings.ts'
import { bindDids } from './bound-dids.ts'
import { addCrawlerPrice, CRAWLERS, type CrawlersPay } from './crawlers-pay.ts'
import { gateVersionNotFound, priceNotFound, priceNotPayable, staleGate } from './errors.ts'
import { gateConfigChanged } from './events.ts'
import type { PriceCheck, RailVerdict, UnpayablePrice } from './payable-prices.ts'
import { type PricedResource, priceIn, type ResourcePrice, withoutPrice, withPrice } from './resource-price.ts'

export interface GateServiceDeps extends GuardedStorage {
  readonly clock: Clock
  readonly cache: ReadCache
  readonly profiles: ProfileService
  /** How many versions of a configuration are kept, the current one included. */
  readonly maxVersions: number
  readonly quota: StorageQuota
  /** Whether the address of a payer is enough to open what it bought. */
  readonly opensByAddress: boolean
  readonly prices: PriceCheck
  /** Whether the service can find that a reader belongs to an audience. */
  readonly isProvable: (audience: string) => boolean
  /** The search engines whose crawlers nothing proves. */
  readonly unprovenEngines: readonly SearchEngine[]
}

/** Options of {@link GateService.putConfig}. */
export interface PutOptions {
  /** ETags of which the stored configuration must have one. Default: any. */
  readonly ifMatch?: string | undefined
  /** Whether prices that no configured rail takes are saved. Default: false. */
  readonly allowsUnpayable?: boolean | undefined
}

/** Something that the owner should know about a configuration that was saved. */
export interface GateWarning {
  /**
   * `payer_lookup`: the price is high, and the address of a payer is enough to open what it bought. `no_payment_method`: the payment
   * allows only methods that are not configured, and was stored before or saved with `allowsUnpayable`. `price_partly_payable`: some of
   * the payment methods that the payment allows do not take its price. `search_engines_pay`, of presets only: the crawlers of `engines`
   * are asked to pay, so that pages leave their results. The others are those of {@link AudienceWarning}.
   */
  readonly code:
    | 'payer_lookup'
    | 'no_payment_method'
    | 'price_partly_payable'
    | 'search_engines_pay'
    | AudienceWarning['code']
  readonly tier: string
  /** The other tiers of a warning about an audience. */
  readonly tiers?: readonly string[] | undefined
  /** The audiences that nothing proves. */
  readonly audiences?: readonly string[] | undefined
  /** The search engines of `search_engines_pay`. */
  readonly engines?: readonly SearchEngine[] | undefined
  /** Whether each payment method takes the price; for `price_partly_payable`. */
  readonly rails?: readonly RailVerdict[] | undefined
}

/** A configuration that was saved. */
export interface SavedConfig extends SentConfig {
  readonly warnings: readonly GateWarning[]
}

/** A configuration that was made from a preset and is not saved. */
export interface PresetConfig {
  readonly config: GateConfig
  /** The ETag of the configuration that it was made from. */
  readonly tag: string
  readonly warnings: readonly GateWarning[]
}

/** Names the price of a resource. */
export interface PriceKey {
  readonly profileId: number
  readonly resource: string
}

/** The price of a resource, and the ETag of the configuration. */
export interface FoundPrice {
  readonly priced: PricedResource
  readonly tag: string
}

/** A price that was saved, and the warnings about its tier. */
export interface SavedPrice extends FoundPrice {
  readonly warnings: readonly GateWarning[]
}

/** Above this, in units of any currency, the proof of the payer matters. */
const HIGH_PRICE = 1

const highTiers = ({ tiers }: GateConfig): readonly string[] =>
  Object.entries(tiers).flatMap(([name, { requirements }]) =>
    paymentsOf(requirements).some(({ amount }) => amount > HIGH_PRICE) ? [name] : [],
  )

/** The configuration of a profile without one: everything is open. */
const OPEN_CONFIG: GateConfig = {
  default_tier: 'public',
  tiers: { public: { requirements: [], access: ['*'] } },
}

/** A configuration as it is serialized. */
export interface SentConfig {
  /** JSON. */
  readonly bytes: Buffer
  readonly tag: string
}

/** The gate of a profile without a configuration. */
const openGateOf = ({ id, createdAt }: Profile): Gate => ({
  profileId: id,
  config: OPEN_CONFIG,
  boundDids: {},
  version: 0,
  updatedAt: createdAt,
})

/** The strong ETag of a configuration. It contains the profile id, because names can be reused. */
const tagOf = ({ id }: Profile, gate: Gate | undefined): string => `"g${id}.${gate?.version ?? 0}"`

const isOpenAt = (gate: Gate | undefined, resource: string): boolean =>
  !gate || isOpen(gate.config, resource, coveringTiers(gate.config, resource))

/** Gate configurations of profiles, and their versions. */
export function createGateService({
  read,
  write,
  clock,
  cache,
  profiles,
  maxVersions,
  quota,
  opensByAddress,
  prices,
  isProvable,
  unprovenEngines,
}: GateServiceDeps) {
  // A cached gate is the same object until it changes, so it is serialized once.
  const serialized = new WeakMap<GateConfig, Buffer>()

  function bytesOf(config: GateConfig): Buffer {
    const known = serialized.get(config)
    if (known) return known
    const bytes = Buffer.from(JSON.stringify(config))
    serialized.set(config, bytes)
    return bytes
  }

  const cacheKey = (profileId: number) => `gate:${profileId}`
  async function load(profileId: number): Promise<Gate | undefined> {
    const gate = await read.gates.get(profileId)
    return gate && withOwnDids(profiles.publicUrl, gate)
  }

  const gateOf = (profileId: number): Gate | undefined | Promise<Gate | undefined> =>
    cache.get(cacheKey(profileId), async () => ({ value: await load(profileId), profileId }))

  /**
   * Whether a resource was open by the last cached gate, so that it may be served while the storage is unavailable.
   */
  function wasOpen(profileId: number, resource: string): boolean {
    const seen = cache.lastSeen<Gate | undefined>(cacheKey(profileId))
    return seen !== undefined && isOpenAt(seen.value, resource)
  }

  /** @throws `price_not_payable` for prices that no rail takes and that were not stored before */
  function requirePayable(unpayable: readonly UnpayablePrice[], present: Gate | undefined): void {
    const stored = new Set(
      Object.values(present?.config.tiers ?? {}).flatMap(({ requirements }) =>
        paymentsOf(requirements).map((payment) => canonicalJson(payment)),
      ),
    )
    const fresh = unpayable.filter(({ requirement }) => !stored.has(canonicalJson(requirement)))
    const [first] = fresh
    if (!first) return
    const issues = fresh.map(({ path, code, message, rails }) => ({ path, code, message, rails }))
    throw priceNotPayable({ message: first.message, details: { issues, rails: first.rails } })
  }

  function warningsAbout(config: GateConfig, unpayable: readonly UnpayablePrice[]): readonly GateWarning[] {
    const warned = opensByAddress ? highTiers(config) : []
    const withoutMethod = new Set(unpayable.flatMap(({ tier, code }) => (code === 'method' ? [tier] : [])))
    return [
      ...warned.map((tier) => ({ code: 'payer_lookup', tier }) as const),
      ...[...withoutMethod].map((tier) => ({ code: 'no_payment_method', tier }) as const),
      ...prices.partlyPayable(config).map((partly) => ({ code: 'price_partly_payable', ...partly }) as const),
      ...audienceWarnings(config, isProvable),
    ]
  }

  /** Saves what `change` makes of the stored configuration while no other request changes it. */
  async function save(
    profile: Profile,
    change: (present: GateConfig) => GateConfig,
    caller: Caller,
    { ifMatch, allowsUnpayable = false }: PutOptions,
  ): Promise<SavedConfig & { readonly config: GateConfig }> {
    await profiles.requirePermission(profile, caller, 'gates.edit')
    const enterQuota = await quota.of(profile)
    return write(async (tx, emit) => {
      const checkQuota = await enterQuota(tx)
      await profiles.lockWithPermission(tx, profile.id, caller, 'gates.edit')
      const present = await tx.gates.get(profile.id)
      if (!ifMatchHolds(ifMatch, tagOf(profile, present))) throw staleGate()
      const config = change(present?.config ?? OPEN_CONFIG)
      const unpayable = prices.unpayable(config)
      if (!allowsUnpayable) requirePayable(unpayable, present)
      const updatedAt = clock()
      const boundDids = await bindDids(tx, config, present?.boundDids ?? {}, profiles.nameOf, updatedAt)
      const gate = await tx.gates.put({
        profileId: profile.id,
        config,
        changedBy: caller.account.id,
        updatedAt,
        boundDids,
      })
      await tx.gateVersions?.prune(profile.id, maxVersions)
      await checkQuota()
      const isAccessChanged = !present || !opensSame(present.config, config)
      const origin = { profileId: profile.id, accountId: caller.account.id }
      emit(gateConfigChanged, { version: gate.version, isAccessChanged }, origin)
      const warnings = warningsAbout(config, unpayable)
      return { config: gate.config, bytes: bytesOf(gate.config), tag: tagOf(profile, gate), warnings }
    })
  }

  return {
    /** The gate of a profile. Undefined without a configuration. */
    gateOf,
    /**
     * Whether a resource is open to every visitor. While the storage is unavailable, by the last cached gate.
     */
    async isOpen(profileId: number, resource: string): Promise<boolean> {
      try {
        return isOpenAt(await gateOf(profileId), resource)
      } catch (error) {
        if (isEepError(error) && error.code === storageUnavailable.code && wasOpen(profileId, resource)) return true
        throw error
      }
    },
    wasOpen,
    /** The gate of a profile; one that opens everything when it has no configuration. */
    gateOrOpen: async (profile: Profile): Promise<Gate> => (await gateOf(profile.id)) ?? openGateOf(profile),
    /** The DID of the entity that a gate belongs to. */
    didOf: (profile: Profile): string => profiles.didOf(profile),
    /** The path of the configuration of a profile. */
    pathOf: (profile: Profile): string => gateConfigPath(profiles.didOf(profile)),

    async getConfig(did: string, caller: Caller | undefined): Promise<SentConfig> {
      const profile = await profiles.byDid(did, caller)
      const gate = await gateOf(profile.id)
      return { bytes: bytesOf(gate?.config ?? OPEN_CONFIG), tag: tagOf(profile, gate) }
    },

    async putConfig(did: string, config: GateConfig, caller: Caller, options: PutOptions = {}): Promise<SavedConfig> {
      return save(await profiles.byDid(did, caller), () => config, caller, options)
    },

    async getPrice(profileId: number, resource: string, caller: Caller): Promise<FoundPrice> {
      const profile = await profiles.get(profileId, caller)
      await profiles.requirePermission(profile, caller, 'gates.edit')
      const gate = await gateOf(profileId)
      return { priced: priceIn(gate?.config ?? OPEN_CONFIG, resource), tag: tagOf(profile, gate) }
    },

    async setPrice(
      { profileId, resource }: PriceKey,
      price: ResourcePrice,
      caller: Caller,
      options: PutOptions = {},
    ): Promise<SavedPrice> {
      const profile = await profiles.get(profileId, caller)
      const { config, tag, warnings } = await save(
        profile,
        (present) => withPrice(present, resource, price),
        caller,
        options,
      )
      const priced = priceIn(config, resource)
      return { priced, tag, warnings: warnings.filter(({ tier }) => tier === priced.tier) }
    },

    async deletePrice(
      { profileId, resource }: PriceKey,
      caller: Caller,
      { ifMatch }: Pick<PutOptions, 'ifMatch'> = {},
    ): Promise<FoundPrice> {
      const remove = (present: GateConfig) => {
        const next = withoutPrice(present, resource)
        if (!next) throw priceNotFound()
        return next
      }
      const { config, tag } = await save(await profiles.get(profileId, caller), remove, caller, { ifMatch })
      return { priced: priceIn(config, resource), tag }
    },

    /**
     * Returns the configuration of a DID with prices for programs added, its ETag and the warnings about it. Saves nothing.
     *
     * @throws `tier_exists`, `preset_not_open`, `price_not_payable`, `validation_failed` when the result is not a valid configuration
     */
    async withCrawlerPrice(did: string, preset: CrawlersPay, caller: Caller): Promise<PresetConfig> {
      const profile = await profiles.byDid(did, caller)
      await profiles.requirePermission(profile, caller, 'gates.edit')
      const gate = await gateOf(profile.id)
      const config = addCrawlerPrice(gate?.config ?? OPEN_CONFIG, preset)
      const unpayable = prices.unpayable(config)
      requirePayable(unpayable, gate)
      const engines = preset.free_for.includes('search_engines') ? unprovenEngines : searchEngines
      const warnings = warningsAbout(config, unpayable)
      const asked = { code: 'search_engines_pay', tier: CRAWLERS, engines } as const
      return { config, tag: tagOf(profile, gate), warnings: engines.length > 0 ? [...warnings, asked] : warnings }
    },

    async listVersions(did: string, caller: Caller, page: PageRequest): Promise<Page<GateVersionSummary>> {
      const profile = await profiles.byDid(did, caller)
      await profiles.requirePermission(profile, caller, 'gates.edit')
      return requireGroup(read, 'gateVersions').gateVersions.list(profile.id, page)
    },

    async getVersion(did: string, version: number, caller: Caller): Promise<GateVersion> {
      const profile = await profiles.byDid(did, caller)
      await profiles.requirePermission(profile, caller, 'gates.edit')
      const found = await requireGroup(read, 'gateVersions').gateVersions.get(profile.id, version)
      if (!found) throw gateVersionNotFound()
      return found
    },
  }
}

export type GateService = ReturnType<typeof createGateService>
