/** How strongly a device must check who uses a passkey (WebAuthn). */
export type UserVerification = 'preferred' | 'required'

/** What a ceremony is checked against. */
export interface PasskeyExpectation {
  /** The challenge that the device had to sign, base64url. */
  readonly challenge: string
  /** The origins whose pages may run the ceremony. */
  readonly origins: readonly string[]
  /** The domain that passkeys belong to. */
  readonly rpId: string
  /** Whether the device must have verified its user, with a PIN or a fingerprint. */
  readonly requiresUserVerification: boolean
}

/** What a browser returns after it created a passkey: `RegistrationResponseJSON` of WebAuthn. Bytes are base64url. */
export interface PasskeyRegistration {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly clientDataJSON: string
    readonly attestationObject: string
    readonly transports?: readonly string[] | undefined
  }
}

/** What a browser returns after it used a passkey: `AuthenticationResponseJSON` of WebAuthn. Bytes are base64url. */
export interface PasskeyAssertion {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
    readonly userHandle?: string | null | undefined
  }
}

/** The public half of a new passkey. */
export interface VerifiedPasskey {
  /** The id that the device chose, base64url. */
  readonly credentialId: string
  /** The public key (COSE), base64url. */
  readonly publicKey: string
  readonly signCount: number
  /** Whether the passkey is stored in more than one place, such as the account of a password manager. */
  readonly isBackedUp: boolean
}

/** A passkey that was used. */
export interface VerifiedAssertion {
  readonly signCount: number
  readonly isBackedUp: boolean
}

/**
 * Verifies what devices sign. The entry of the feature `passkeys` brings it. Responses come from clients, and may contain anything.
 */
export interface PasskeyToolkit {
  /** The key types that it verifies, in the order of preference (COSE). */
  readonly algorithms: readonly number[]
  /** Verifies a new passkey. Undefined when the response does not match what is expected. */
  verifyRegistration(response: PasskeyRegistration, expected: PasskeyExpectation): Promise<VerifiedPasskey | undefined>
  /** Verifies the use of a passkey, except its sign count. Undefined when the response does not match what is expected. */
  verifyAssertion(
    response: PasskeyAssertion,
    expected: PasskeyExpectation,
    passkey: { readonly credentialId: string; readonly publicKey: string },
  ): Promise<VerifiedAssertion | undefined>
}
