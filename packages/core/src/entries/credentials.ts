/** Verifiable credentials, for hosts that have `did-jwt-vc` installed. */

export { vcCredentials } from '../adapters/credentials.ts'
