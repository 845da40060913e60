import { EepError } from '../../../kernel/errors.ts'

const KIND = {
  code: 'invalid_token',
  status: 401,
  message: 'This token is unknown, has expired, or is for another address; refresh it, or connect again',
}

/** The 401 for the token of an app, with the challenge of RFC 6750. Sessions have an error of the same code. */
export const refusedToken = (): EepError =>
  new EepError(KIND, { challenges: [{ scheme: 'Bearer', parameters: { error: 'invalid_token' } }] })
