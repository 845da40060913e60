import { CompactEncrypt, compactDecrypt } from 'jose'
import type { Keyring } from './keyring.ts'

interface Sealing {
  /** What the key is for. */
  readonly purpose: string
  /** What the text belongs to; it cannot be read as belonging to anything else. */
  readonly of: string
}

/** Encrypts a text so that only the service reads it (JWE, A256GCM), with the first key of a purpose. */
export async function sealText({ purpose, of, text }: Sealing & { readonly text: string }, keyring: Keyring) {
  const [{ kid, key }] = keyring.shared(purpose)
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify({ of, text })))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid })
    .encrypt(key)
}

/** Reads what {@link sealText} wrote for the same thing; undefined when its key is no longer in the ring. */
export async function unsealText(
  { purpose, of, sealed }: Sealing & { readonly sealed: string },
  keyring: Keyring,
): Promise<string | undefined> {
  const keys = keyring.shared(purpose)
  try {
    const { plaintext } = await compactDecrypt(
      sealed,
      ({ kid }) => {
        const known = keys.find((each) => each.kid === kid)
        if (!known) throw new TypeError('this key is gone')
        return known.key
      },
      { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
    )
    const read: { of: unknown; text: string } = JSON.parse(new TextDecoder().decode(plaintext))
    return read.of === of ? read.text : undefined
  } catch {
    return undefined
  }
}
