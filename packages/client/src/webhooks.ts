/** A delivery whose signature is right. */
export interface VerifiedDelivery {
  /** `msg_` and the id of the event, the same in each attempt. */
  readonly id: string
  /** The events: one, or several of a batch. */
  readonly events: readonly Readonly<Record<string, unknown>>[]
}

/** What a delivery is verified with. */
export interface VerifyOptions {
  /** The `delivery_secret` of the subscription; several while it is replaced. */
  readonly secret: string | readonly string[]
  /** How old, or how far in the future, a delivery may be. Default: 300 seconds. */
  readonly toleranceSeconds?: number | undefined
  /** Default: the present time. */
  readonly now?: Date | undefined
}

/** A delivery that is not signed with the secret, or is too old. Its message states which. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

function bytesOf(secret: string): Uint8Array<ArrayBuffer> {
  try {
    return fromBase64(secret.replace(/^whsec_/, ''))
  } catch {
    throw new WebhookVerificationError('The secret is not one of a subscription: it is whsec_ and base64')
  }
}

/** Whether one of the signatures of a header is right. WebCrypto compares in constant time. */
async function isSigned(content: Uint8Array<ArrayBuffer>, header: string, secret: string): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), algorithm, false, ['verify'])
  for (const signature of header.split(' ').filter((each) => each.startsWith('v1,'))) {
    let bytes: Uint8Array<ArrayBuffer>
    try {
      bytes = fromBase64(signature.slice(3))
    } catch {
      continue
    }
    if (await crypto.subtle.verify('HMAC', key, bytes, content)) return true
  }
  return false
}

/**
 * Verifies the delivery of a webhook, and returns its events. It reads the body of the request, so pass a request whose body is unread.
 *
 * @throws WebhookVerificationError when a header is missing, the time is out of tolerance, or no signature is right
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/webhooks.md
 * @example
 * const { events } = await verifyWebhook(request, { secret: process.env.WEBHOOK_SECRET })
 */
export async function verifyWebhook(
  request: Request,
  { secret, toleranceSeconds = 300, now = new Date() }: VerifyOptions,
): Promise<VerifiedDelivery> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    request.headers.get(name),
  )
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('The delivery has no signature')
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now.getTime() / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookVerificationError(`The delivery was signed more than ${toleranceSeconds} seconds ago or ahead`)
  }
  const body = new Uint8Array(await request.arrayBuffer())
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const content = new Uint8Array(head.length + body.length)
  content.set(head)
  content.set(body, head.length)
  const secrets = typeof secret === 'string' ? [secret] : secret
  const results = await Promise.all(secrets.map((each) => isSigned(content, signatures, each)))
  if (!results.includes(true)) throw new WebhookVerificationError('No signature of the delivery is right')
  const parsed: unknown = JSON.parse(new TextDecoder().decode(body))
  return { id, events: (Array.isArray(parsed) ? parsed : [parsed]) as VerifiedDelivery['events'] }
}
