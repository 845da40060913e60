import type { JsonObject } from '../../../kernel/json.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import { FIRST_AUDIT_HASH } from '../../../ports/storage/audit-log.ts'
import type { StoredEvent } from '../../../ports/storage/events.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Readers, Stores } from '../../../ports/storage/storage.ts'
import type { TransactionalHandler } from '../../../runtime/consumers/durable.ts'
import type { EventCatalogue } from '../../../runtime/events/catalogue.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { profileDeleted } from '../../profiles/profiles/events.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import type { Actors } from './actors.ts'
import { type AuditDraft, linkEntries } from './chain.ts'
import { createLookups, type LookupDeps, type Lookups } from './lookups.ts'

export interface RecorderDeps extends LookupDeps {
  readonly read: Readers
  readonly catalogue: Pick<EventCatalogue, 'get'>
  readonly keyring: Pick<Keyring, 'signText'>
  readonly profiles: Pick<ProfileService, 'didOf' | 'nameOf'>
  readonly actors: Actors
}

/** How often appending is tried while other processes append to the same log. */
const ATTEMPTS = 10

/**
 * Adds an entry to the audit log of a profile for each event that is defined with `audit`, in the transaction that advances
 * the cursor. Events about an account go to the log of its person, and to none without one: the next owner or other members of another
 * profile must not read them. When a profile is deleted, it redacts the entries
 * whose actor was that profile.
 */
export function createRecorder(deps: RecorderDeps): TransactionalHandler {
  const { catalogue, keyring, profiles, actors } = deps

  async function publisherOf({ profileId, accountId }: StoredEvent, lookups: Lookups): Promise<Profile | undefined> {
    if (profileId !== null) return lookups.profile(profileId)
    return accountId === null ? undefined : lookups.personOf(accountId)
  }

  async function draftOf(
    event: StoredEvent,
    lookups: Lookups,
  ): Promise<{ profileId: number; draft: AuditDraft } | undefined> {
    const audit = catalogue.get(event.type)?.audit
    const fields = audit?.of(event)
    if (!audit || !fields) return undefined
    const publisher = await publisherOf(event, lookups)
    if (!publisher) return undefined
    const { actor, outcome = audit.outcome, resource, gateType, failureReason, ...rest } = fields
    const { sessionTokenId, commerceId, metadata } = rest
    const details: JsonObject = {
      ...(resource !== undefined && { resource }),
      ...(gateType !== undefined && { gate_type: gateType }),
      ...(failureReason !== undefined && { failure_reason: failureReason }),
      ...(sessionTokenId !== undefined && { session_token_id: sessionTokenId }),
      ...(commerceId !== undefined && { commerce_id: commerceId }),
      ...(metadata && Object.keys(metadata).length > 0 && { metadata }),
    }
    return {
      profileId: publisher.id,
      draft: {
        entryId: event.id,
        eventType: audit.type,
        actor: await actors.of(actor, event, lookups),
        through: event.through && event.accountId !== null ? { ...event.through, accountId: event.accountId } : null,
        publisherDid: profiles.didOf(publisher),
        at: event.at,
        outcome,
        details,
      },
    }
  }

  async function append(stores: Stores<'followers'>, profileId: number, drafts: readonly AuditDraft[]): Promise<void> {
    const { auditLog } = requireGroup(stores, 'auditLog')
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const end = (await auditLog.getChain(profileId)) ?? { position: 0, hash: FIRST_AUDIT_HASH }
      if ((await auditLog.append(profileId, end, linkEntries(end, drafts, keyring))) !== 'moved') return
    }
    throw new Error(`The audit log of profile ${profileId} is being written by other processes`)
  }

  return {
    async prepare(events) {
      const lookups = createLookups(deps)
      const byProfile = new Map<number, AuditDraft[]>()
      const deleted = new Set<number>()
      for (const event of events) {
        if (event.type === profileDeleted.type && event.profileId !== null) deleted.add(event.profileId)
        const found = await draftOf(event, lookups)
        if (!found) continue
        const drafts = byProfile.get(found.profileId) ?? []
        drafts.push(found.draft)
        byProfile.set(found.profileId, drafts)
      }
      if (byProfile.size + deleted.size === 0) return undefined
      // In a fixed order, to avoid deadlocks with transactions that delete several profiles.
      const logs = [...byProfile].sort(([left], [right]) => left - right)
      return async (stores) => {
        for (const [profileId, drafts] of logs) await append(stores, profileId, drafts)
        await requireGroup(stores, 'auditLog').auditLog.redactActors([...deleted])
      }
    },
  }
}
