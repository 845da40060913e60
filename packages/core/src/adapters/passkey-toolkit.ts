import { assertInstalled } from '../kernel/assert-installed.ts'
import type { PasskeyExpectation, PasskeyToolkit } from '../ports/passkey-toolkit.ts'

/** Ed25519, ECDSA with P-256 and RSA: what devices and security keys have. */
const ALGORITHMS = [-8, -7, -257]

const expectationOf = ({ challenge, origins, rpId, requiresUserVerification }: PasskeyExpectation) => ({
  expectedChallenge: challenge,
  expectedOrigin: [...origins],
  expectedRPID: rpId,
  requireUserVerification: requiresUserVerification,
})

/**
 * Verifies passkeys with `@simplewebauthn/server`.
 *
 * @throws MissingPackagesError when a package is not installed
 */
export function passkeyToolkit(): PasskeyToolkit {
  assertInstalled('@simplewebauthn/server')
  return {
    algorithms: ALGORITHMS,

    async verifyRegistration(registration, expected) {
      const { transports: _, ...response } = registration.response
      const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
      const { registrationInfo } = await orUnverified(() =>
        verifyRegistrationResponse({
          ...expectationOf(expected),
          response: { ...registration, response, clientExtensionResults: {} },
          supportedAlgorithmIDs: ALGORITHMS,
        }),
      )
      if (!registrationInfo) return undefined
      const { credential, credentialBackedUp } = registrationInfo
      return {
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        signCount: credential.counter,
        isBackedUp: credentialBackedUp,
      }
    },

    async verifyAssertion(assertion, expected, { credentialId, publicKey }) {
      const { userHandle, ...response } = assertion.response
      const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
      const { authenticationInfo, verified } = await orUnverified(() =>
        verifyAuthenticationResponse({
          ...expectationOf(expected),
          response: {
            ...assertion,
            response: { ...response, ...(userHandle ? { userHandle } : {}) },
            clientExtensionResults: {},
          },
          // The sign count is compared where it is stored, so that of two copies of a passkey only one advances it.
          credential: { id: credentialId, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
        }),
      )
      if (!verified || !authenticationInfo) return undefined
      return { signCount: authenticationInfo.newCounter, isBackedUp: authenticationInfo.credentialBackedUp }
    },
  }
}

interface Unverified {
  readonly verified: false
  readonly registrationInfo?: undefined
  readonly authenticationInfo?: undefined
}

/** The library throws plain errors for responses that it refuses, and for those that it cannot parse. */
const orUnverified = <Result>(verify: () => Promise<Result>): Promise<Result | Unverified> =>
  verify().catch((): Unverified => ({ verified: false }))
