import { z } from 'zod'
import { hmac, sameText } from '../../../kernel/digest.ts'
import type { Keyring } from '../../../kernel/keyring.ts'

/** Resources with a number in their URL that may belong to an unlisted profile. */
export type Numbered = 'file' | 'page'

const LENGTH = 22

/** The query of a capability URL. */
export const linkQuery = z.object({
  key: z
    .string()
    .max(64)
    .optional()
    .describe('Required for resources of an unlisted profile; their addresses contain it'),
})

/**
 * Keys in the addresses of resources of unlisted profiles, so that ids cannot be enumerated. A key is valid for one resource of one
 * profile: an owner who writes ids of other files gets keys that open nothing.
 */
export function createLinkKeys(keyring: Pick<Keyring, 'shared'>) {
  const keys = () => keyring.shared('unlisted-links')
  const make = (secret: Uint8Array, kind: Numbered, profileId: number, id: number) =>
    hmac(secret, `${kind}:${profileId}:${id}`).slice(0, LENGTH)

  return {
    keyOf: (kind: Numbered, profileId: number, id: number): string => make(keys()[0].key, kind, profileId, id),
    opens: (kind: Numbered, profileId: number, id: number, given: string | undefined): boolean =>
      given !== undefined && keys().some(({ key }) => sameText(make(key, kind, profileId, id), given)),
  }
}

export type LinkKeys = ReturnType<typeof createLinkKeys>
