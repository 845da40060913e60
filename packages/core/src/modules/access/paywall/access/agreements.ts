import type { Clock } from '../../../../kernel/clock.ts'
import { notFound } from '../../../../kernel/errors.ts'
import type { Caller } from '../../../../model/caller.ts'
import {
  type GateConfig,
  type GateRequirement,
  isCombined,
  type PlainRequirement,
} from '../../../../model/gate-config.ts'
import type { GuardedStorage } from '../../../../runtime/storage/guard.ts'
import { requireGroup } from '../../../../runtime/storage/require-group.ts'
import type { ProfileService } from '../../../profiles/profiles/index.ts'
import type { GateService } from '../../gates/index.ts'

type Agreement = Extract<PlainRequirement, { type: 'agreement' }>

export interface AgreementDeps extends Pick<GuardedStorage, 'write'> {
  readonly clock: Clock
  readonly profiles: Pick<ProfileService, 'byDid'>
  readonly gates: Pick<GateService, 'gateOrOpen'>
}

function agreementsIn(requirement: GateRequirement): readonly Agreement[] {
  if (isCombined(requirement)) return requirement.requirements.flatMap(agreementsIn)
  return requirement.type === 'agreement' ? [requirement as Agreement] : []
}

const findAgreement = (config: GateConfig, hash: string): Agreement | undefined =>
  Object.values(config.tiers)
    .flatMap(({ requirements }) => requirements.flatMap(agreementsIn))
    .find(({ document_hash: known }) => known === hash)

/** Documents of gates that people accept with their account. */
export const createAgreements = ({ write, clock, profiles, gates }: AgreementDeps) => ({
  /**
   * Accepts a document that the gate of a profile names now.
   *
   * @throws `not_found` when the gate names no such document, `profile_not_found`
   */
  async accept(did: string, documentHash: string, caller: Caller): Promise<void> {
    const profile = await profiles.byDid(did, caller)
    const agreement = findAgreement((await gates.gateOrOpen(profile)).config, documentHash)
    if (!agreement) throw notFound()
    const accepted = await write((tx) =>
      requireGroup(tx, 'agreements').agreements.accept({
        accountId: caller.account.id,
        profileId: profile.id,
        documentHash,
        documentUrl: agreement.document_url,
        acceptedAt: clock(),
      }),
    )
    if (accepted === undefined) throw notFound()
  },
})

export type Agreements = ReturnType<typeof createAgreements>
