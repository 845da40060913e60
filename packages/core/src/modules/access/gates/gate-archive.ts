import { jsonMember, type ProfileExporter } from '../../../framework/module/export-member.ts'
import { parseMember } from '../../../framework/module/parse-member.ts'
import type { ProfileImporter } from '../../../framework/module/profile-import.ts'
import { type GateConfig, gateConfigSchema } from '../../../model/gate-config.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { bindDids } from './bound-dids.ts'
import { gateConfigChanged } from './events.ts'
import type { PriceCheck } from './payable-prices.ts'

const GATES_PATH = 'gates.json'

/** The gate configuration of a profile, if it has one. */
export const createGateExporter = (read: Pick<Readers, 'gates'>): ProfileExporter =>
  async function* ({ profile }) {
    const gate = await read.gates.get(profile.id)
    if (gate) yield jsonMember(GATES_PATH, gate.config, gate.updatedAt)
  }

const FILE = /^files\.f([1-9]\d{0,14})(\.\*)?$/
/** Names no file: ids start at 1. A tier has at least one pattern. */
const NO_FILE = 'files.f0'

/**
 * Replaces the ids in the patterns of files, which would be open under their new ids otherwise. Patterns of files that are
 * not in the archive are removed: these were deleted, and another file may get their id.
 *
 * @internal
 */
export function withFileIds(config: GateConfig, fileIds: ReadonlyMap<number, number>): GateConfig {
  const renamed = (pattern: string): readonly string[] => {
    const [isFile, id, below = ''] = FILE.exec(pattern) ?? []
    if (isFile === undefined) return [pattern]
    const newId = fileIds.get(Number(id))
    return newId === undefined ? [] : [`files.f${newId}${below}`]
  }
  const tiers = Object.entries(config.tiers).map(([name, tier]) => {
    const access = tier.access.flatMap(renamed)
    return [name, { ...tier, access: access.length > 0 ? access : [NO_FILE] }]
  })
  return { ...config, tiers: Object.fromEntries(tiers) }
}

export interface GateImporterDeps {
  readonly profiles: Pick<ProfileService, 'nameOf'>
  readonly prices: Pick<PriceCheck, 'unpayable'>
}

/**
 * Imports the gate configuration while the profile is hidden, so that paid content is never open. Prices that no rail takes are
 * imported too, and reported.
 */
export const createGateImporter = ({ profiles, prices }: GateImporterDeps): ProfileImporter => ({
  reads: (path) => path === GATES_PATH,
  async check(source) {
    const value = await source.json(GATES_PATH)
    const exported = value === undefined ? undefined : parseMember(GATES_PATH, gateConfigSchema, value)
    return {
      counts: { gates: exported ? 1 : 0 },
      warnings: exported
        ? prices.unpayable(exported).map(({ tier }) => ({ code: 'price_not_payable', member: GATES_PATH, item: tier }))
        : [],
      *store({ profile, accountId, at, fileIds }) {
        if (!exported) return
        yield async (tx, emit) => {
          const config = withFileIds(exported, fileIds)
          const boundDids = await bindDids(tx, config, {}, profiles.nameOf, at)
          const gate = await tx.gates.put({
            profileId: profile.id,
            config,
            changedBy: accountId,
            updatedAt: at,
            boundDids,
          })
          emit(
            gateConfigChanged,
            { version: gate.version, isAccessChanged: true },
            { profileId: profile.id, accountId },
          )
        }
      },
    }
  },
})
