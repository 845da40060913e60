export { documentOfKeys } from './did-document.ts'
export type { DidResolver } from './did-resolver.ts'
export { invalidSignature } from './errors.ts'
export { isSigned } from './signature.ts'
