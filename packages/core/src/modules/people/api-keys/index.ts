export { scopesOfKey } from './scopes-of-key.ts'
