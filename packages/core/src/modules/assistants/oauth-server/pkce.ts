import { sameText, sha256 } from '../../../kernel/digest.ts'

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

/** Whether a text can be a challenge of the method S256 (RFC 7636, 4.2): a SHA-256 as base64url. */
export const isChallenge = (text: string): boolean => CHALLENGE.test(text)

/** Whether a code verifier belongs to a challenge of the method S256. False for verifiers outside RFC 7636, 4.1. */
export const verifiesChallenge = (verifier: string, challenge: string): boolean =>
  VERIFIER.test(verifier) && isChallenge(challenge) && sameText(sha256(verifier, 'base64url'), challenge)
