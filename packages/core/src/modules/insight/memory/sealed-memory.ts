import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deriveKey, sha256 } from '../../../kernel/digest.ts'
import type { MemoryText } from '../../../ports/storage/memory.ts'
import { memoryKeyMissing } from './errors.ts'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

interface Key {
  readonly id: string
  readonly bytes: Uint8Array
}

/**
 * Encrypts texts with the first of some keys (AES-256-GCM) and decrypts them with all of them. Without keys, texts are stored as
 * they are. A text is decrypted only for the session that it was encrypted for.
 */
export function createMemorySeal(secrets: readonly string[]) {
  const keys = secrets.map((secret): Key => {
    const bytes = deriveKey(secret, 'memory')
    return { bytes, id: sha256(bytes, 'base64url').slice(0, 16) }
  })
  const [current] = keys

  return {
    /** The id of the key that texts are encrypted with; null for plain text. */
    keyId: current?.id ?? null,
    /** The ids of the other keys. */
    formerKeyIds: keys.slice(1).map(({ id }) => id),

    seal(text: string, sessionId: string): MemoryText {
      if (!current) return { text, keyId: null }
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, current.bytes, iv).setAAD(Buffer.from(sessionId))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return { text: Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url'), keyId: current.id }
    },

    /** Whether `open` can return the text: it is in plain text, or one of the keys decrypts it. True for no text. */
    canOpen: (text: MemoryText | null): boolean =>
      text === null || text.keyId === null || keys.some(({ id }) => id === text.keyId),

    /** @throws `memory_key_missing` when none of the keys decrypts the text */
    open({ text, keyId }: MemoryText, sessionId: string): string {
      if (keyId === null) return text
      const key = keys.find(({ id }) => id === keyId)
      if (!key) throw memoryKeyMissing({ retryAfterMs: 60_000 })
      const sealed = Buffer.from(text, 'base64url')
      const iv = sealed.subarray(0, IV_BYTES)
      const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)
      const decipher = createDecipheriv(ALGORITHM, key.bytes, iv, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(sessionId))
        .setAuthTag(tag)
      const opened = [decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]
      return Buffer.concat(opened).toString('utf8')
    },
  }
}

export type MemorySeal = ReturnType<typeof createMemorySeal>
