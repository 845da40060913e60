import { z } from 'zod'
import { importedTimes } from '../../../framework/module/imported-times.ts'
import { parseStored } from '../../../kernel/parse-stored.ts'
import type { TypeData } from '../../../model/type-data/index.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import { createWithin, type ProfileDraft } from './editing.ts'
import { toEdits } from './edits.ts'
import { profileNotFound } from './errors.ts'
import { profileCreated } from './events.ts'
import { editable, newProfileBody } from './schemas.ts'

/** A profile of an archive. */
export interface ExportedProfile {
  readonly draft: ProfileDraft
  readonly createdAt: Date
  readonly updatedAt: Date
}

const time = z.iso.datetime().transform((text) => new Date(text))
/** Archives of earlier releases have none. */
const appsOf = z.enum(['allowed', 'owner_only']).optional()
const facts = z.object({ id: z.int(), did: z.string(), created_at: time, updated_at: time, apps: appsOf })

/** The texts that contain addresses. */
const { bio, avatar_url, cover_url, agent_instructions, agent_rules } = editable
const rewrittenTexts = z.object({ bio, avatar_url, cover_url, agent_instructions, agent_rules })

/** Reads and restores profiles of archives. */
export function createProfileRestorer(typeData: TypeData, publicUrl: string, publicAfterVerification: boolean) {
  const bodySchema = newProfileBody(typeData, publicUrl)

  return {
    /**
     * Checks the member `profile.json`, by the rules of a new profile. Its names are cleaned, not refused.
     *
     * @throws ZodError
     */
    parse(value: unknown, now: Date): ExportedProfile {
      const { id: _id, did: _did, created_at, updated_at, apps, ...rest } = facts.loose().parse(value)
      const result = parseStored(bodySchema, rest)
      if (!result.success) throw result.error
      const { profile_type: type, username, ...body } = result.data
      return { draft: { ...toEdits(body), type, username, apps }, ...importedTimes({ created_at, updated_at }, now) }
    },

    /**
     * Creates the profile for an account, hidden until `finish`.
     *
     * @throws `username_reserved`, `username_taken`, `too_many_deleted_profiles`
     */
    async create(
      tx: Stores<'hiddenProfiles'>,
      { draft, createdAt }: ExportedProfile,
      { importId, accountId, at }: { readonly importId: string; readonly accountId: string; readonly at: Date },
    ): Promise<Profile> {
      const owner = { ownerAccountId: accountId, at, publicAfterVerification, createdAt }
      // Its event follows when it is shown.
      const profile = await createWithin(tx, () => {}, draft, owner)
      await tx.hiddenProfiles.hide(profile.id, { importId, at })
      return profile
    },

    /**
     * Sets its texts, with the addresses of the new service, and the time of its last change, and shows it.
     *
     * @throws ZodError when new addresses are so long that a text becomes too long; `profile_not_found` when it was deleted
     */
    async finish(
      tx: Stores<'hiddenProfiles'>,
      emit: Emit,
      profile: Profile,
      { updatedAt }: ExportedProfile,
      { importId, rewrite }: { readonly importId: string; readonly rewrite: (text: string) => string },
    ): Promise<void> {
      const changed = (text: string | null) => text && rewrite(text)
      const texts = rewrittenTexts.parse({
        bio: changed(profile.bio),
        avatar_url: changed(profile.avatarUrl),
        cover_url: changed(profile.coverUrl),
        agent_instructions: changed(profile.agentInstructions),
        agent_rules: changed(profile.agentRules),
      })
      const saved = await tx.profiles.save(profile.id, { ...toEdits(texts), updatedAt })
      if (!saved || !(await tx.hiddenProfiles.show(profile.id, importId))) throw profileNotFound()
      const { id: profileId, type, username, ownerAccountId: accountId } = profile
      emit(profileCreated, { type, username }, { profileId, accountId })
    },
  }
}

export type ProfileRestorer = ReturnType<typeof createProfileRestorer>
