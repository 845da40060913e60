export { scopesOfKey } from './scopes-of-key.ts'
export { SCOPE_SUBJECTS, scopeText, scopeTexts, subjectOfScope } from './scope-words.ts'
export type { ApiKeyService, IssuedKey, ListedKey } from './service.ts'
