import { z } from 'zod'
import { hmac, sameText } from '../../kernel/digest.ts'
import type { Keyring } from '../../kernel/keyring.ts'

/** Resources with a number in their URL that may belong to an unlisted profile. */
export type Numbered = 'file' | 'page'

const LENGTH = 22

/** The query of an address that is a capability. */
export const linkQuery = z.object({
  key: z.string().max(64).optional().describe('Opens what belongs to an unlisted profile; its addresses come with it'),
})

/**
 * Keys in the addresses of what belongs to unlisted profiles, so that nothing of them is found by counting. A key holds for
 * one thing of one profile: an owner who writes the numbers of others' files gets keys that open nothing.
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
