export { type ApiErrorFacts, EepApiError } from './errors.ts'
