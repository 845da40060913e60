import type { UserVerification } from '../../../ports/passkey-toolkit.ts'
import type { Account } from '../../../ports/storage/accounts.ts'
import type { Passkey } from '../../../ports/storage/passkeys.ts'
import { CHALLENGE_SECONDS } from './challenges.ts'

/** The handle of an account on devices. It reveals nothing about the account, and never changes. */
export const userHandleOf = (accountId: string): string =>
  Buffer.from(accountId.replaceAll('-', ''), 'hex').toString('base64url')

export interface CreationOptionsInput {
  readonly challenge: string
  readonly rp: { readonly id: string; readonly name: string }
  readonly account: Account
  readonly known: readonly Passkey[]
  readonly algorithms: readonly number[]
  readonly userVerification: UserVerification
}

/** The options with which a browser creates a passkey (WebAuthn). A device that has one of the account creates no second one. */
export const creationOptions = ({
  challenge,
  rp,
  account,
  known,
  algorithms,
  userVerification,
}: CreationOptionsInput) => ({
  challenge,
  rp,
  user: {
    id: userHandleOf(account.id),
    name: account.email,
    displayName: account.fullName ?? account.username,
  },
  pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
  timeout: CHALLENGE_SECONDS * 1000,
  excludeCredentials: known.map(({ credentialId, transports }) => ({
    id: credentialId,
    type: 'public-key' as const,
    transports: [...transports],
  })),
  authenticatorSelection: { residentKey: 'required' as const, requireResidentKey: true as const, userVerification },
  attestation: 'none' as const,
})

/** The options with which a browser offers all passkeys for this service (WebAuthn). */
export const requestOptions = (challenge: string, rpId: string, userVerification: UserVerification) => ({
  challenge,
  rpId,
  timeout: CHALLENGE_SECONDS * 1000,
  userVerification,
})
