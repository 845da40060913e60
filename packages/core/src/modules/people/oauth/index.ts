export type { Identities, LinkedProvider } from './identities.ts'
export { providerLabel } from './provider-label.ts'
