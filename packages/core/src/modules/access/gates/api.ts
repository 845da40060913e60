import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { GateConfig } from '../../../model/gate-config.ts'
import type { GateVersion, GateVersionSummary } from '../../../ports/storage/gates.ts'
import type { PutOptions, SavedConfig, SentConfig } from './service.ts'

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
