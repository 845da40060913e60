import type { Keyring } from '../../../kernel/keyring.ts'
import { sealText, unsealText } from '../../../kernel/sealed-text.ts'
import type { Webhook } from '../../../ports/storage/webhooks.ts'

const PURPOSE = 'webhook-secret'

/** Encrypts the secret of a webhook for the storage. */
export const sealSecret = (webhookId: string, secret: string, keyring: Keyring): Promise<string> =>
  sealText({ purpose: PURPOSE, of: webhookId, text: secret }, keyring)

/**
 * Decrypts the secrets that sign a delivery: the current one, and the previous one for a day after a rotation. Empty
 * when their encryption key is no longer in the keyring.
 */
export async function openSecrets(
  { id, secret, previousSecret, previousSecretUntil }: Webhook,
  now: Date,
  keyring: Keyring,
): Promise<readonly string[]> {
  const isAccepted = previousSecretUntil !== null && previousSecretUntil > now
  const sealed = [secret, isAccepted ? previousSecret : null].filter((each) => each !== null)
  const opened = await Promise.all(
    sealed.map((each) => unsealText({ purpose: PURPOSE, of: id, sealed: each }, keyring)),
  )
  return opened.filter((each) => each !== undefined)
}
