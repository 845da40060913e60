import { z } from 'zod'
import type { Emit } from '../../events/define-event.ts'
import type { TypeData } from '../../model/type-data/index.ts'
import { importedTimes } from '../../module/imported-times.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { createWithin, type ProfileDraft } from './editing.ts'
import { toEdits } from './edits.ts'
import { profileNotFound } from './errors.ts'
import { editable, newProfileBody } from './schemas.ts'

/** A profile of an archive. */
export interface ExportedProfile {
  readonly draft: ProfileDraft
  readonly createdAt: Date
  readonly updatedAt: Date
}

const time = z.iso.datetime().transform((text) => new Date(text))
const facts = z.object({ id: z.int(), did: z.string(), created_at: time, updated_at: time })

/** The texts that contain addresses. */
const { bio, avatar_url, agent_instructions, agent_rules } = editable
const rewrittenTexts = z.object({ bio, avatar_url, agent_instructions, agent_rules })

/** Reads and restores profiles of archives. */
export function createProfileRestorer(typeData: TypeData, publicUrl: string, publicAfterVerification: boolean) {
  const bodySchema = newProfileBody(typeData, publicUrl)

  return {
    /**
     * Checks the member `profile.json`, by the rules of a new profile.
     *
     * @throws ZodError
     */
    parse(value: unknown, now: Date): ExportedProfile {
      const { id: _id, did: _did, created_at, updated_at, ...rest } = facts.loose().parse(value)
      const { profile_type: type, username, ...body } = bodySchema.parse(rest)
      return { draft: { ...toEdits(body), type, username }, ...importedTimes({ created_at, updated_at }, now) }
    },

    /**
     * Creates the profile for an account.
     *
     * @throws `username_reserved`, `username_taken`, `too_many_deleted_profiles`
     */
    create(tx: Stores, emit: Emit, { draft, createdAt }: ExportedProfile, ownerAccountId: string, at: Date) {
      return createWithin(tx, emit, draft, { ownerAccountId, at, publicAfterVerification, createdAt })
    },

    /**
     * Sets its texts, with the addresses of the new service, and the time of its last change.
     *
     * @throws ZodError when new addresses are so long that a text becomes too long
     */
    async finish(
      tx: Stores,
      profile: Profile,
      { updatedAt }: ExportedProfile,
      rewrite: (text: string) => string,
    ): Promise<void> {
      const changed = (text: string | null) => text && rewrite(text)
      const texts = rewrittenTexts.parse({
        bio: changed(profile.bio),
        avatar_url: changed(profile.avatarUrl),
        agent_instructions: changed(profile.agentInstructions),
        agent_rules: changed(profile.agentRules),
      })
      const saved = await tx.profiles.save(profile.id, { ...toEdits(texts), updatedAt })
      if (!saved) throw profileNotFound()
    },
  }
}

export type ProfileRestorer = ReturnType<typeof createProfileRestorer>
