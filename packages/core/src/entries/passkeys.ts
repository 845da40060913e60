/** Sign-in with passkeys, for hosts that have `@simplewebauthn/server` installed. */

export { passkeyToolkit } from '../adapters/passkey-toolkit.ts'
