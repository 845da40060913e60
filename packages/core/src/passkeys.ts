/** Sign-in with passkeys, for hosts that have `@simplewebauthn/server` installed. */

export { passkeyToolkit } from './defaults/passkey-toolkit.ts'
