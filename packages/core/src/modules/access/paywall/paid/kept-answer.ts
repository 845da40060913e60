import type { Keyring } from '../../../../kernel/keyring.ts'
import { sealText, unsealText } from '../../../../kernel/sealed-text.ts'

/** An answer that was not delivered yet. */
export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number | readonly string[]>>
  readonly body: Buffer
}

const PURPOSE = 'kept-answer'

/** Encrypts an answer for one payment and one request. */
export const sealAnswer = (of: string, { status, headers, body }: KeptAnswer, keyring: Keyring): Promise<string> =>
  sealText({ purpose: PURPOSE, of, text: JSON.stringify({ status, headers, body: body.toString('base64') }) }, keyring)

/** Decrypts the result of {@link sealAnswer}; undefined when it belongs to another request, or its key is gone. */
export async function unsealAnswer(of: string, sealed: string, keyring: Keyring): Promise<KeptAnswer | undefined> {
  const text = await unsealText({ purpose: PURPOSE, of, sealed }, keyring)
  if (text === undefined) return undefined
  const { status, headers, body } = JSON.parse(text)
  return { status, headers, body: Buffer.from(body, 'base64') }
}

/** Names what an answer belongs to. */
export const answerName = (paymentId: string, bound: string): string => `${paymentId} ${bound}`
