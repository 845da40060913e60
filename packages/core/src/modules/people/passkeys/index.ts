export { passkeyNotFound } from './errors.ts'
export { DELETION_ERRORS } from './routes.ts'
export { deletePasskeyBody, renamePasskeyBody } from './schemas.ts'
export type { PasskeyService } from './service.ts'
