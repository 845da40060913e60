export { SCOPE_SUBJECTS, scopeLabel, scopeText, scopeTexts, subjectOfScope } from './scope-words.ts'
export { scopesOfKey } from './scopes-of-key.ts'
export type { ApiKeyService, IssuedKey, ListedKey } from './service.ts'
