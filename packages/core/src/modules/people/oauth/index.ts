export { providerLabel } from './provider-label.ts'
