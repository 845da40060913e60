export { EepApiError } from '../errors.ts'
