export type { Token, TokenPurpose } from './store.ts'
