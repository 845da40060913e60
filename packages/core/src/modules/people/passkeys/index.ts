export { DELETION_ERRORS, passkeyNotFound } from './errors.ts'
export { deletePasskeyBody, renamePasskeyBody } from './schemas.ts'
export type { PasskeyService } from './service.ts'
