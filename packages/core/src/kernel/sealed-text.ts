import { CompactEncrypt, compactDecrypt } from 'jose'
import type { Keyring } from './keyring.ts'

interface Sealing {
  /** The purpose of the key. */
  readonly purpose: string
  /** What the text belongs to. A text is decrypted only for the same value. */
  readonly of: string
}

/** Encrypts a text (JWE, A256GCM) with the first key of a purpose, so that only the service can read it. */
export async function sealText({ purpose, of, text }: Sealing & { readonly text: string }, keyring: Keyring) {
  const [{ kid, key }] = keyring.shared(purpose)
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify({ of, text })))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid })
    .encrypt(key)
}

/** Decrypts the result of {@link sealText}. Returns undefined when its key is no longer in the keyring. */
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
        if (!known) throw new TypeError('this key is no longer in the keyring')
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
