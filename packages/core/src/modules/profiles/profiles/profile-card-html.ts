import { DEFAULT_APPEARANCE } from '../../../http/html/style.ts'
import type { Site } from '../../../http/html/view.ts'
import { sha256 } from '../../../kernel/digest.ts'
import type { CardTexts } from '../../../ports/card-renderer.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'

/** Changes with how cards are drawn, so that clients get new ones. */
const DRAWING = 1

type Carded = Pick<Profile, 'fullName' | 'username' | 'avatarUrl' | 'accent'>

/** What the picture of previews of a profile shows. Requires a profile without its gated fields. */
export function cardTexts(
  { fullName, username, accent }: Carded,
  { name: service, appearance = DEFAULT_APPEARANCE }: Pick<Site, 'name' | 'appearance'>,
): CardTexts {
  const { accent: ground, on } = appearance.accentOf(accent ?? appearance.light.accent)
  return { name: fullName ?? username, service, ground, on }
}

/** The version of the picture of previews of a profile, by what it shows. */
export const cardVersion = (profile: Carded, site: Pick<Site, 'name' | 'appearance'>): string =>
  sha256(JSON.stringify([DRAWING, cardTexts(profile, site), profile.avatarUrl]), 'base64url').slice(0, 16)
