import { DEFAULT_APPEARANCE } from '../../../http/html/style.ts'
import type { Site } from '../../../http/html/view.ts'
import { sha256 } from '../../../kernel/digest.ts'
import type { GateConfig } from '../../../model/gate-config.ts'
import { isPublicFile } from '../../../model/public-file.ts'
import { fileIdOf } from '../../../model/resource-addresses.ts'
import type { CardTexts } from '../../../ports/card-renderer.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'

/** Changes with how cards are drawn, so that clients get new ones. */
const DRAWING = 1

type Carded = Pick<Profile, 'id' | 'visibility' | 'fullName' | 'username' | 'avatarUrl' | 'accent'>

/** What the picture of previews of a profile shows. Requires a profile without its gated fields. */
export function cardTexts(
  { fullName, username, accent }: Pick<Carded, 'fullName' | 'username' | 'accent'>,
  { name: service, appearance = DEFAULT_APPEARANCE }: Pick<Site, 'name' | 'appearance'>,
): CardTexts {
  const { accent: ground, on } = appearance.accentOf(accent ?? appearance.light.accent)
  return { name: fullName ?? username, service, ground, on }
}

/** The id of the file that the picture of previews shows as portrait: one of this service that the gate of the profile leaves open. */
export function cardPortraitId(
  { avatarUrl }: Pick<Profile, 'avatarUrl'>,
  gates: GateConfig | undefined,
  publicUrl: string,
): number | undefined {
  const id = avatarUrl === null ? undefined : fileIdOf(avatarUrl, publicUrl)
  return id !== undefined && isPublicFile(gates, id) ? id : undefined
}

/**
 * The version of the picture of previews of a profile, by what it shows. Two profiles never have the same one: the texts and the address of
 * a portrait can be copied.
 */
export function cardVersion(
  profile: Carded,
  gates: GateConfig | undefined,
  site: Pick<Site, 'name' | 'appearance' | 'publicUrl'>,
): string {
  const portraitId = cardPortraitId(profile, gates, site.publicUrl) ?? null
  const shown = [DRAWING, profile.id, profile.visibility, cardTexts(profile, site), portraitId]
  return sha256(JSON.stringify(shown), 'base64url').slice(0, 16)
}
