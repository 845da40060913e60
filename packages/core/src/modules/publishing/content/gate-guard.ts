import { isEepError } from '../../../kernel/errors.ts'
import { type Caller, hasScope } from '../../../model/caller.ts'
import type { GateConfig } from '../../../model/gate-config.ts'
import { coveringTiers, isOpen } from '../../../model/gate-rules.ts'
import { isPublicFile } from '../../../model/public-file.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { ContentAccess } from './access.ts'
import { contentResource } from './address.ts'
import { gatePermissionRequired } from './errors.ts'

/** The previous and the next address of content. */
export interface Move {
  readonly profileId: number
  readonly from: readonly string[]
  readonly to: readonly string[]
}

/** Whether a gate closes a page. */
export function isClosed(config: GateConfig, slugs: readonly string[]): boolean {
  const resource = contentResource(slugs)
  return !isOpen(config, resource, coveringTiers(config, resource))
}

/** Whether a tier guards something below an address. */
function guardsBelow(config: GateConfig, slugs: readonly string[]): boolean {
  const below = `${contentResource(slugs)}.`
  return Object.values(config.tiers).some(
    ({ requirements, access }) => requirements.length > 0 && access.some((pattern) => pattern.startsWith(below)),
  )
}

/**
 * Gates address content by its path, so a move can make it free to read, and everyone may see covers. Only members who can change the gate
 * may open what it closes, and of their API keys those with the scope for it.
 *
 * @throws `gate_permission_required`
 */
export function createGateGuard(access: Pick<ContentAccess, 'lock'>) {
  async function mayChangeGates(tx: Stores, profileId: number, caller: Caller): Promise<boolean> {
    if (!hasScope(caller, 'write:gates')) return false
    try {
      await access.lock(tx, profileId, caller, 'gates.edit')
      return true
    } catch (error) {
      if (isEepError(error) && error.status === 403) return false
      throw error
    }
  }

  async function check(tx: Stores, profileId: number, caller: Caller, leaves: (config: GateConfig) => boolean) {
    const gate = await tx.gates.get(profileId)
    if (gate && leaves(gate.config) && !(await mayChangeGates(tx, profileId, caller))) throw gatePermissionRequired()
  }

  return {
    /** Whether a page is gated at its current path and would be open at the new one. */
    page: (tx: Stores, { profileId, from, to }: Move, caller: Caller) =>
      check(tx, profileId, caller, (config) => isClosed(config, from) && !isClosed(config, to)),

    /** Whether a category is gated or contains gated content. Its pages are not checked individually. */
    category: (tx: Stores, { profileId, from }: Move, caller: Caller) =>
      check(tx, profileId, caller, (config) => isClosed(config, from) || guardsBelow(config, from)),

    /** Whether a page is gated that others will read without its gate. */
    closedPage: (
      tx: Stores,
      { profileId, slugs }: { readonly profileId: number; readonly slugs: readonly string[] },
      caller: Caller,
    ) => check(tx, profileId, caller, (config) => isClosed(config, slugs)),

    /** Whether a file that becomes a cover is gated. */
    cover: (
      tx: Stores,
      { profileId, fileId }: { readonly profileId: number; readonly fileId: number },
      caller: Caller,
    ) => check(tx, profileId, caller, (config) => !isPublicFile(config, fileId)),
  }
}
