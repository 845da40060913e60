import type { Keyring } from '../../kernel/keyring.ts'
import { sealText, unsealText } from '../../kernel/sealed-text.ts'
import type { Webhook } from '../../ports/storage/webhooks.ts'

const PURPOSE = 'webhook-secret'

/** Encrypts the secret of a webhook for the storage. */
export const sealSecret = (webhookId: string, secret: string, keyring: Keyring): Promise<string> =>
  sealText({ purpose: PURPOSE, of: webhookId, text: secret }, keyring)

/**
 * Decrypts the secrets that sign a delivery now: the current one, and the one before until a day after the rotation. Empty
 * when the key that encrypted them is not in the ring any more.
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
