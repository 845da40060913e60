import { type GateConfig, gateConfigSchema } from '../../model/gate-config.ts'
import { jsonMember, type ProfileExporter } from '../../module/export-member.ts'
import { parseMember } from '../../module/parse-member.ts'
import type { ProfileImporter } from '../../module/profile-import.ts'
import type { Readers } from '../../ports/storage/storage.ts'
import type { ProfileService } from '../profiles/index.ts'
import { bindDids } from './bound-dids.ts'
import { gateConfigChanged } from './events.ts'

const GATES_PATH = 'gates.json'

/** The gate configuration of a profile, if it has one. */
export const createGateExporter = (read: Pick<Readers, 'gates'>): ProfileExporter =>
  async function* ({ profile }) {
    const gate = await read.gates.get(profile.id)
    if (gate) yield jsonMember(GATES_PATH, gate.config, gate.updatedAt)
  }

const FILE = /^files\.f(\d{1,15})$/

/**
 * Replaces the ids in the patterns of files, which would be open under their new ids otherwise.
 *
 * @internal
 */
export function withFileIds(config: GateConfig, fileIds: ReadonlyMap<number, number>): GateConfig {
  const renamed = (pattern: string) => {
    const newId = fileIds.get(Number(FILE.exec(pattern)?.[1]))
    return newId === undefined ? pattern : `files.f${newId}`
  }
  const tiers = Object.entries(config.tiers).map(([name, tier]) => [
    name,
    { ...tier, access: tier.access.map(renamed) },
  ])
  return { ...config, tiers: Object.fromEntries(tiers) }
}

/** Imports the gate configuration in the transaction that creates the profile, so that paid content is never open. */
export const createGateImporter = (profiles: Pick<ProfileService, 'nameOf'>): ProfileImporter => ({
  reads: (path) => path === GATES_PATH,
  async check(source) {
    const value = await source.json(GATES_PATH)
    const exported = value === undefined ? undefined : parseMember(GATES_PATH, gateConfigSchema, value)
    return {
      counts: { gates: exported ? 1 : 0 },
      async within(tx, emit, { profile, accountId, at, fileIds }) {
        if (!exported) return
        const config = withFileIds(exported, fileIds)
        const boundDids = await bindDids(tx, config, {}, profiles.nameOf, at)
        const gate = await tx.gates.put({
          profileId: profile.id,
          config,
          changedBy: accountId,
          updatedAt: at,
          boundDids,
        })
        emit(gateConfigChanged, { version: gate.version }, { profileId: profile.id, accountId })
      },
    }
  },
})
