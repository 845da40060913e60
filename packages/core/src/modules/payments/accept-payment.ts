import type { ChallengeContext, CredentialHeaders } from '../../ports/payment-rail.ts'

/** How much a client wants a way to pay, by its `Accept-Payment`: 1 where it says nothing of it, 0 where it refuses it. */
export function acceptedQuality(
  header: string | undefined,
  { method = '', intent = '' }: Readonly<Record<string, string>>,
): number {
  for (const entry of header?.slice(0, 1_000).split(',') ?? []) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    if (name !== `${method}/${intent}`) continue
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return quality !== undefined && /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(quality) ? Number(quality) : 1
  }
  return 1
}

/** Where a client sends its credential: whoever is signed in by `Authorization` keeps that field for it. */
export const credentialField = ({ authorization }: CredentialHeaders): ChallengeContext['field'] =>
  /^bearer /i.test(authorization ?? '') ? 'Payment-Authorization' : 'Authorization'
