/** The value of a parameter of a structured field (RFC 8941); other types are left out. */
export type FieldValue = string | number | boolean

/** A signature of a request as its fields describe it; nothing of it is proven. */
export interface DescribedSignature {
  readonly label: string
  readonly components: readonly SignedComponent[]
  readonly parameters: Readonly<Record<string, FieldValue>>
}

/** What a signature covers: a field or a derived component, such as `@authority`. */
export interface SignedComponent {
  readonly name: string
  readonly parameters: Readonly<Record<string, FieldValue>>
}

/** A member of `Signature-Agent`. */
export interface NamedSigner {
  readonly url: string
  /** How the keys are found: the parameter `type`. */
  readonly type?: FieldValue | undefined
}

/** A request, as far as signatures can cover it. */
export interface SignableRequest {
  readonly method: string
  /** The absolute URL. */
  readonly targetUri: string
  readonly fields: readonly { readonly name: string; readonly value: string }[]
}

/** The algorithms of HTTP message signatures that are accepted. */
export type SignatureAlgorithm = 'ed25519' | 'rsa-pss-sha512'

/** A public key. */
export interface SignatureVerifier {
  readonly algorithm: SignatureAlgorithm
  verify(base: Uint8Array, signature: Uint8Array): boolean
}

/** A private key. */
export interface SignatureSigner {
  readonly algorithm: SignatureAlgorithm
  sign(base: Uint8Array): Uint8Array
}

/**
 * The result of a verification: `incomplete` when a covered field is missing, `unsupported` for components that the library does not
 * know.
 */
export type SignatureResult = 'valid' | 'invalid' | 'malformed' | 'incomplete' | 'unsupported'

/** A signature to make. */
export interface NewSignature {
  readonly label: string
  readonly components: readonly SignedComponent[]
  readonly parameters: Readonly<Record<string, FieldValue>>
  readonly signer: SignatureSigner
}

/** HTTP message signatures (RFC 9421) of requests. */
export interface MessageSignatures {
  /** Reads `Signature-Input`; undefined when it is malformed. */
  readInputs(field: string): readonly DescribedSignature[] | undefined
  /** Reads `Signature-Agent`: a dictionary by its keys, or the string of older signers; undefined when it is malformed. */
  readSigners(field: string): ReadonlyMap<string, NamedSigner> | NamedSigner | undefined
  /** Verifies the signature of a label. Times and required components are up to the caller. */
  verify(request: SignableRequest, label: string, verifier: SignatureVerifier): Promise<SignatureResult>
  /** Returns the headers of a signature. */
  sign(request: SignableRequest, signature: NewSignature): Readonly<Record<'signature' | 'signature-input', string>>
}

/** What a host installs to verify and make HTTP message signatures. */
export interface SignatureToolkit {
  /** Loads the library with the first call. */
  load(): Promise<MessageSignatures>
}
