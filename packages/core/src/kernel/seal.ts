import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deriveKey } from './digest.ts'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts short texts for one purpose (AES-256-GCM) with a key derived from the first secret, and decrypts those of all
 * secrets. A text that was sealed for one subject cannot be opened for another.
 */
export function createSeal(secrets: readonly string[], purpose: string) {
  const keys = secrets.map((secret) => deriveKey(secret, purpose))
  const [current] = keys
  if (!current) throw new TypeError('A seal needs a secret')

  function openWith(key: Uint8Array, sealed: Buffer, subject: string): string | undefined {
    try {
      const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(subject))
        .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      const text = [decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]
      return Buffer.concat(text).toString('utf8')
    } catch {
      return undefined
    }
  }

  return {
    seal(text: string, subject: string): string {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, current, iv).setAAD(Buffer.from(subject))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    /** Undefined when none of the secrets opens it. */
    open(text: string, subject: string): string | undefined {
      const sealed = Buffer.from(text, 'base64url')
      for (const key of keys) {
        const opened = openWith(key, sealed, subject)
        if (opened !== undefined) return opened
      }
      return undefined
    },
  }
}

export type Seal = ReturnType<typeof createSeal>
