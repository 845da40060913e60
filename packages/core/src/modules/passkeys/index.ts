export { deletePasskeyBody, renamePasskeyBody } from './schemas.ts'
export type { PasskeyService } from './service.ts'
