export { scopesOfKey } from './scopes-of-key.ts'
export type { ApiKeyService, IssuedKey, ListedKey } from './service.ts'
