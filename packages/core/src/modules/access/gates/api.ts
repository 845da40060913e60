import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { GateConfig } from '../../../model/gate-config.ts'
import type { GateVersion, GateVersionSummary } from '../../../ports/storage/gates.ts'
import type { ResourcePrice } from './resource-price.ts'
import type { FoundPrice, PriceKey, PutOptions, SavedConfig, SavedPrice, SentConfig } from './service.ts'

/** The methods of `app.eep.gates`. */
export interface GatesApi {
  /**
   * Returns the gate configuration of a DID as JSON, with its ETag. Without one, everything is open.
   *
   * @throws `profile_not_found`, `profile_moved`
   */
  getConfig(did: string, caller: Caller | undefined): Promise<SentConfig>
  /**
   * Replaces the gate configuration of a DID. Without `ifMatch` the last of concurrent calls wins.
   *
   * @throws `gate_version_mismatch`, `price_not_payable` when no rail takes a price that is new or changed, `not_profile_owner`,
   * `profile_not_found`, `file_quota_reached`
   */
  putConfig(did: string, config: GateConfig, caller: Caller, options?: PutOptions): Promise<SavedConfig>
  /**
   * Returns the price of one resource, such as `content.notes.engines`, with the ETag of the gate.
   *
   * @throws `not_profile_owner` without the permission `gates.edit`, `profile_not_found`
   */
  getPrice(profileId: number, resource: string, caller: Caller): Promise<FoundPrice>
  /**
   * Sets the price of one resource in a tier that covers nothing else, and changes no other tier. Concurrent changes of other prices
   * are kept.
   *
   * @throws `tier_in_use` when a tier of several resources covers it, `price_not_payable`, `gate_version_mismatch`,
   * `not_profile_owner`, `profile_not_found`, `file_quota_reached`
   */
  setPrice(key: PriceKey, price: ResourcePrice, caller: Caller, options?: PutOptions): Promise<SavedPrice>
  /**
   * Removes the price of one resource. It is then open, or closed, as the other tiers say.
   *
   * @throws `price_not_found`, `gate_version_mismatch`, `not_profile_owner`, `profile_not_found`
   */
  deletePrice(key: PriceKey, caller: Caller, options?: Pick<PutOptions, 'ifMatch'>): Promise<FoundPrice>
  /**
   * Returns the stored versions of a gate configuration, newest first, to those who may change it.
   *
   * @throws `not_profile_owner`, `profile_not_found`, `invalid_cursor`
   */
  listVersions(did: string, caller: Caller, page: PageRequest): Promise<Page<GateVersionSummary>>
  /**
   * Returns one version of a gate configuration to those who may change it.
   *
   * @throws `gate_version_not_found`, `not_profile_owner`, `profile_not_found`
   */
  getVersion(did: string, version: number, caller: Caller): Promise<GateVersion>
}
